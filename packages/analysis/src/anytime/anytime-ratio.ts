import type { Ratio } from '@deadheat/model';
import { settleValues } from './settle-values.ts';
import { anytimeMeanInterval, anytimeTCritical, type AnytimeInterval } from '@deadheat/stats';

/** A ratio B / A with an interval that holds its level at every look, and what it was made of. */
export interface AnytimeRatio extends Pick<Ratio, 'estimate' | 'low' | 'high' | 'confidence'> {
  /** The same on the log scale. */
  readonly log: AnytimeInterval;
}

/** Everything as if the standard deviation were larger. */
const widen = (log: AnytimeInterval, inflation: number): AnytimeInterval => {
  if (inflation === 1) return log;
  const factor = Math.sqrt(inflation);
  return {
    ...log,
    standardDeviation: log.standardDeviation * factor,
    low: log.mean - (log.mean - log.low) * factor,
    high: log.mean + (log.high - log.mean) * factor,
  };
};

/**
 * The ratio B / A of runs with an interval that holds its level however often it is looked at. It is the mean of log ratios of which
 * far ones were moved (`settleValues`), and the interval is wider where neighbours resemble each other.
 *
 * @param logRatios natural logarithm of every run's ratio, at least two.
 * @param options.conditions for sides that trade cores: whether a run had the first assignment. What differs between the
 *   cores is then no noise.
 * @returns ends 0 and the largest double before the first look that could say anything.
 * Source: as `anytimeMeanInterval`.
 */
export const anytimeRatio = (
  logRatios: ArrayLike<number>,
  options: { readonly confidence: number; readonly conditions: readonly boolean[] | null },
): AnytimeRatio => {
  const { confidence, conditions } = options;
  const { values, inflation } = settleValues(Float64Array.from(logRatios), conditions);
  const log = widen(
    anytimeMeanInterval(values, { confidence, ...(conditions === null ? {} : { conditions }) }),
    inflation,
  );
  return {
    estimate: Math.exp(log.mean),
    low: Math.exp(log.low),
    high: Math.min(Math.exp(log.high), Number.MAX_VALUE),
    confidence,
    log,
  };
};

/** Whether there are too few runs for an interval that excludes anything. */
export const isBoundless = ({ log }: Pick<AnytimeRatio, 'log'>): boolean => log.low === -Infinity;

/**
 * How far the interval would reach to each side of the estimate with another number of runs of the same spread, without what
 * skewness adds, on the log scale.
 */
export const anytimeReach = ({ log, confidence }: Pick<AnytimeRatio, 'log' | 'confidence'>, runs: number): number => {
  const used = Math.round(log.size) - log.degrees;
  const degrees = Math.max(1, Math.round(runs) - Math.max(1, used));
  return (anytimeTCritical({ size: runs, degrees, confidence }) * log.standardDeviation) / Math.sqrt(runs);
};
