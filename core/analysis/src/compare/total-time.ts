import type { Comparison, Interval, Side, Verdict, Warning } from '@deadheat/model';
import { mean, standardDeviation } from '@deadheat/stats';
import { type Location, tLocation } from '../interval/location.ts';
import { dependenceOf, dependentError } from '../interval/rank-location.ts';
import { totalLogRatios, type RunMeans } from '../pairing/paired-ratios.ts';
import { unitMeans, weightedUnits } from '../units/resampling-units.ts';
import { deadHeatBound } from '../verdict/decide-verdict.ts';
import type { SlowNowAndThen } from '../warnings/slow-now-and-then.ts';

/**
 * Logarithm of the ratio B / A of the mean times of the runs, which is that of the total times of equally many runs, with Student's t interval over the
 * units of `totalLogRatios`.
 *
 * @param members the runs of each unit, at least two units.
 * @returns `null` where a side's mean is 0, as that of a resource may be.
 */
export function totalOfPairs(
  { A, B }: RunMeans,
  { members, confidence }: { readonly members: readonly (readonly number[])[]; readonly confidence: number },
): Location | null {
  if (!(mean(A) > 0 && mean(B) > 0)) return null;
  const log = Math.log(mean(B) / mean(A));
  const influence = totalLogRatios({ A, B }).map((value) => value - log);
  const means = unitMeans(influence, members);
  const weighted = weightedUnits(influence, members, means);
  const n = weighted.length;
  const error = { mean: log, standardError: standardDeviation(weighted) / Math.sqrt(n), degrees: n - 1 };
  return tLocation(dependentError(error, dependenceOf(means)), confidence);
}

/**
 * One-sided p value up to which a total time beyond the bound opposes a dead heat. A single far run among equal ones has a t statistic of 1
 * however far it is (p 0.16), and may be a disturbance; two have 1.41 (p 0.08).
 */
const leaningLevel = 0.12;

/**
 * The quantity that does not decide where it does not bear the verdict of the other out: of a difference, its estimate lies on the other
 * side by more than the margin, or, by its interval, may lie there where the side that is called faster was slow now and then, or once by far; of a dead
 * heat, its estimate lies beyond the bound by more than a single run makes of it.
 *
 * @param judged.other on the log scale.
 */
export function oppositionOf(
  judged: {
    readonly verdict: Verdict;
    readonly other: Pick<Location, 'estimate' | 'low' | 'high' | 'pAtMost' | 'pAtLeast'> | null;
    readonly slow: SlowNowAndThen | null;
    readonly slowOnce: Side | null;
  },
  margin: number,
): Comparison['opposition'] {
  const { verdict: found, other: log, slow, slowOnce } = judged;
  if (log === null || found === 'undecided') return null;
  const { estimate, low, high } = log;
  const other = found === 'faster' || (found === 'dead-heat' && estimate > 0) ? 'slower' : 'faster';
  const [end, opposite, isSure] =
    other === 'slower' ? ([high, estimate, low > 0] as const) : ([low, -estimate, high < 0] as const);
  const byEstimate = { found, other, by: 'estimate', ratio: Math.exp(estimate) } as const;
  const byInterval = { found, other, by: 'interval', ratio: Math.min(Math.exp(end), Number.MAX_VALUE) } as const;
  if (found === 'dead-heat') {
    const p = other === 'slower' ? log.pAtMost(0) : log.pAtLeast(0);
    if (opposite <= Math.log1p(deadHeatBound(margin)) || p > leaningLevel) return null;
    return isSure ? byEstimate : byInterval;
  }
  const edge = Math.log1p(margin);
  if (opposite > edge) return byEstimate;
  const mayLieThere = (other === 'slower' ? end : -end) > edge;
  return (slow?.slower ?? slowOnce) === (found === 'faster' ? 'B' : 'A') && mayLieThere ? byInterval : null;
}

/** A ratio as a signed difference in percent. */
export function percentChange(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change < 0 ? '' : '+'}${change.toFixed(Math.abs(change) < 10 ? 1 : 0)} %`;
}

/** TYPICAL_AND_TOTAL_DIFFER: most runs say one thing and the total time says another, or may. */
export function totalDiffers({
  opposition,
  judge,
  decides,
  total,
  typical,
}: Pick<Comparison, 'opposition' | 'judge' | 'total' | 'typical'> & { readonly decides: Interval }): Warning[] {
  const beside = judge === 'total' ? typical : total;
  if (opposition === null || beside === null) return [];
  const { found, other, by } = opposition;
  const [estimate, low, high] = [beside.estimate, beside.low, beside.high].map(percentChange);
  const [here, there, what] =
    judge === 'total'
      ? ['in sum', 'in most runs', 'the ratio of typical runs']
      : ['in most runs', 'in sum', 'the ratio of the mean times'];
  return [
    {
      code: 'TYPICAL_AND_TOTAL_DIFFER',
      message:
        `B is ${found === 'dead-heat' ? 'as fast as A' : found} ${here} (${percentChange(decides.estimate)}) and ` +
        `${by === 'interval' ? 'may be ' : ''}${other} ${there}: ${what} is ${estimate} [${low} … ${high}], so neither is ` +
        'claimed; look at what the slow runs do, and whether a typical run or the total time matters',
    },
  ];
}
