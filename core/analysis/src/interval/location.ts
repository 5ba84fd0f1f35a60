import type { Ratio } from '@deadheat/model';
import { bootstrapMeans, mean, standardDeviation, studentTQuantile, studentTSf } from '@deadheat/stats';
import { bootstrapEnds, intervalName, type Ends, type IntervalOptions } from './interval-options.ts';

/** A centre of values - log ratios, or differences in ns - with an interval, and p values of the test that the interval is made of. */
export interface Location extends Ends {
  readonly estimate: number;
  readonly interval: Ratio['interval'];
  /** Bootstrap replicates; 0 without resampling. */
  readonly replicates: number;
  /** One-sided p value of the hypothesis that the centre is at most `edge`: where `low` lies above it, at most (1 - confidence) / 2. */
  readonly pAtMost: (edge: number) => number;
  /** The same of the hypothesis that it is at least `edge`. */
  readonly pAtLeast: (edge: number) => number;
}

/** A mean with its standard error, as a t test needs it. */
export interface MeanError {
  readonly mean: number;
  readonly standardError: number;
  readonly degrees: number;
}

/** A location by Student's t. Without any scatter the interval is a point and p values are 0 or 1. */
export function tLocation({ mean, standardError, degrees }: MeanError, confidence: number): Location {
  const reach = standardError === 0 ? 0 : studentTQuantile((1 + confidence) / 2, degrees) * standardError;
  const beyond = (distance: number): number => {
    if (standardError === 0) return distance > 0 ? 0 : 1;
    return studentTSf(distance / standardError, degrees);
  };
  return {
    estimate: mean,
    low: mean - reach,
    high: mean + reach,
    interval: 't',
    replicates: 0,
    pAtMost: (edge) => beyond(mean - edge),
    pAtLeast: (edge) => beyond(edge - mean),
  };
}

/**
 * The same where the mean was chosen among two tests after a look at the values: p values are doubled, and the interval is the wider one that
 * belongs to them (Bonferroni's bound).
 */
export function chosenMeanLocation(error: MeanError, confidence: number): Location {
  const strict = tLocation(error, 1 - (1 - confidence) / 2);
  return {
    ...strict,
    pAtMost: (edge) => Math.min(1, 2 * strict.pAtMost(edge)),
    pAtLeast: (edge) => Math.min(1, 2 * strict.pAtLeast(edge)),
  };
}

/** The ratio whose logarithm a location is of. */
export function ratioOfLocation(log: Location, confidence: number): Ratio {
  return {
    estimate: Math.exp(log.estimate),
    low: Math.exp(log.low),
    high: Math.min(Math.exp(log.high), Number.MAX_VALUE),
    confidence,
    interval: log.interval,
    replicates: log.replicates,
  };
}

const steps = 50;
/** In the outermost replicates a bootstrap distribution says nothing. */
const fewestReplicates = 10;

/**
 * One-sided p values by the inversion of a family of intervals: the smallest tail at which the interval leaves out an edge. Below what the
 * replicates can show, the t test's p value where that is smaller still.
 *
 * @param endsAt the interval at a confidence level, of the same replicates for all levels.
 */
export function invertIntervals(
  endsAt: (confidence: number) => Ends,
  options: { readonly confidence: number; readonly replicates: number; readonly t: Location },
): Pick<Location, 'pAtMost' | 'pAtLeast'> {
  const { confidence, replicates, t } = options;
  const least = Math.min((1 - confidence) / 2, fewestReplicates / replicates);
  /** The smallest tail at which an end excludes the edge; `null` where none below one half does. */
  const smallestTail = (excludes: (ends: Ends) => boolean): number | null => {
    if (excludes(endsAt(1 - 2 * least))) return least;
    let low = Math.log(least);
    let high = Math.log(0.5 - 1e-9);
    if (!excludes(endsAt(1 - 2 * Math.exp(high)))) return null;
    for (let step = 0; step < steps; step++) {
      const middle = (low + high) / 2;
      if (excludes(endsAt(1 - 2 * Math.exp(middle)))) high = middle;
      else low = middle;
    }
    return Math.exp(high);
  };
  const pOf = (edge: number, side: 'low' | 'high', far: number): number => {
    const lies = (end: 'low' | 'high') => (ends: Ends) => (end === 'low' ? ends.low > edge : ends.high < edge);
    const tail = smallestTail(lies(side));
    if (tail !== null) return tail === least ? Math.min(least, far) : tail;
    return 1 - (smallestTail(lies(side === 'low' ? 'high' : 'low')) ?? 0.5);
  };
  return {
    pAtMost: (edge) => pOf(edge, 'low', t.pAtMost(edge)),
    pAtLeast: (edge) => pOf(edge, 'high', t.pAtLeast(edge)),
  };
}

/**
 * The mean of independent units by the kind of interval that was asked for, with p values by the inversion of the same replicates.
 *
 * @param units at least two values.
 * @param options.kind `t` or a kind of bootstrap.
 * Source: as `meanInterval`.
 */
export function meanLocation(units: Float64Array, options: IntervalOptions): Location {
  const { kind, confidence, replicates, random } = options;
  const n = units.length;
  if (n < 2) throw new RangeError(`an interval needs at least 2 values, got ${n}`);
  const centre = mean(units);
  const t = tLocation(
    { mean: centre, standardError: standardDeviation(units) / Math.sqrt(n), degrees: n - 1 },
    confidence,
  );
  if (kind === 't') return t;
  const means = bootstrapMeans(units, { replicates, random });
  const endsAt = (level: number): Ends =>
    bootstrapEnds(means, { kind, confidence: level, units: n, bca: () => ({ sample: units }) });
  const { low, high } = endsAt(confidence);
  return {
    estimate: centre,
    low,
    high,
    interval: intervalName(kind),
    replicates,
    ...invertIntervals(endsAt, { confidence, replicates, t }),
  };
}
