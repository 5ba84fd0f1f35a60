import type { Adapter } from '../adapter.ts';
import { malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, summaryOf, unnamed } from '../imported-file.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { coarseClock } from '../limits.ts';
import { readLines } from '../import-source.ts';
import { nsPer } from '../../grammar/units.ts';

const longestLine = 1000;
const timeLine = /^(real|user|sys)\s+(?:(\d{1,9})m)?(\d{1,9})([.,]\d{1,9})?s?\s*$/;
const advice = 'It is what bash prints for: for k in {1..20}; do time COMMAND; done 2> FILE.';

interface TimeLine {
  readonly kind: 'real' | 'user' | 'sys';
  readonly seconds: number;
  /** Digits behind the point. */
  readonly decimals: number;
}

/** `real 0m0.105s` of bash, `real 0.10` of `time -p`; `null` for any other line. */
function readTimeLine(text: string): TimeLine | null {
  const [, kind, minutes = '0', whole = '', fraction = ''] =
    text.length > longestLine ? [] : (timeLine.exec(text) ?? []);
  if (kind !== 'real' && kind !== 'user' && kind !== 'sys') return null;
  const seconds = 60 * Number(minutes) + Number(whole + fraction.replace(',', '.'));
  return { kind, seconds, decimals: Math.max(0, fraction.length - 1) };
}

/**
 * The output of the `time` of bash, or `time -p`, after each execution of a command: `real`, `user` and `sys`, among other lines. Source: bash,
 * `print_formatted_time`; POSIX, `time`.
 */
export const shellTime: Adapter = {
  id: 'shell-time',
  describe: "what bash's time or time -p prints",
  reads: 'a `real` is a run of one iteration; `user` and `sys` behind it are its CPU time',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'COARSE_CLOCK'],
  detect: ({ lines }) => {
    const kinds = new Set(lines.map((text) => readTimeLine(text)?.kind));
    return kinds.has('real') && kinds.has('user') && kinds.has('sys');
  },
  read: async (source) => {
    const set = new BenchmarkSet(source.path);
    let runs = 0;
    let decimals = 3;
    let last: { readonly line: number; real: number | null; user: number | null; sys: number | null } | null = null;
    function finish(): void {
      if (last === null) return;
      const { line, real, user, sys } = last;
      if (real === null || user === null || sys === null) {
        const place = { path: source.path, line, column: 1 };
        throw malformedText(place, { what: 'expected the lines real, user and sys of one execution', advice });
      }
      const run = set.run({ name: unnamed }, String(runs++));
      run.push({ durationNs: real * nsPer.s });
      run.setMetric('c', (user + sys) * nsPer.s);
      last = null;
    }
    for (const { number: line, text } of await readLines(source)) {
      const found = readTimeLine(text);
      if (found === null) continue;
      if (found.kind === 'real') {
        finish();
        decimals = Math.min(decimals, found.decimals);
      }
      last ??= { line, real: null, user: null, sys: null };
      last[found.kind] = found.seconds;
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
  reads: 'means and standard deviations; the number of executions is missing, so an interval needs several files',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  detect: ({ lines }) => lines.some((text) => text.length < longestLine && columns.test(text)),
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    let name = unnamed;
    let isTable = false;
    for (const { number: line, text } of await readLines(source)) {
      if (text.length > longestLine) continue;
      if (isTable) {
        const [, ...fields] = realLine.exec(text) ?? [];
        const times = fields.map((field) => Number(field) * nsPer.s);
        const [meanNs, standardDeviationNs = null, minNs = null, medianNs = null, maxNs = null] = times;
        if (meanNs === undefined || !fields.every((field) => Number(field) < 1e12)) {
          const place = { path: source.path, line, column: 1 };
          throw malformedText(place, {
            what: 'expected the line of real times below their columns',
            advice: multitimeAdvice,
          });
        }
        const summary = summaryOf({ meanNs, standardDeviationNs, minNs, medianNs, maxNs });
        benchmarks.push(oneSided({ name, summary }));
        name = unnamed;
      }
      isTable = columns.test(text);
      name = command.exec(text)?.[1] ?? name;
    }
    return { benchmarks };
  },
};
