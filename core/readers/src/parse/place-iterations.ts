import { type ParsedIteration, ParserError } from './output-parser.ts';

/**
 * The source of start and end of iterations: `own`, on the program's clock; `arrival`, the end being the moment at which the line
 * was seen; `none`, durations laid out one behind the other from 0.
 */
export type IterationClock = 'own' | 'arrival' | 'none';

export interface PlacedIteration {
  readonly iteration: ParsedIteration;
  /** Whole ns. */
  readonly startNs: number;
  readonly endNs: number;
  /**
   * The time itself, where start and end are beyond the whole numbers of a float64, as ns since 1970 are: their difference is then
   * off by up to 128 ns. `null` = the difference is exact.
   */
  readonly durationNs: number | null;
}

export interface PlacedIterations {
  readonly clock: IterationClock;
  readonly placed: readonly PlacedIteration[];
}

/** Clocks of 1 ms resolution let iterations overlap by so much, ns. */
const coarseNs = 1e6;

/**
 * Iterations with start and end, those of a benchmark behind those of the one before.
 *
 * @throws ParserError `PARSER_RESULT` when they overlap, end before they start, or only some have times
 */
export function placeIterations(
  iterations: readonly ParsedIteration[],
  arrivals: LineArrivals | null,
): PlacedIterations {
  const timed = iterations.filter(({ startNs, endNs }) => startNs !== undefined || endNs !== undefined);
  if (timed.length === iterations.length) return { clock: 'own', placed: byOwnClock(iterations) };
  if (timed.length > 0) {
    throw new ParserError('PARSER_RESULT', 'what it returned has startNs or endNs in some iterations only');
  }
  const ends = arrivals === null ? null : byArrival(iterations, arrivals);
  if (ends !== null) return { clock: 'arrival', placed: ends };
  let end = 0;
  const placed = iterations.map((iteration) => {
    const startNs = end;
    end += Math.round(iteration.durationNs ?? 0);
    return { iteration, startNs, endNs: end, durationNs: null };
  });
  return { clock: 'none', placed };
}

function byOwnClock(iterations: readonly ParsedIteration[]): readonly PlacedIteration[] {
  let before = 0;
  return iterations.map((iteration, index) => {
    const { startNs, endNs, durationNs = (endNs ?? 0) - (startNs ?? 0) } = iteration;
    const duration = Math.round(durationNs);
    if (duration < 0) throw new ParserError('PARSER_RESULT', `what it returned ends before it starts at [${index}]`);
    const own = Math.round(startNs ?? (endNs ?? 0) - durationNs);
    if (own < before - coarseNs) {
      throw new ParserError('PARSER_RESULT', `what it returned starts before the one before has ended at [${index}]`);
    }
    const start = Math.max(own, before);
    before = start + duration;
    return { iteration, startNs: start, endNs: before, durationNs: Number.isSafeInteger(before) ? null : duration };
  });
}

function byArrival(iterations: readonly ParsedIteration[], arrivals: LineArrivals): readonly PlacedIteration[] | null {
  const seen = iterations.map(({ line, durationNs = 0 }) => ({
    seenNs: line === undefined ? null : arrivals.of(line),
    durationNs: Math.round(durationNs),
  }));
  const known = seen.filter((one): one is { seenNs: number; durationNs: number } => one.seenNs !== null);
  const ends = known.length < seen.length ? null : endsByArrival(known);
  if (ends === null) return null;
  return iterations.map((iteration, index) => {
    const endNs = ends[index] ?? 0;
    return { iteration, startNs: endNs - (known[index]?.durationNs ?? 0), endNs, durationNs: null };
  });
}

/** The size of a file at a moment. */
export interface Arrival {
  readonly bytes: number;
  /** ns of CLOCK_MONOTONIC. */
  readonly ns: number;
}

/** An iteration that took longer than this cannot end in the same moment as the one before. ns. */
const togetherNs = 50e6;
/** Whoever looks may have been kept from it now and then; a program that holds lines back does so nearly always. */
const mostTogether = 0.2;

/** When the lines of a text were seen. */
export class LineArrivals {
  readonly #ends: readonly number[];
  readonly #arrivals: readonly Arrival[];

  /** `arrivals` in the order of time. */
  constructor(bytes: Uint8Array, arrivals: readonly Arrival[]) {
    const ends: number[] = [];
    for (let feed = bytes.indexOf(lineFeed); feed !== -1; feed = bytes.indexOf(lineFeed, feed + 1)) ends.push(feed + 1);
    ends.push(bytes.length);
    this.#ends = ends;
    this.#arrivals = arrivals;
  }

  /** When the end of a line, from 1, was first seen, ns; `null` = it was not. */
  of(line: number): number | null {
    const end = this.#ends[line - 1];
    if (end === undefined) return null;
    let low = 0;
    let high = this.#arrivals.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#arrivals[middle]?.bytes ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return this.#arrivals[low]?.ns ?? null;
  }
}

const lineFeed = 0x0a;

/**
 * Ends of iterations by the arrival of their lines: none before the one before has ended, as late as they were seen.
 *
 * @returns `null` when lines were held back by the program, or benchmarks took turns, so that their arrival times are of no use
 */
function endsByArrival(
  iterations: readonly { readonly seenNs: number; readonly durationNs: number }[],
): readonly number[] | null {
  const together = iterations.filter(
    ({ seenNs, durationNs }, index) => iterations[index - 1]?.seenNs === seenNs && durationNs > togetherNs,
  );
  if (together.length > mostTogether * iterations.length) return null;
  if (iterations.some(({ seenNs }, index) => seenNs < (iterations[index - 1]?.seenNs ?? 0))) return null;
  const ends: number[] = [];
  let nextStartNs = Number.POSITIVE_INFINITY;
  for (let index = iterations.length - 1; index >= 0; index--) {
    const { seenNs, durationNs } = iterations[index] ?? { seenNs: 0, durationNs: 0 };
    const end = Math.min(seenNs, nextStartNs);
    nextStartNs = end - durationNs;
    if (nextStartNs < 0) return null;
    ends.unshift(end);
  }
  return ends;
}
