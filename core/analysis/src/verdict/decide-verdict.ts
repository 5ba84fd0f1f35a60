import type { Interval, Outlook, Verdict } from '@deadheat/model';
import { minimalDetectableRatio, normalCdf, normalQuantile, studentTQuantile } from '@deadheat/stats';

/** The bound of a dead heat where no margin is asked for: a difference that most users would call equal. */
const usualBound = 0.02;

/** The largest relative difference within which two programs are a dead heat. */
export function deadHeatBound(margin: number): number {
  return margin > 0 ? margin : usualBound;
}

/**
 * Verdict on B by an interval of the ratio B / A.
 *
 * - `slower`: the whole interval lies above 1 + margin;
 * - `faster`: the whole interval lies below 1 / (1 + margin), the same distance the other way, so that naming the sides
 *   the other way round turns the verdict round;
 * - otherwise `dead-heat` when the interval lies within the bound, ends included: the margin, or 2 % where that is 0;
 * - otherwise `undecided`.
 *
 * @param interval ends of the interval of the ratio, low <= high.
 * @param margin relative difference that does not matter, >= 0.
 * @throws RangeError for a margin below 0 or ends in the wrong order.
 * Source of a dead heat as an interval within a bound: D. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987), 657-680,
 * here with both ends at half of 1 - confidence.
 */
export function decideVerdict(interval: { readonly low: number; readonly high: number }, margin: number): Verdict {
  const { low, high } = interval;
  if (!(margin >= 0)) throw new RangeError(`margin must be at least 0, got ${margin}`);
  if (!(low <= high)) throw new RangeError(`low must be at most high, got ${low} and ${high}`);
  if (low > 1 + margin) return 'slower';
  if (high < 1 / (1 + margin)) return 'faster';
  const most = 1 + deadHeatBound(margin);
  return low >= 1 / most && high <= most ? 'dead-heat' : 'undecided';
}

/** The larger distance between an estimate and an end of its interval, relative to the estimate: 0.005 = 0.5 %. */
export function relativeHalfWidth({ estimate, low, high }: Pick<Interval, 'estimate' | 'low' | 'high'>): number {
  return Math.max(high - estimate, estimate - low) / estimate;
}

const powerOfPlan = 0.8;

/** Bisection steps. */
const halvings = 40;

/**
 * The smallest true slowdown of B that an experiment like this one would call `slower` with a probability of 80 %, where the spread is
 * known from this one alone; 0.009 = 0.9 %. The other quantity must not lie on the other side by more than the margin, so that a spread of its
 * own needs a larger slowdown.
 * Where two units scatter so widely that no slowdown would do, the largest double.
 *
 * @param spread.standardError of the deciding quantity's logarithm, >= 0.
 * @param spread.degrees its degrees of freedom, at least one.
 * @param spread.otherError standard error of the other quantity's logarithm; 0 = opposes nothing.
 */
export function minimalDetectableSlowdown(spread: {
  readonly standardError: number;
  readonly degrees: number;
  readonly otherError: number;
  readonly confidence: number;
  readonly margin: number;
}): number {
  const { standardError, degrees, otherError, confidence, margin } = spread;
  const n = degrees + 1;
  const standardDeviation = standardError * Math.sqrt(n);
  const ratio = minimalDetectableRatio({
    standardDeviation,
    n,
    confidence,
    power: powerOfPlan,
    margin,
    spread: 'estimated',
  });
  if (otherError === 0 || standardError === 0 || ratio > Number.MAX_VALUE) return Math.min(ratio - 1, Number.MAX_VALUE);
  const alone = Math.log(ratio);
  // About its 80 % the power rises like a normal distribution.
  const found = (shift: number): number =>
    normalCdf((shift - alone) / standardError + normalQuantile(powerOfPlan)) *
    normalCdf((shift + Math.log1p(margin)) / otherError);
  let [below, above] = [alone, alone + normalQuantile(0.99) * (standardError + otherError)];
  for (let step = 0; step < halvings; step++) {
    const middle = (below + above) / 2;
    if (found(middle) < powerOfPlan) below = middle;
    else above = middle;
  }
  return Math.min(Math.expm1(above), Number.MAX_VALUE);
}

/** More runs than this are no advice. */
const mostRuns = 1_000_000;

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
 * Largest distance that an interval may reach to each side of its estimate, on the log scale, so that there is a verdict: it lies beyond
 * the margin, or within the bound of a dead heat.
 */
export function reachToDecide(logRatio: number, margin: number): number {
  const distance = Math.abs(logRatio);
  return Math.max(distance - Math.log1p(margin), Math.log1p(deadHeatBound(margin)) - distance);
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
