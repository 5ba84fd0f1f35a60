import { createRandom, kldSimilarity, type Random } from '@deadheat/stats';
import type { PreparedIteration } from './prepared-iteration.ts';
import type { ResolvedStoppingOptions, StabilityCriterion } from './stopping-options.ts';

/** Unit that is added step by step: an iteration (as a fork of its own) at the end of warm-up, else the measured iterations of a fork. */
export type Step = readonly PreparedIteration[];

// With more invocations than this the densities are binned; up to it they are exact.
const binnedAbove = 500;

function sortedUnion(steps: readonly Step[]): Float64Array {
  return steps.flat().reduce<Float64Array>((union, { sorted }) => mergeSorted(union, sorted), new Float64Array(0));
}

/** Similarity of two ascending samples; `null` where the first has fewer than two values. */
export function kldOfSamples(before: Float64Array, after: Float64Array, strips: number): number | null {
  return before.length < 2
    ? null
    : kldSimilarity(after, before, { strips, sorted: true, binAbove: binnedAbove }).similarity;
}

/** Similarity before and after each step from `from` on; unions grow by merging. */
function similarities(steps: readonly Step[], from: number, strips: number): (number | null)[] {
  let before = sortedUnion(steps.slice(0, from - 1));
  return steps.slice(from - 1).map((step) => {
    const after = mergeSorted(before, sortedUnion([step]));
    const value = kldOfSamples(before, after, strips);
    before = after;
    return value;
  });
}

/**
 * The stability values sc, as the paper prints them, of the unions of the first `from`, `from` + 1, ... of all steps (equations 1 and 2): coefficient of variation,
 * relative width of the bootstrap interval, or the probability that the last step changed nothing. `null` where the probability is not
 * defined, since fewer than two invocations came before.
 *
 * @param options.stream names the random stream of these values alone.
 * Source: FSE'20, section 4.2.
 */
export function stabilityValues(
  criterion: StabilityCriterion,
  steps: readonly Step[],
  options: ResolvedStoppingOptions & { readonly from: number; readonly stream: string },
): (number | null)[] {
  const { from, strips, confidence, replicates } = options;
  if (criterion === 'kld') return similarities(steps, from, strips);
  const random = criterion === 'cv' ? null : createRandom(options.stream);
  return steps.slice(from - 1).map((_, place) => {
    const union = steps.slice(0, from + place);
    return random === null
      ? variationOf(union.flat())
      : intervalWidthOfForks(union, { confidence, replicates, random });
  });
}

interface IntervalWidthOptions {
  readonly confidence: number;
  readonly replicates: number;
  readonly random: Random;
}

const two32 = 4294967296;

/** Small uniform indices from words that were drawn in bulk; none of n is likelier than another by more than n / 2^32. */
class Chooser {
  readonly #random: Random;
  readonly #words = new Uint32Array(512);
  #at = 512;

  constructor(random: Random) {
    this.#random = random;
  }

  below(n: number): number {
    if (this.#at === this.#words.length) {
      this.#random.fill(this.#words);
      this.#at = 0;
    }
    return Math.floor((this.#words[this.#at++]! * n) / two32);
  }
}

/** Width of the interval between order statistics ceil(B a/2) and floor(B (1 - a/2)), counted from 0, over the mean. */
export function relativeWidth(
  replicates: Float64Array,
  { centre, confidence }: { readonly centre: number; readonly confidence: number },
): number {
  const sorted = replicates.sort();
  const tail = (1 - confidence) / 2;
  const last = sorted.length - 1;
  // Rounding must not push a whole number over the next one: 1000 * (1 - 0.99) / 2 is 5.000000000000004.
  const low = sorted[Math.min(last, Math.ceil(sorted.length * tail - 1e-9))]!;
  const high = sorted[Math.min(last, Math.floor(sorted.length * (1 - tail) + 1e-9))]!;
  return high > low ? (high - low) / centre : 0;
}

function meanOf(iterations: readonly PreparedIteration[]): number {
  const size = iterations.reduce((total, one) => total + one.size, 0);
  return iterations.reduce((total, one) => total + (one.mean * one.size) / size, 0);
}

/**
 * Relative width of the bootstrap interval of the mean: (upper - lower) / mean, >= 0; resampled are forks, in each its iterations, in each
 * its invocations. 0 where all replicates agree.
 *
 * @param forks at least one with at least one iteration; for iterations of a single fork give each as a fork of its own.
 * Source: FSE'20, section 4.2.3; order statistics as `pa`, which it uses. O(replicates times iterations) beside the resampling of each
 * new iteration.
 */
function intervalWidthOfForks(
  forks: readonly (readonly PreparedIteration[])[],
  { confidence, replicates, random }: IntervalWidthOptions,
): number {
  const iterations = forks.flat();
  for (const iteration of iterations) iteration.rewind();
  const means = new Float64Array(replicates);
  const choose = new Chooser(random);
  for (let r = 0; r < replicates; r++) {
    let sum = 0;
    let size = 0;
    for (let f = 0; f < forks.length; f++) {
      const fork = forks[choose.below(forks.length)]!;
      for (let i = 0; i < fork.length; i++) {
        const iteration = fork.length === 1 ? fork[0]! : fork[choose.below(fork.length)]!;
        sum += iteration.resampledMean() * iteration.size;
        size += iteration.size;
      }
    }
    means[r] = sum / size;
  }
  return relativeWidth(means, { centre: meanOf(iterations), confidence });
}

/** Number, mean and sum of squared deviations of some values. */
export type Moments = Pick<PreparedIteration, 'size' | 'mean' | 'squares'>;

/**
 * Coefficient of variation over all invocations of some iterations: sample standard deviation over mean, >= 0. The standard deviation of
 * a single invocation counts as 0, and so does the variation of times that are all 0.
 *
 * Source: FSE'20, section 4.2.3; moments are combined as T. F. Chan, G. H. Golub, R. J. LeVeque (1983) do. O(iterations).
 */
export function variationOf(iterations: readonly Moments[]): number {
  let size = 0;
  let mean = 0;
  let squares = 0;
  for (const iteration of iterations) {
    const total = size + iteration.size;
    const apart = iteration.mean - mean;
    squares += iteration.squares + (apart ** 2 * size * iteration.size) / total;
    mean += (apart * iteration.size) / total;
    size = total;
  }
  if (size < 2 || squares === 0) return 0;
  return Math.sqrt(squares / (size - 1)) / mean;
}

/** All values of two ascending lists, ascending. O(n). */
function mergeSorted(first: Float64Array, second: Float64Array): Float64Array {
  const out = new Float64Array(first.length + second.length);
  let i = 0;
  let j = 0;
  for (let k = 0; k < out.length; k++) {
    const isFirst = j === second.length || (i < first.length && first[i]! <= second[j]!);
    out[k] = isFirst ? first[i++]! : second[j++]!;
  }
  return out;
}
