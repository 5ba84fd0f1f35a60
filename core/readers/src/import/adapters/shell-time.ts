import type { Adapter } from '../adapter.ts';
import { malformedText } from '../import-error.ts';
import { type ImportedBenchmark, oneSided, summaryOf, unnamed } from '../imported-file.ts';
import { coarseClock, runsMerged } from '../limits.ts';
import { SingleRuns } from '../run-store.ts';
import { DecimalReader } from '../text/byte-values.ts';
import { lineEnd, lineText, readLineBytes, readLines } from '../text/read-lines.ts';
import { nsPer } from '../units.ts';

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

const kinds = (['real', 'user', 'sys'] as const).map((kind) => ({ kind, bytes: Buffer.from(kind) }));
const [point, minute, second, tab, space, carriageReturn] = [0x2e, 0x6d, 0x73, 0x09, 0x20, 0x0d];
/** More are left to the pattern. */
const mostDigits = 9;

/** Reads lines of their bytes, as nearly all are written without making a text of each. */
class TimeLineReader {
  readonly #decimal = new DecimalReader();

  /** As `readTimeLine`, of the line from one place to before another. */
  read(bytes: Buffer, from: number, to: number): TimeLine | null {
    for (const { kind, bytes: word } of kinds) {
      if (bytes[from] !== word[0]) continue;
      for (let at = 1; at < word.length; at++) if (bytes[from + at] !== word[at]) return null;
      const first = from + word.length;
      if (bytes[first] !== tab && bytes[first] !== space) return null;
      return this.#plain(kind, bytes, { at: first + 1, to }) ?? readTimeLine(lineText(bytes, from, to));
    }
    return null;
  }

  /** `null` = it is not certain what it is. */
  #plain(
    kind: TimeLine['kind'],
    bytes: Buffer,
    { at, to }: { readonly at: number; readonly to: number },
  ): TimeLine | null {
    const decimal = this.#decimal;
    let begin = at;
    let seconds = decimal.read(bytes, begin);
    let minutes = 0;
    if (bytes[decimal.end] === minute && !decimal.hasPoint && decimal.end - begin <= mostDigits) {
      minutes = seconds;
      begin = decimal.end + 1;
      seconds = decimal.read(bytes, begin);
    }
    let { end } = decimal;
    const dot = decimal.hasPoint ? bytes.lastIndexOf(point, end) : end;
    if (dot - begin > mostDigits || end - dot - 1 > mostDigits) return null;
    if (bytes[end] === second) end += 1;
    if (end < to && bytes[end] === carriageReturn) end += 1;
    const total = 60 * minutes + seconds;
    return end === to && !Number.isNaN(total)
      ? { kind, seconds: total, decimals: Math.max(0, decimal.end - dot - 1) }
      : null;
  }
}

/**
 * What the `time` of bash, or `time -p`, prints after each execution of a command: `real`, `user` and `sys`, among other lines. Source: bash,
 * `print_formatted_time`; POSIX, `time`.
 */
export const shellTime: Adapter = {
  id: 'shell-time',
  describe: "what bash's time or time -p prints",
  reads: 'a `real` is a run of one iteration; `user` and `sys` behind it are its CPU time',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'COARSE_CLOCK', 'ITERATIONS_MERGED'],
  holdsWarmup: false,
  detect: ({ lines }) => {
    const kinds = new Set(lines.map((text) => readTimeLine(text)?.kind));
    return kinds.has('real') && kinds.has('user') && kinds.has('sys');
  },
  read: async (source) => {
    const runs = new SingleRuns();
    let decimals = 3;
    let last: { readonly line: number; real: number | null; user: number | null; sys: number | null } | null = null;
    function finish(): void {
      if (last === null) return;
      const { line, real, user, sys } = last;
      if (real === null || user === null || sys === null) {
        const place = { path: source.path, line, column: 1 };
        throw malformedText(place, { what: 'expected the lines real, user and sys of one execution', advice });
      }
      runs.push(real * nsPer.s, (user + sys) * nsPer.s);
      last = null;
    }
    const reader = new TimeLineReader();
    let line = 0;
    for await (const bytes of readLineBytes(source)) {
      for (let at = 0, end = 0; at < bytes.length; at = end + 1) {
        line += 1;
        end = lineEnd(bytes, at);
        const found = reader.read(bytes, at, end);
        if (found === null) continue;
        if (found.kind === 'real') {
          finish();
          decimals = Math.min(decimals, found.decimals);
        }
        last ??= { line, real: null, user: null, sys: null };
        last[found.kind] = found.seconds;
      }
    }
    finish();
    const resolution =
      ['seconds', 'tenths of a second', 'hundredths of a second', 'milliseconds'][decimals] ?? 'milliseconds';
    const limits = [coarseClock(source.path, resolution), ...runsMerged(source.path, runs.group)];
    return { benchmarks: [runs.benchmark({ name: unnamed })], limits };
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
