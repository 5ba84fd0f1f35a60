import { basename } from 'node:path';
import type { Benchmark, Method, Params, Side } from '@deadheat/model';
import {
  LineArrivals,
  ParserError,
  parseText,
  placeIterations,
  readResults,
  writtenResults,
  type ParsedIteration,
  type PlacedIterations,
} from '@deadheat/readers';
import type { TrialRecords } from '../record/index.ts';
import type { SeenOutput } from './watch-output.ts';

export interface OutputSource {
  readonly trial: number;
  readonly side: Side;
  readonly benchmark: Benchmark;
  readonly method: Method;
  readonly seen: SeenOutput;
}

/**
 * Makes a record of what a parser finds in what a side printed or wrote, and keeps what it read.
 *
 * @throws ParserError when no iterations can be taken from it, or `NO_TIMES` where an asynchronous duet cannot tell which
 *   iterations ran together; RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
 */
export async function recordOutput(files: TrialRecords, source: OutputSource): Promise<void> {
  const { trial, side, benchmark, method, seen } = source;
  const { parser, name, params } = benchmark;
  if (parser === null) throw new RangeError(`${name} has no parser`);
  const { results } = seen;
  const path = results === null ? files.printed(trial, side) : writtenResults(results.pattern, results.before);
  const whole = readResults(path);
  const bytes = seen.until === null ? whole : whole.subarray(0, seen.until);
  if (results !== null) await files.keepResults(bytes, { trial, side });
  const context = { benchmark: name, params, side, source: results === null ? 'stdout' : basename(path) };
  const iterations = await parseText(parser, { text: bytes.toString('utf8'), context });
  const arrivals = results === null && seen.arrivals.length > 0 ? new LineArrivals(bytes, seen.arrivals) : null;
  const lines: string[] = [];
  for (const own of byBenchmark(iterations, benchmark)) {
    const { clock, placed } = placeIterations(own.iterations, arrivals);
    if (clock === 'none' && method === 'async-duet') throw noTimes(source);
    lines.push(JSON.stringify({ deadheat: 1, benchmark: own.name, params: own.params, clock }), ...toLines(placed));
  }
  await files.writeRecord(lines, { trial, side });
}

interface NamedIterations {
  readonly name: string;
  readonly params: Params;
  readonly iterations: ParsedIteration[];
}

/** A program that holds one benchmark is called as the configuration calls it. */
function byBenchmark(iterations: readonly ParsedIteration[], { name }: Benchmark): readonly NamedIterations[] {
  const found = new Map<string, NamedIterations>();
  for (const iteration of iterations) {
    const { benchmark = name, params = {} } = iteration;
    const key = JSON.stringify([benchmark, params]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { name: benchmark, params, iterations: [iteration] });
    else known.iterations.push(iteration);
  }
  const [only, ...more] = found.values();
  if (only === undefined) return [];
  return more.length === 0 ? [{ ...only, name }] : [only, ...more];
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

function noTimes({ seen }: OutputSource): ParserError {
  const why =
    seen.results === null
      ? 'it held its lines back, so that they tell how long iterations took and not when they ran; have it flush each line ' +
        '(stdbuf -oL), write results with times, or be'
      : 'its results tell how long iterations took and not when they ran; have them hold times, read what it prints, or be';
  return new ParserError('NO_TIMES', `${why} measured with methods: [sequential]`);
}
