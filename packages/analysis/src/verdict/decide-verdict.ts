import { decidingInterval, type Comparison, type Outlook, type Ratio, type Verdict } from '@deadheat/model';
import { minimalDetectableRatio, studentTSf } from '@deadheat/stats';

/**
 * What an interval of the ratio B / A says about B.
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
export const decideVerdict = (interval: { readonly low: number; readonly high: number }, margin: number): Verdict => {
  const { low, high } = interval;
  if (!(margin >= 0)) throw new RangeError(`margin must be at least 0, got ${margin}`);
  if (!(low <= high)) throw new RangeError(`low must be at most high, got ${low} and ${high}`);
  const slowest = 1 + margin;
  const fastest = 1 / slowest;
  if (low > slowest) return 'slower';
  if (high < fastest) return 'faster';
  if (margin === 0 || (low >= fastest && high <= slowest)) return 'dead-heat';
  return 'undecided';
};

/** The larger distance between an estimate and an end of its interval, relative to the estimate: 0.005 = 0.5 %. */
export const relativeHalfWidth = ({ estimate, low, high }: Pick<Ratio, 'estimate' | 'low' | 'high'>): number =>
  Math.max(high - estimate, estimate - low) / estimate;

/** That of the interval that decides a comparison. What `--precision` is held against. */
export const halfWidth = (comparison: Pick<Comparison, 'ratio' | 'sequential' | 'decidedBy'>): number =>
  relativeHalfWidth(decidingInterval(comparison));

const POWER = 0.8;

/**
 * The smallest true slowdown of B that an experiment like this one would call `slower` with a probability of 80 %, where the spread is
 * known from this one alone; 0.009 = 0.9 %.
 * Where two units scatter so widely that no slowdown would do, the largest double.
 *
 * @param spread.standardDeviation of the units' log ratios, >= 0.
 * @param spread.units number of units, at least two.
 */
export const minimalDetectableSlowdown = (spread: {
  readonly standardDeviation: number;
  readonly units: number;
  readonly confidence: number;
  readonly margin: number;
}): number => {
  const { standardDeviation, units, confidence, margin } = spread;
  const ratio = minimalDetectableRatio({
    standardDeviation,
    n: units,
    confidence,
    power: POWER,
    margin,
    spread: 'estimated',
  });
  return Math.min(ratio - 1, Number.MAX_VALUE);
};

/** A log ratio B / A as far as a t test needs it. */
interface LogRatioError {
  readonly logRatio: number;
  readonly standardError: number;
  readonly degrees: number;
}

/**
 * One-sided p values of the t tests against the hypotheses that B takes at most 1 + margin times as long as A, and at least
 * 1 / (1 + margin) times, each in [0, 1]. At a confidence level c the t interval of the ratio lies above the margin exactly
 * where `slower` is below (1 - c) / 2. Without any scatter they are 0 or 1.
 */
export const pValues = ({ logRatio, standardError, degrees }: LogRatioError, margin: number): Comparison['pValues'] => {
  const beyond = (distance: number): number => {
    if (standardError === 0) return distance > 0 ? 0 : 1;
    return studentTSf(distance / standardError, degrees);
  };
  return { slower: beyond(logRatio - Math.log1p(margin)), faster: beyond(-logRatio - Math.log1p(margin)) };
};

/** More runs than this are no advice. */
const MOST_RUNS = 1_000_000;

/**
 * How many more runs would decide, if the estimate stays where it is and the interval narrows with the square root of the
 * number of runs: its half-width must fall below the distance to the nearer edge of the margin, on the log scale.
 *
 * @param facts.runs runs in the interval.
 * @param facts.timeNsPerRun what a run cost, ns.
 * @param facts.step runs come in multiples of this: 2 where two runs that traded cores are one unit.
 * @returns `null` unless the verdict is `undecided`, and when the estimate lies so close to the edge that no feasible
 *   number of runs would decide.
 */
export const planOutlook = (
  ratio: { readonly estimate: number; readonly low: number; readonly high: number },
  facts: {
    readonly verdict: Verdict;
    readonly margin: number;
    readonly runs: number;
    readonly timeNsPerRun: number;
    readonly step: number;
  },
): Outlook | null => {
  if (facts.verdict !== 'undecided') return null;
  const halfWidth = (Math.log(ratio.high) - Math.log(ratio.low)) / 2;
  const distance = Math.abs(Math.abs(Math.log(ratio.estimate)) - Math.log1p(facts.margin));
  const needed = facts.runs * (halfWidth / distance) ** 2;
  if (!(needed <= MOST_RUNS)) return null;
  const moreRuns = Math.max(1, Math.ceil((needed - facts.runs) / facts.step)) * facts.step;
  return { moreRuns, moreTimeNs: moreRuns * facts.timeNsPerRun };
};
