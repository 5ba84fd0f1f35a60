import type { Interval, Outlook, Verdict } from '@deadheat/model';
import { minimalDetectableRatio, normalQuantile, studentTQuantile } from '@deadheat/stats';

/**
 * Verdict on B by an interval of the ratio B / A.
 *
 * - `slower`: the whole interval lies above 1 + margin;
 * - `faster`: the whole interval lies below 1 / (1 + margin), the same distance the other way, so that naming the sides
 *   the other way round turns the verdict round;
 * - otherwise with margin 0 `dead-heat`: the interval straddles 1;
 * - otherwise `dead-heat` when the interval lies within the margin, ends included, else `undecided`.
 *
 * @param interval ends of the interval of the ratio, low <= high.
 * @param margin relative difference that does not matter, >= 0.
 * @throws RangeError for a margin below 0 or ends in the wrong order.
 * Source of the rule for margin 0: Bulej et al., ICPE'20, section 3.
 */
export function decideVerdict(interval: { readonly low: number; readonly high: number }, margin: number): Verdict {
  const { low, high } = interval;
  if (!(margin >= 0)) throw new RangeError(`margin must be at least 0, got ${margin}`);
  if (!(low <= high)) throw new RangeError(`low must be at most high, got ${low} and ${high}`);
  const slowest = 1 + margin;
  const fastest = 1 / slowest;
  if (low > slowest) return 'slower';
  if (high < fastest) return 'faster';
  if (margin === 0 || (low >= fastest && high <= slowest)) return 'dead-heat';
  return 'undecided';
}

/** The larger distance between an estimate and an end of its interval, relative to the estimate: 0.005 = 0.5 %. */
export function relativeHalfWidth({ estimate, low, high }: Pick<Interval, 'estimate' | 'low' | 'high'>): number {
  return Math.max(high - estimate, estimate - low) / estimate;
}

const powerOfPlan = 0.8;

/**
 * The smallest true slowdown of B that an experiment like this one would call `slower` with a probability of 80 %, where the spread is
 * known from this one alone; 0.009 = 0.9 %.
 * Where two units scatter so widely that no slowdown would do, the largest double.
 *
 * @param spread.standardDeviation of the units' log ratios, >= 0.
 * @param spread.units number of units, at least two.
 */
export function minimalDetectableSlowdown(spread: {
  readonly standardDeviation: number;
  readonly units: number;
  readonly confidence: number;
  readonly margin: number;
}): number {
  const { standardDeviation, units, confidence, margin } = spread;
  const ratio = minimalDetectableRatio({
    standardDeviation,
    n: units,
    confidence,
    power: powerOfPlan,
    margin,
    spread: 'estimated',
  });
  return Math.min(ratio - 1, Number.MAX_VALUE);
}

/** More runs than this are no advice. */
const mostRuns = 1_000_000;

/**
 * Number of further runs that would decide, if the estimate stays where it is and the interval narrows with the square root of the
 * number of runs: its half-width must fall below the distance to the nearer edge of the margin, on the log scale.
 *
 * @param facts.runs runs in the interval.
 * @param facts.timeNsPerRun what a run cost, ns.
 * @param facts.step runs come in multiples of this: 2 where two runs that traded cores are one unit.
 * @returns `null` unless the verdict is `undecided`, and when the estimate lies so close to the edge that no feasible
 *   number of runs would decide.
 */
export function planOutlook(
  ratio: { readonly estimate: number; readonly low: number; readonly high: number },
  facts: {
    readonly verdict: Verdict;
    readonly margin: number;
    readonly runs: number;
    readonly timeNsPerRun: number;
    readonly step: number;
  },
): Outlook | null {
  if (facts.verdict !== 'undecided') return null;
  const halfWidth = (Math.log(ratio.high) - Math.log(ratio.low)) / 2;
  const distance = Math.abs(Math.abs(Math.log(ratio.estimate)) - Math.log1p(facts.margin));
  const needed = facts.runs * (halfWidth / distance) ** 2;
  if (!(needed <= mostRuns)) return null;
  return moreRuns(needed, facts);
}

/** Runs in addition to those that were made, so that there are `needed` in all; `null` where nobody knows how many are needed. */
export function moreRuns(
  needed: number | null,
  made: { readonly runs: number; readonly step: number; readonly timeNsPerRun: number },
): Outlook | null {
  if (needed === null) return null;
  const count = Math.max(1, Math.ceil((needed - made.runs) / made.step)) * made.step;
  return { moreRuns: count, moreTimeNs: count * made.timeNsPerRun };
}

/**
 * True if an experiment would have seen a difference of `bound`: a slowdown of that size would have been found in 4 of 5 such
 * experiments, and the interval lies between 1 / (1 + bound) and 1 + bound. Without that a dead heat would only say that there was
 * little to see.
 */
export function seesDifference(
  { low, high }: { readonly low: number; readonly high: number },
  { detectable, bound }: { readonly detectable: () => number; readonly bound: number | null },
): boolean {
  if (bound === null) return true;
  return low >= 1 / (1 + bound) && high <= 1 + bound && detectable() <= bound;
}

/**
 * Largest distance that an interval may reach to each side of its estimate, on the log scale, so that without a margin there is a verdict: it
 * excludes 1, or lies within the bound and is narrow enough to have found a slowdown of the bound in 4 of 5 experiments.
 */
export function reachToDecide(
  logRatio: number,
  { bound, confidence }: { readonly bound: number | null; readonly confidence: number },
): number {
  const distance = Math.abs(logRatio);
  if (bound === null) return distance;
  const edge = Math.log1p(bound);
  const critical = normalQuantile((1 + confidence) / 2);
  return Math.max(distance, Math.min(edge - distance, (edge * critical) / (critical + normalQuantile(powerOfPlan))));
}

/**
 * The smallest number of units whose t interval reaches no further than `reach` to each side.
 *
 * @param spread.standardDeviation of the units' log ratios, >= 0.
 * @param spread.atLeast the smallest number that is considered, at least two.
 * @returns `null` for more than a million.
 */
export function unitsUntil(
  reach: number,
  spread: { readonly standardDeviation: number; readonly confidence: number; readonly atLeast: number },
): number | null {
  const { standardDeviation, confidence, atLeast } = spread;
  const enough = (units: number): boolean =>
    (studentTQuantile((1 + confidence) / 2, units - 1) * standardDeviation) / Math.sqrt(units) <= reach;
  return smallestCount(enough, atLeast);
}

/** The smallest number, `atLeast` or larger, that is enough, as then every larger one is; `null` for more than a million. */
export function smallestCount(enough: (count: number) => boolean, atLeast: number): number | null {
  let high = atLeast;
  if (enough(high)) return high;
  let low = high;
  while (!enough(high)) {
    if (high >= mostRuns) return null;
    low = high;
    high = Math.min(mostRuns, high * 2);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
