import { shuffle, type Random } from '@deadheat/stats';
import { at, overlaps, type TimeSpan } from '@deadheat/analysis';

/** Positions of two iterations that belong together, A's and B's. */
export interface IterationPair {
  readonly a: number;
  readonly b: number;
}

/**
 * One run as a test for a change sees it: the times of both sides' iterations, and which of them belong together. Tests remember
 * what they made of a run, so its arrays must not change afterwards.
 */
export interface PairedRun {
  /** Times in any one unit, above 0. */
  readonly A: ArrayLike<number>;
  readonly B: ArrayLike<number>;
  /** Places in `A` and `B`; an iteration may be in several pairs, or in none. */
  readonly pairs: readonly IterationPair[];
}

/** When the iterations of one run ran, side by side. An iteration of a recording is a span. */
export interface SpansOfRun {
  readonly A: readonly TimeSpan[];
  readonly B: readonly TimeSpan[];
}

/**
 * Pairs the times of one run by their places, the first of A with the first of B; what one side has more stays without a
 * partner.
 *
 * Source: Drozdik 2023, section 4.3.2, for sequential runs and synchronous duets.
 */
export function pairTimes(run: Pick<PairedRun, 'A' | 'B'>): PairedRun {
  return {
    A: run.A,
    B: run.B,
    pairs: Array.from({ length: Math.min(run.A.length, run.B.length) }, (_, place) => ({ a: place, b: place })),
  };
}

/** The thesis settled on it (section 5.2.3). */
const usualMinimumRate = 0.4;

/** Which iterations of the sides belong together. */
export interface PairingOptions {
  /** `place`: the first with the first, as in `sync-duet` and `sequential`; `overlap`: as in `async-duet`. */
  readonly by: 'place' | 'overlap';
  /** For `overlap`: pairs need a higher rate; default 0.4. */
  readonly minimumRate?: number;
}

function timesOf(spans: readonly TimeSpan[]): Float64Array {
  return Float64Array.from(spans, ({ s, e }) => e - s);
}

/**
 * The times and the pairs of one run of iterations with start and end, in the unit of the spans.
 *
 * @throws AnalysisError as `overlaps`.
 * Source: Drozdik 2023, section 4.3.2 and equation 4.1.
 */
export function pairSpans(run: SpansOfRun, options: PairingOptions): PairedRun {
  const times = { A: timesOf(run.A), B: timesOf(run.B) };
  if (options.by === 'place') return pairTimes(times);
  const found = overlaps(run.A, run.B, { minimumRate: options.minimumRate ?? usualMinimumRate });
  return { ...times, pairs: found.map(({ a, b }) => ({ a, b })) };
}

/** The run with B called A and A called B. */
export function swapSides(run: PairedRun): PairedRun {
  return {
    A: run.B,
    B: run.A,
    pairs: run.pairs.map(({ a, b }) => ({ a: b, b: a })),
  };
}

/** Deals the sides of all runs into new runs at random, paired by place: for sides that never ran together. */
export function regroupSides(runs: readonly PairedRun[], random: Random): PairedRun[] {
  const sides = shuffle(
    runs.flatMap(({ A, B }) => [A, B]),
    random,
  );
  return runs.map((_, r) => pairTimes({ A: at(sides, 2 * r), B: at(sides, 2 * r + 1) }));
}

/**
 * The iterations of one run as they would have been, had each taken `factor` times as long: durations grow, the gaps between
 * iterations stay, so every start moves by the delay that has gathered before it. The first start stays.
 *
 * @param iterations one after the other, any unit of time.
 * @param factor 1.05 makes them take 5 % longer, 0.95 shorter; finite and above 0.
 * @returns start and end alone: CPU time and counters of an iteration say nothing about a slowdown that did not happen.
 * @throws RangeError for another factor.
 * Source: Drozdik 2023, section 4.4.
 */
export function slowDown(iterations: readonly TimeSpan[], factor: number): TimeSpan[] {
  if (!(factor > 0 && factor < Infinity)) throw new RangeError(`factor must be finite and above 0, got ${factor}`);
  let before: { readonly measured: TimeSpan; readonly moved: TimeSpan } | null = null;
  return iterations.map((measured) => {
    // Built from the gap, not from the summed delay: rounding then never makes neighbours overlap.
    const s: number = before === null ? measured.s : before.moved.e + (measured.s - before.measured.e);
    const moved = { s, e: s + (measured.e - measured.s) * factor };
    before = { measured, moved };
    return moved;
  });
}
