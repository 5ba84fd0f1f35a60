import type { LinePattern, Params, TimeUnit } from '@deadheat/model';
import { readWholeLines, RecordError, recordVersion } from '@deadheat/recording';
import { matchLines } from './match-lines.ts';
import type { ParsedIteration } from './output-parser.ts';
import { type LineArrivals, type PlacedIterations, placeIterations } from './place-iterations.ts';

/** The record of one benchmark that a parser found in what a program printed or wrote. */
export interface OutputRecord {
  readonly clock: PlacedIterations['clock'];
  readonly lines: readonly string[];
}

/**
 * Records of what a parser found, benchmark by benchmark.
 *
 * @param name that of a program that holds one benchmark, whatever its output calls it; `null` = its own name, or `program`.
 * @throws ParserError as `placeIterations`
 */
export function outputRecords(
  iterations: readonly ParsedIteration[],
  { name, arrivals }: { readonly name: string | null; readonly arrivals: LineArrivals | null },
): readonly OutputRecord[] {
  const benchmarks = byBenchmark(iterations, name);
  // They share a clock, on which each begins when the one before has ended.
  const { clock, placed } = placeIterations(
    benchmarks.flatMap((own) => own.iterations),
    arrivals,
  );
  let first = 0;
  return benchmarks.map((own) => {
    const head = JSON.stringify({ deadheat: recordVersion, benchmark: own.name, params: own.params, clock });
    const lines = toLines(placed.slice(first, (first += own.iterations.length)));
    return { clock, lines: [head, ...lines] };
  });
}

interface NamedIterations {
  readonly name: string;
  readonly params: Params;
  readonly iterations: ParsedIteration[];
}

/** A program that holds one benchmark is called as the configuration calls it. */
function byBenchmark(iterations: readonly ParsedIteration[], name: string | null): readonly NamedIterations[] {
  const found = new Map<string, NamedIterations>();
  for (const iteration of iterations) {
    const { benchmark = name ?? 'program', params = {} } = iteration;
    const key = JSON.stringify([benchmark, params]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { name: benchmark, params, iterations: [iteration] });
    else known.iterations.push(iteration);
  }
  const [only, ...more] = found.values();
  if (only === undefined) return [];
  return more.length === 0 ? [{ ...only, name: name ?? only.name }] : [only, ...more];
}

function toLines(placed: PlacedIterations['placed']): readonly string[] {
  return placed.map(({ iteration: { phase, invocations, metrics }, startNs, endNs, durationNs }, index) =>
    JSON.stringify({
      ...metrics,
      i: index,
      s: startNs,
      e: endNs,
      ...(durationNs === null ? {} : { w: durationNs }),
      ...(invocations === undefined ? {} : { n: invocations }),
      ...(phase === undefined ? {} : { p: phase }),
    }),
  );
}

const maximumLineBytes = 10_000_000;
const digits: Readonly<Record<TimeUnit, number>> = { ns: 0, us: 3, ms: 6, s: 9 };

/**
 * Makes a record of the iterations that a pattern finds in what a program printed. Times stay on the program's own
 * clock.
 *
 * @param from file of what the program printed
 * @returns the lines of the record
 * @throws RecordError `MALFORMED` with file and line where a group is not a time, `NOT_FOUND`, `NOT_READABLE` or `IO`; ParserError as
 *   `matchLines`
 */
export async function recordLines(
  from: string,
  { benchmark, lines }: { readonly benchmark: string; readonly lines: LinePattern },
): Promise<readonly string[]> {
  const record = [JSON.stringify({ deadheat: recordVersion, benchmark })];
  let before: bigint | null = null;
  for await (const { line, groups } of matchLines(lines.pattern, readText(from))) {
    function time(name: string): bigint | null {
      const text = groups[name];
      if (text === undefined) return null;
      const value = toNanoseconds(text, digits[lines.unit]);
      if (value === null) throw notATime({ from, line, name, text });
      return value;
    }
    const span = spanOf(time, before);
    before = time('time') ?? before;
    if (span === null) continue;
    const phase = groups['phase'] === 'warmup' ? ',"p":"warmup"' : '';
    record.push(`{"i":${record.length - 1},"s":${span.start},"e":${span.end}${phase}}`);
  }
  return record;
}

function* readText(path: string): Generator<string> {
  const options = {
    maximumBytes: maximumLineBytes,
    tooLong: () => new RecordError('MALFORMED', `${path}: a line above 10 MB`, { path }),
  };
  for (const bytes of readWholeLines(path, options)) yield bytes.toString('utf8');
}

function spanOf(
  time: (name: string) => bigint | null,
  before: bigint | null,
): { readonly start: bigint; readonly end: bigint } | null {
  const moment = time('time');
  if (moment !== null) return before === null ? null : { start: before, end: moment };
  const [start, end, duration] = [time('start'), time('end'), time('duration')];
  if (start !== null && end !== null) return { start, end };
  if (start !== null && duration !== null) return { start, end: start + duration };
  if (end !== null && duration !== null) return { start: end - duration, end };
  return null;
}

/** A decimal number of a unit with `scale` digits below it, in whole ns; `null` for anything else. */
function toNanoseconds(text: string, scale: number): bigint | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const fraction = (match[2] ?? '').slice(0, scale).padEnd(scale, '0');
  return BigInt(`${match[1] ?? ''}${fraction}`);
}

function notATime(facts: {
  readonly from: string;
  readonly line: number;
  readonly name: string;
  readonly text: string;
}): RecordError {
  const { from, line, name, text } = facts;
  return new RecordError(
    'MALFORMED',
    `${from}:${line}:1: the group '${name}' of the pattern found '${text.slice(0, 60)}', which is no time. ` +
      'Have the pattern match a decimal number there, such as [0-9.]+.',
    { path: from, line, column: 1 },
  );
}
