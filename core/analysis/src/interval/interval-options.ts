import type { IntervalKind, Ratio } from '@deadheat/model';
import { bcaInterval, expandedPercentileInterval, percentileInterval, type Random } from '@deadheat/stats';

/** Options of an interval of a mean. */
export interface IntervalOptions {
  readonly kind: MeanIntervalKind;
  /** Confidence level, inside (0, 1). */
  readonly confidence: number;
  /** Bootstrap replicates; unused by `t`. */
  readonly replicates: number;
  readonly random: Random;
}

/** Two ends, low <= high. */
export interface Ends {
  readonly low: number;
  readonly high: number;
}

/** A kind of interval of a mean. */
type MeanIntervalKind = Exclude<IntervalKind, 'rank'>;

/** The name of a kind of interval in a result. */
export function intervalName(kind: MeanIntervalKind): Ratio['interval'] {
  return kind === 'expanded' ? 'expanded-percentile' : kind;
}

/** Highest level that a bootstrap interval of the mean of n units can reach: it cannot leave the units' range. */
function reachOfOneSample(units: number): number {
  return 1 - 2 * 0.5 ** units;
}

/** The same for two samples of n: the interval cannot contain "no difference" when all of one lie above the other. */
function reachOfTwoSamples(units: number): number {
  let orders = 1;
  for (let k = 1; k <= units; k++) orders *= (units + k) / k;
  return 1 - 2 / orders;
}

/**
 * The kind of interval that the default can hold its promise with. A percentile interval, expanded or not, ends at the
 * extreme units: the chance that all n units lie on one side of the truth is 2 / 2^n even for a symmetric distribution, so
 * 99 % is out of reach below 8 units (95 %: below 6). There `expanded` gives way to the t interval on the log scale. A kind
 * that the user picked stays.
 *
 * @param options.samples 2 where both sides are drawn independently; n is then the smaller one's size.
 */
export function kindForUnits(
  kind: MeanIntervalKind,
  options: { readonly units: number; readonly confidence: number; readonly samples: 1 | 2 },
): MeanIntervalKind {
  const { units, confidence, samples } = options;
  if (kind !== 'expanded') return kind;
  const reach = samples === 1 ? reachOfOneSample(units) : reachOfTwoSamples(units);
  return reach < confidence ? 't' : 'expanded';
}

/**
 * The interval of a statistic from its bootstrap replicates.
 *
 * @param options.units size of the sample, or of the smaller one of two.
 * @param options.bca the estimate, or its sample, from which `bca` corrects; called for that kind alone.
 */
export function bootstrapEnds(
  replicates: Float64Array,
  options: {
    readonly kind: MeanIntervalKind;
    readonly confidence: number;
    readonly units: number;
    readonly bca: () => Parameters<typeof bcaInterval>[2];
  },
): Ends {
  const { kind, confidence, units, bca } = options;
  if (kind === 'bca') return bcaInterval(replicates, confidence, bca());
  if (kind === 'expanded') return expandedPercentileInterval(replicates, confidence, units);
  return percentileInterval(replicates, confidence);
}
