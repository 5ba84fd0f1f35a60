import { DynamicReconfiguration, paperConfig } from '@deadheat/analysis';

/** Where a run is warm: what comes later is not warm-up. */
export interface WarmupPoint {
  /** Iterations that begin before it, >= 1. */
  readonly iterations: number;
  /** Time from the start of the first iteration, ns. */
  readonly timeNs: number;
}

/** The iterations of one benchmark in one run, in the order in which they were made; at least one. */
export interface IterationTimes {
  /** Start of each, ns of any one clock, ascending. */
  readonly startsNs: ArrayLike<number>;
  /** End of each, ns of the same clock; none before its start. */
  readonly endsNs: ArrayLike<number>;
}

/** The point at the end of iteration `last`. */
function pointAfter({ startsNs, endsNs }: IterationTimes, last: number): WarmupPoint {
  return {
    iterations: last + 1,
    timeNs: endsNs[last]! - startsNs[0]!,
  };
}

/** Time per iteration. @throws RangeError for no iterations, columns of different length, an end before its start. */
export function durationsOf({ startsNs, endsNs }: IterationTimes): Float64Array {
  if (startsNs.length === 0 || startsNs.length !== endsNs.length) {
    throw new RangeError(`a run needs as many ends as starts, at least 1, got ${startsNs.length} and ${endsNs.length}`);
  }
  return Float64Array.from(startsNs, (start, i) => {
    const duration = endsNs[i]! - start;
    if (!(duration >= 0)) throw new RangeError(`iteration ${i} ends ${-duration} ns before it starts`);
    return duration;
  });
}

/** What is asked whether times are stable: of one value an iteration the criterion `kld` would have to compare densities of five values. */
export type WarmupCriterion = 'cv' | 'rciw';

export const warmupCriteria: readonly WarmupCriterion[] = ['cv', 'rciw'];

export interface StabilityOptions {
  readonly criterion: WarmupCriterion;
  /** What resampling draws from. */
  readonly seed: string;
}

/**
 * The iteration at which dynamic reconfiguration would have ended warm-up, by one criterion, with the thresholds, window and least number
 * of iterations of the paper but without its limit of 50; `null` when the criterion never says stable. An iteration counts as recorded,
 * however short, and as one value.
 *
 * @throws RangeError as `durationsOf`.
 * Source: Laaber et al., FSE'20, section 4 and 5.3.2.
 */
export function warmupByStability(times: IterationTimes, { criterion, seed }: StabilityOptions): WarmupPoint | null {
  const durations = durationsOf(times);
  const wiMax = Math.max(durations.length, paperConfig.wiMin) + 1;
  const live = new DynamicReconfiguration({ criteria: [criterion], seed, config: { wiMax } });
  live.beginFork();
  for (const [i, duration] of durations.entries()) {
    if (live.observe(duration).next === 'measure') return pointAfter(times, i);
  }
  return null;
}

/** When times count as settled. */
export interface VariationOptions {
  /** Subsequent iterations that are looked at together, >= 2, default 10. */
  readonly window?: number;
  /** The coefficient of variation must lie below it; above 0, default 0.02. */
  readonly threshold?: number;
}

function variation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return squares === 0 ? 0 : Math.sqrt(squares / (values.length - 1)) / mean;
}

/**
 * The end of the first window of subsequent iterations whose times vary by less than a threshold: standard deviation (of n - 1) over
 * mean. The whole window counts as warm-up, since only at its end is it known; `null` when no window settles.
 *
 * @throws RangeError for options out of range, and as `durationsOf`.
 * Source: Georges et al., OOPSLA'07, with the window and threshold of Antoch et al., OOPSLA'26, section 6.1.
 */
export function warmupByVariation(
  times: IterationTimes,
  { window = 10, threshold = 0.02 }: VariationOptions = {},
): WarmupPoint | null {
  if (!(Number.isSafeInteger(window) && window >= 2)) {
    throw new RangeError(`window must be an integer >= 2, got ${window}`);
  }
  if (!(threshold > 0 && threshold < Infinity)) throw new RangeError(`threshold must be above 0, got ${threshold}`);
  const durations = durationsOf(times);
  for (let end = window; end <= durations.length; end++) {
    if (variation(durations.subarray(end - window, end)) < threshold) return pointAfter(times, end - 1);
  }
  return null;
}
