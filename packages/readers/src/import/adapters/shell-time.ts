import type { Adapter } from '../adapter.ts';
import { malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, summaryOf, unnamed } from '../imported-file.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { coarseClock } from '../limits.ts';
import { readLines } from '../text/read-lines.ts';
import { nsPer } from '../units.ts';

const longestLine = 1000;
const timeLine = /^(real|user|sys)\s+(?:(\d{1,9})m)?(\d{1,9})([.,]\d{1,9})?s?\s*$/;
const advice = 'It is what bash prints for: for k in {1..20}; do time COMMAND; done 2> FILE.';

/** `real 0m0.105s` of bash, `real 0.10` of `time -p`; `null` for any other line. */
function readTimeLine(
  text: string,
): { readonly kind: string; readonly seconds: number; readonly decimals: number } | null {
  const [, kind, minutes = '0', whole = '', fraction = ''] =
    text.length > longestLine ? [] : (timeLine.exec(text) ?? []);
  if (kind === undefined) return null;
  const seconds = 60 * Number(minutes) + Number(whole + fraction.replace(',', '.'));
  return { kind, seconds, decimals: Math.max(0, fraction.length - 1) };
}

/**
 * What the `time` of bash, or `time -p`, prints after each execution of a command: `real`, `user` and `sys`, among other lines. Source: bash,
 * `print_formatted_time`; POSIX, `time`.
 */
export const shellTime: Adapter = {
  id: 'shell-time',
  describe: "what bash's time or time -p prints",
  reads: 'a `real` is a run of one iteration; `user` and `sys` behind it are its CPU time',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'COARSE_CLOCK'],
  holdsWarmup: false,
  detect: ({ lines }) => {
    const kinds = new Set(lines.map((text) => readTimeLine(text)?.kind));
    return kinds.has('real') && kinds.has('user') && kinds.has('sys');
  },
  read: async (source) => {
    const set = new BenchmarkSet(source.path);
    let count = 0;
    let decimals = 3;
    let last: { readonly line: number; readonly seconds: Map<string, number> } | null = null;
    function finish(): void {
      if (last === null) return;
      const { seconds, line } = last;
      const [real, user, system] = [seconds.get('real'), seconds.get('user'), seconds.get('sys')];
      if (real === undefined || user === undefined || system === undefined) {
        const place = { path: source.path, line, column: 1 };
        throw malformedText(place, { what: 'expected the lines real, user and sys of one execution', advice });
      }
      const run = set.run({ name: unnamed }, String(count++));
      run.push({ durationNs: real * nsPer.s });
      run.setMetric('c', (user + system) * nsPer.s);
      last = null;
    }
    for await (const lines of readLines(source))
      for (const { number: line, text } of lines) {
        const found = readTimeLine(text);
        if (found === null) continue;
        if (found.kind === 'real') {
          finish();
          decimals = Math.min(decimals, found.decimals);
        }
        last ??= { line, seconds: new Map() };
        last.seconds.set(found.kind, found.seconds);
      }
    finish();
    const resolution =
      ['seconds', 'tenths of a second', 'hundredths of a second', 'milliseconds'][decimals] ?? 'milliseconds';
    return { benchmarks: set.benchmarks(), limits: [coarseClock(source.path, resolution)] };
  },
};

const command = /^\s*\d+: (.*\S)\s*$/;
const columns = /^\s+Mean\s+Std\.Dev\.\s+Min\s+Median\s+Max\s*$/;
const number = String.raw`(\d+(?:\.\d+)?)`;
const realLine = new RegExp(
  String.raw`^\s*real\s+${number}(?:\+/-\d+(?:\.\d+)?)?\s+${number}\s+${number}\s+${number}\s+${number}\s*$`,
);
const multitimeAdvice = 'Write it with multitime -n 20 COMMAND 2> FILE.';

/** multitime's table: mean, standard deviation, least, median and largest elapsed time of a command. Source: its `format.c`. */
export const multitime: Adapter = {
  id: 'multitime',
  describe: 'what multitime prints',
  reads:
    'means and standard deviations; how many executions there were is not told, so an interval needs several files',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: ({ lines }) => lines.some((text) => text.length < longestLine && columns.test(text)),
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    let name = unnamed;
    let isTable = false;
    for await (const lines of readLines(source))
      for (const { number: line, text } of lines) {
        if (text.length > longestLine) continue;
        if (isTable) {
          const [, ...fields] = realLine.exec(text) ?? [];
          const [mean, deviation, min, median, max] = fields.map((field) => Number(field) * nsPer.s);
          if (mean === undefined || !fields.every((field) => Number(field) < 1e12)) {
            const place = { path: source.path, line, column: 1 };
            throw malformedText(place, {
              what: 'expected the line of real times below their columns',
              advice: multitimeAdvice,
            });
          }
          benchmarks.push(
            oneSided({
              name,
              summary: summaryOf({
                meanNs: mean,
                standardDeviationNs: deviation ?? null,
                minNs: min ?? null,
                medianNs: median ?? null,
                maxNs: max ?? null,
              }),
            }),
          );
          name = unnamed;
        }
        isTable = columns.test(text);
        name = command.exec(text)?.[1] ?? name;
      }
    return { benchmarks };
  },
};
