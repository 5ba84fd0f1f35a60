import type { MeasuredRun, Metric } from '@deadheat/model';
import { createRandom, hierarchicalBootstrap, type Random } from '@deadheat/stats';

/** Invocations of one iteration that are known as a histogram: `counts[i]` invocations took `values[i]`. */
export interface InvocationHistogram {
  readonly values: ArrayLike<number>;
  /** Whole numbers >= 0, one for each value; at least one above 0. */
  readonly counts: ArrayLike<number>;
}

/**
 * Times of one iteration: the time of every invocation, their histogram, or a single time (the mean over its invocations, where no more
 * is known). Any unit, the same for all iterations; finite and not negative.
 */
export type IterationSample = number | ArrayLike<number> | InvocationHistogram;

const meansOfBatch = 256;

/**
 * An iteration as the criteria see it: its drawn invocations without outliers, ascending, with their mean and sum of squared deviations.
 *
 * Means of resamples of its invocations are drawn when first asked for and kept: the hierarchical bootstrap of every set of iterations
 * that this one is part of takes them from here, each only once in one bootstrap, so that an iteration is resampled once and not at
 * every look.
 */
export class PreparedIteration {
  /** All that is known of its invocations. */
  readonly sample: IterationSample;
  readonly sorted: Float64Array;
  readonly mean: number;
  readonly squares: number;
  readonly #stream: string;
  readonly #resampled: Float64Array[] = [];
  #random: Random | null = null;
  #used = 0;

  /** @param stream names the random stream of this iteration alone. @throws RangeError as `drawInvocations`. */
  constructor(
    sample: IterationSample,
    { sampleSize, stream }: { readonly sampleSize: number; readonly stream: string },
  ) {
    this.#stream = stream;
    this.sample = sample;
    const drawn = drawInvocations(sample, sampleSize, () => this.#source());
    this.sorted = dropOutliers(drawn.sort());
    ({ mean: this.mean, squares: this.squares } = momentsOf(this.sorted));
  }

  get size(): number {
    return this.sorted.length;
  }

  /** True if all its invocations took the same time. */
  get isConstant(): boolean {
    return this.sorted[0] === this.sorted[this.sorted.length - 1];
  }

  /** Begins a new bootstrap, which may use every kept mean once. */
  rewind(): void {
    this.#used = 0;
  }

  /** The mean of the next resample of the invocations. */
  resampledMean(): number {
    if (this.isConstant) return this.mean;
    const batch = Math.floor(this.#used / meansOfBatch);
    if (batch === this.#resampled.length) {
      this.#resampled.push(hierarchicalBootstrap(this.sorted, { replicates: meansOfBatch, random: this.#source() }));
    }
    return this.#resampled[batch]![this.#used++ % meansOfBatch]!;
  }

  #source(): Random {
    return (this.#random ??= createRandom(this.#stream));
  }
}

/** Number, mean and sum of squared deviations from it. */
export function momentsOf(values: Float64Array): {
  readonly size: number;
  readonly mean: number;
  readonly squares: number;
} {
  const size = values.length;
  let sum = 0;
  for (const value of values) sum += value;
  const centre = sum / size;
  let squares = 0;
  let rest = 0;
  for (const value of values) {
    squares += (value - centre) ** 2;
    rest += value - centre;
  }
  // The rest of the mean that rounding removed.
  return { size, mean: centre + rest / size, squares: Math.max(0, squares - rest ** 2 / size) };
}

function isHistogram(sample: ArrayLike<number> | InvocationHistogram): sample is InvocationHistogram {
  return 'values' in sample && 'counts' in sample;
}

function checkTime(value: number): number {
  if (!(value >= 0 && value < Infinity)) {
    throw new RangeError(`the times of an iteration must be finite and not negative, got ${value}`);
  }
  return value;
}

/** Running totals of the counts; the last is the number of invocations. */
export function totalsOf({ values, counts }: InvocationHistogram): Float64Array {
  if (values.length !== counts.length) {
    throw new RangeError(`a histogram needs a count for each of ${values.length} values, got ${counts.length}`);
  }
  const totals = new Float64Array(values.length);
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    const count = counts[i]!;
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new RangeError(`counts[${i}] must be a whole number of at least 0, got ${count}`);
    }
    total += count;
    totals[i] = total;
  }
  if (total === 0) throw new RangeError('an iteration needs at least 1 invocation, got 0');
  return totals;
}

