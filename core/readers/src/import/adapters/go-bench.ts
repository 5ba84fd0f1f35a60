import { type GoLine, goLineOf, readGoLine } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { malformedText } from '../import-error.ts';
import { ByteTexts, DecimalReader } from '../text/byte-values.ts';
import { lineEnd, lineText, readLineBytes } from '../text/read-lines.ts';

const advice = 'Write it with go test -bench=. -count=10 > FILE.';
const setting = /^([a-z][^\sA-Z:]*):(?:\s+(.*))?$/;

const begin = Buffer.from('Benchmark');

/** Reads results as Go writes them from bytes: nearly all lines of a large file are such. */
export class GoBytes {
  readonly #texts = new ByteTexts();
  readonly #decimal = new DecimalReader();

  /**
   * The result in a line of ASCII, from one place to before its end, in which plain numbers and units alternate: what
   * `readGoLine` makes of its text.
   *
   * @returns `null` for any other line
   */
  read(bytes: Buffer, from: number, end: number): GoLine | null {
    const to = bytes[end - 1] === 0x0d ? end - 1 : end;
    for (let at = 0; at < begin.length; at++) if (bytes[from + at] !== begin[at]) return null;
    const nameEnd = wordEnd(bytes, from + begin.length, to);
    const benchmark = this.#texts.textOf(bytes, from + begin.length, nameEnd);
    const first = spacesEnd(bytes, nameEnd, to);
    const invocations = this.#decimal.read(bytes, first);
    let at = spacesEnd(bytes, this.#decimal.end, to);
    if (benchmark === '' || first === nameEnd || at === this.#decimal.end || at === to) return null;
    if (Number.isNaN(invocations) || this.#decimal.hasPoint) return null;
    const amounts: number[] = [];
    const units: string[] = [];
    while (at < to) {
      const amount = this.#decimal.read(bytes, at);
      const unitAt = spacesEnd(bytes, this.#decimal.end, to);
      const unitEnd = wordEnd(bytes, unitAt, to);
      if (Number.isNaN(amount) || unitAt === this.#decimal.end || unitEnd === unitAt) return null;
      amounts.push(amount);
      units.push(this.#texts.textOf(bytes, unitAt, unitEnd));
      at = spacesEnd(bytes, unitEnd, to);
    }
    return goLineOf({ benchmark, invocations }, { amounts, units });
  }
}

/** The end of the characters of ASCII that are not white space. */
function wordEnd(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] ?? 0) > 0x20 && (bytes[at] ?? 0) < 0x7f) at += 1;
  return at;
}

/** The end of blanks and tabs. */
function spacesEnd(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09)) at += 1;
  return at;
}

/**
 * Text of `go test -bench`: repeated lines are iterations of one run; the `ok` or `FAIL` that ends a test program ends
 * the run, so appended outputs are several runs. Source: golang/perf `benchfmt/reader.go`.
 */
export const goBench: Adapter = {
  id: 'go-bench',
  describe: 'go test -bench text',
  reads:
    'a line is an iteration; `ok PACKAGE` ends a run, so appended outputs are several runs; B/op, allocs/op and other units are compared, too',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'ITERATIONS_MERGED'],
  holdsWarmup: false,
  detect: ({ lines }) => lines.some((text) => readGoLine(text) !== null),
  read: async (source) => {
    const { path } = source;
    const set = new BenchmarkSet(source.path);
    const ended = new Map<string, number>();
    let pkg = '';
    let number = 0;
    function takeOther(text: string): void {
      const [, key, value = ''] = setting.exec(text) ?? [];
      if (key === 'pkg') pkg = value.trim();
      if (/^(ok|FAIL)\s/.test(text)) ended.set(pkg, (ended.get(pkg) ?? 0) + 1);
    }
    const results = new GoBytes();
    function take(bytes: Buffer, at: number, end: number): void {
      number += 1;
      const found = results.read(bytes, at, end) ?? readGoLine(lineText(bytes, at, end));
      if (found === null) {
        takeOther(lineText(bytes, at, end));
        return;
      }
      const { benchmark: name, invocations, opNs, metrics } = found;
      if (!(opNs >= 0) || !Number.isFinite(opNs * invocations) || invocations < 1) {
        const what = `expected a count and a time before ns/op, found '${lineText(bytes, at, end).slice(0, 80)}'`;
        throw malformedText({ path, line: number, column: 1 }, { what, advice });
      }
      const iterations = set.run({ name, params: pkg === '' ? {} : { pkg } }, String(ended.get(pkg) ?? 0));
      iterations.push({ durationNs: opNs * invocations, invocations });
      for (const [unit, amount] of Object.entries(metrics)) iterations.setMetric(unit, amount);
    }
    for await (const bytes of readLineBytes(source)) {
      for (let at = 0; at < bytes.length;) {
        const end = lineEnd(bytes, at);
        take(bytes, at, end);
        at = end + 1;
      }
    }
    return { benchmarks: set.benchmarks() };
  },
};
