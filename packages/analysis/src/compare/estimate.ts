import type { Comparison, Ratio } from '@deadheat/model';
import type { LogRatioError } from '../verdict/p-values.ts';

/** One metric's ratio and what else follows from the same times. */
export interface Estimate {
  readonly ratio: Ratio;
  readonly difference: () => Comparison['difference'];
  /** As `Comparison.pairingGain`. */
  readonly pairingGain: () => number | null;
  /** Standard deviation of the units' log ratios; where sides are drawn by themselves, as if the ratio came from units. */
  readonly standardDeviation: number;
  /** The log ratio and its standard error, for a t test. */
  readonly logError: LogRatioError;
  /** Mean log ratio of every unit. */
  readonly unitLogRatios: Float64Array;
  /** Mean difference B - A of every unit, ns; for duets of the paired times. */
  readonly unitDifferencesNs: () => Float64Array;
}