/** Place of the first total above `draw`. */
export function placeOf(totals: Float64Array, draw: number): number {
  let low = 0;
  let high = totals.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (totals[middle]! > draw) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The invocations of an iteration, or where there are more than `size`, so many of them drawn with replacement, each value as likely as
 * it is frequent.
 *
 * @throws RangeError for an empty iteration, times that are negative or not finite, counts that are not whole numbers.
 * Source: FSE'20, section 5.3.2, item 1 (it draws from short iterations as well, which would only add noise). O(values + size log values).
 */
function drawInvocations(sample: IterationSample, size: number, random: () => Random): Float64Array {
  if (typeof sample === 'number') return Float64Array.of(checkTime(sample));
  if (!isHistogram(sample)) {
    if (sample.length === 0) throw new RangeError('an iteration needs at least 1 invocation, got 0');
    if (sample.length <= size) return Float64Array.from(sample, checkTime);
    const stream = random();
    return Float64Array.from({ length: size }, () => checkTime(sample[stream.int(sample.length)]!));
  }
  const { values, counts } = sample;
  const totals = totalsOf(sample);
  const total = totals[totals.length - 1]!;
  if (total <= size) {
    const out = new Float64Array(total);
    for (let i = 0; i < values.length; i++) out.fill(checkTime(values[i]!), totals[i]! - counts[i]!, totals[i]);
    return out;
  }
  const stream = random();
  return Float64Array.from({ length: size }, () => checkTime(values[placeOf(totals, stream.int(total))]!));
}

/**
 * The values, ascending, without those more than ten times above or below their median. With a median of 0 nothing is ten times as
 * large, and all stay.
 *
 * @param sorted at least one value, ascending, not negative.
 * Source: FSE'20, section 5.3.1, item 6, both ways as its implementation does.
 */
function dropOutliers(sorted: Float64Array): Float64Array {
  const n = sorted.length;
  const median = (sorted[(n - 1) >>> 1]! + sorted[n >>> 1]!) / 2;
  if (median === 0) return sorted;
  let first = 0;
  while (sorted[first]! < median / 10) first++;
  let end = n;
  while (sorted[end - 1]! > 10 * median) end--;
  return sorted.subarray(first, end);
}

/**
 * Times of invocations in each row, ns: of wall times those that the record holds, as a list or a histogram, else the mean over as
 * many as an iteration held. Where CPU time is not recorded, wall time stands for it.
 */
export function invocationTimes(
  iterations: MeasuredRun['iterations']['A'],
  metric: Metric = 'time',
): (row: number) => IterationSample {
  const { startsNs, endsNs } = iterations;
  const invocations = iterations.metric('n');
  const cpuNs = metric === 'cpu' ? iterations.metric('c') : null;
  return (row) => {
    const times = cpuNs === null ? (iterations.invocationTimes?.(row) ?? iterations.histogram?.(row) ?? null) : null;
    if (times !== null) return times;
    const n = invocations?.[row] ?? 1;
    return (cpuNs?.[row] || endsNs[row]! - startsNs[row]!) / (n >= 1 ? n : 1);
  };
}

/**
 * The time that all measurements so far took with these, too; `null` where they differ.
 *
 * @param level of those before; NaN: there were none.
 */
export function levelWith(level: number | null, samples: readonly IterationSample[]): number | null {
  let common = level;
  for (const sample of samples) {
    if (common === null) return null;
    const times = typeof sample === 'number' ? [sample] : Array.from('counts' in sample ? sample.values : sample);
    for (const time of times) {
      if (Number.isNaN(common)) common = time;
      else if (time !== common) return null;
    }
  }
  return common;
}
