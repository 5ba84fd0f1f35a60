import type { Interval, Verdict, Warning } from '@deadheat/model';
import { mean, standardDeviation } from '@deadheat/stats';
import { at } from '../internal/lists.ts';
import { ratioOfLocation, tLocation } from '../interval/location.ts';
import { effectiveDegrees, inflationOf } from '../interval/rank-location.ts';
import { unitMeans, weightedUnits } from '../units/resampling-units.ts';
import type { SlowNowAndThen } from '../warnings/slow-now-and-then.ts';

/** Mean times of both sides in every run. */
interface RunMeans {
  readonly A: Float64Array;
  readonly B: Float64Array;
}

/**
 * Ratio B / A of the mean times of the runs, which is that of the total times of equally many runs, with Student's t interval over the
 * units on the log scale by the delta method: the influence of a run is b / mean(b) - a / mean(a), so that what disturbs both sides of a
 * run alike cancels.
 *
 * @param members the runs of each unit, at least two units.
 * @returns `null` where a side's mean is 0, as that of a resource may be.
 */
export function totalOfPairs(
  { A, B }: RunMeans,
  { members, confidence }: { readonly members: readonly (readonly number[])[]; readonly confidence: number },
): Interval | null {
  const means = { A: mean(A), B: mean(B) };
  if (!(means.A > 0 && means.B > 0)) return null;
  const influence = B.map((value, r) => value / means.B - at(A, r) / means.A);
  const weighted = weightedUnits(influence, members);
  const inflation = inflationOf(unitMeans(influence, members));
  const n = weighted.length;
  const standardError = Math.sqrt(inflation / n) * standardDeviation(weighted);
  const error = { mean: Math.log(means.B / means.A), standardError, degrees: effectiveDegrees(n - 1, inflation) };
  return ratioOfLocation(tLocation(error, confidence), confidence);
}

/** What the total time has to say to a verdict. */
interface Judged {
  readonly verdict: Verdict;
  /** The interval that decides. */
  readonly decides: Interval;
  readonly total: Interval | null;
  readonly slow: SlowNowAndThen | null;
}

/**
 * True if the total time does not bear a difference of typical runs out: its estimate lies on the other side by more than the margin, or,
 * by its interval, may lie there where the side that is called faster was slow now and then.
 */
export function isOpposedByTotal({ verdict, total, slow }: Omit<Judged, 'decides'>, margin: number): boolean {
  if (total === null) return false;
  const edge = 1 + margin;
  if (verdict === 'slower') return total.estimate < 1 / edge || (slow?.slower === 'A' && total.low < 1 / edge);
  if (verdict === 'faster') return total.estimate > edge || (slow?.slower === 'B' && total.high > edge);
  return false;
}

function percentChange(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change < 0 ? '' : '+'}${change.toFixed(Math.abs(change) < 10 ? 1 : 0)} %`;
}

/** TYPICAL_AND_TOTAL_DIFFER: most runs say one thing and the total time says another, or may. */
export function totalDiffers({ verdict, decides, total }: Omit<Judged, 'slow'>): Warning[] {
  if (total === null) return [];
  const [inSum, isOther] = verdict === 'slower' ? ['faster', total.estimate < 1] : ['slower', total.estimate > 1];
  const [estimate, low, high] = [total.estimate, total.low, total.high].map(percentChange);
  return [
    {
      code: 'TYPICAL_AND_TOTAL_DIFFER',
      message:
        `B is ${verdict} in most runs (${percentChange(decides.estimate)}) and ${isOther ? '' : 'may be '}${inSum} in sum: the ratio of the mean ` +
        `times is ${estimate} [${low} … ${high}], so neither is claimed; look at what the slow runs do, and whether a typical run or the total time matters`,
    },
  ];
}
