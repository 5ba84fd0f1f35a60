import { createRandom, hierarchicalBootstrap, kldSimilarity, mean, type Random } from '@deadheat/stats';
import { joined } from '../internal/lists.ts';
import type { PreparedIteration } from './prepared-iteration.ts';
import type { ResolvedStoppingOptions, StabilityCheck, StabilityCriterion } from './stopping-options.ts';

/** Criteria, thresholds and sizes of a watch. */
interface WatchOptions {
  readonly criterion: StabilityCriterion;
  readonly side: number;
  /** The end of warm-up (equation 1) or the number of forks (equation 2). */
  readonly checkpoint: 'warmup' | 'forks';
  readonly options: ResolvedStoppingOptions;
  /** Names the random streams of this watch alone. */
  readonly stream: string;
}

function isFull(values: readonly (number | null)[]): values is readonly number[] {
  return !values.includes(null);
}

/** Largest distance of two values (the paper), or of any from the last (the authors' code). */
function spread(values: readonly number[], like: ResolvedStoppingOptions['like']): number {
  const last = values.at(-1)!;
  if (like === 'jmh-reconfigure') return Math.max(...values.map((value) => Math.abs(value - last)));
  return Math.max(...values) - Math.min(...values);
}

/**
 * Follows the stability of one side by one criterion, step by step: the iterations of a warm-up, or forks.
 *
 * The end of warm-up is judged, as in the paper, by the last s_W stability values, over unions that begin where the window begins
 * (kld, whose values each compare with the iteration before, needs one iteration more), and forks by the values of all forks. As the
 * authors' code has it, every union begins at the first iteration, forks are judged by the last two values, and a distance must lie below
 * the threshold instead of not above it.
 * Source: FSE'20, equations 1 and 2, section 4.2.3.
 */
export class StabilityWatch {
  readonly #watch: WatchOptions;
  readonly #steps: Step[] = [];
  readonly #values: (number | null)[] = [];
  #count = 0;

  constructor(watch: WatchOptions) {
    this.#watch = watch;
  }

  get side(): number {
    return this.#watch.side;
  }

  /** Adds a step. `look` false: it is too early to stop, so nothing is computed that a later look does not need. */
  add(step: Step, look: boolean): StabilityCheck {
    this.#steps.push(step);
    this.#count++;
    const { criterion, side, checkpoint, options } = this.#watch;
    const threshold = options.thresholds[criterion];
    const values =
      checkpoint === 'warmup' && options.like === 'paper' ? this.#window(look) : this.#history(checkpoint, options);
    const none: StabilityCheck = { criterion, side, stable: false, value: null, threshold };
    if (values === null || !look) return none;
    if (criterion === 'kld') {
      const value = values.reduce((sum, one) => sum + one, 0) / values.length;
      return { ...none, value, stable: value > threshold };
    }
    const value = spread(values, options.like);
    return { ...none, value, stable: options.like === 'paper' ? value <= threshold : value < threshold };
  }

  /** Equation 1: the values of a window that was filled anew. */
  #window(look: boolean): readonly number[] | null {
    const { criterion, options } = this.#watch;
    const before = criterion === 'kld' ? 1 : 0;
    while (this.#steps.length > options.window + before) this.#steps.shift();
    if (!look || this.#steps.length < options.window + before) return null;
    const values = this.#valuesFrom(1 + before).filter((value) => value !== null);
    return values.length === 0 ? null : values;
  }

  /** The values so far that count: of a warm-up the last s_W, of forks all (paper) or the last two (code). */
  #history(
    checkpoint: WatchOptions['checkpoint'],
    { like, window }: ResolvedStoppingOptions,
  ): readonly number[] | null {
    const { criterion } = this.#watch;
    this.#values.push(
      this.#steps.length === 1 && criterion === 'kld' ? null : this.#valuesFrom(this.#steps.length)[0]!,
    );
    if (checkpoint === 'warmup') {
      const values = this.#values.slice(-window);
      return values.length === window && isFull(values) ? values : null;
    }
    if (this.#values.length < 2) return null;
    if (criterion === 'kld') {
      const values = (like === 'paper' ? this.#values : this.#values.slice(-1)).filter((value) => value !== null);
      return values.length === 0 ? null : values;
    }
    const values = like === 'paper' ? this.#values : this.#values.slice(-2);
    return isFull(values) ? values : null;
  }

  #valuesFrom(from: number): (number | null)[] {
    const { criterion, options, stream } = this.#watch;
    return stabilityValues(criterion, this.#steps, { ...options, from, stream: `${stream} ${this.#count}` });
  }
}

/** Unit that is added step by step: an iteration (as a fork of its own) at the end of warm-up, else the measured iterations of a fork. */
export type Step = readonly PreparedIteration[];

// With more invocations than this the densities are binned; up to it they are exact.
const binnedAbove = 500;

function sortedUnion(steps: readonly Step[]): Float64Array {
  return steps.flat().reduce<Float64Array>((union, { sorted }) => mergeSorted(union, sorted), new Float64Array(0));
}

function similarity(before: Float64Array, after: Float64Array, strips: number): number | null {
  return before.length < 2
    ? null
    : kldSimilarity(after, before, { strips, sorted: true, binAbove: binnedAbove }).similarity;
}

function drawSorted(steps: readonly Step[], size: number, random: Random): Float64Array {
  return joined(drawFromForks(steps, size, random).flat()).sort();
}

/** Similarity before and after each step from `from` on; unions grow by merging. */
function similarities(steps: readonly Step[], from: number, strips: number): (number | null)[] {
  let before = sortedUnion(steps.slice(0, from - 1));
  return steps.slice(from - 1).map((step) => {
    const after = mergeSorted(before, sortedUnion([step]));
    const value = similarity(before, after, strips);
    before = after;
    return value;
  });
}

/**
 * The stability values sc of the unions of the first `from`, `from` + 1, ... of all steps (equations 1 and 2): coefficient of variation,
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
  const { from, like, strips, sampleSize: size, confidence, replicates } = options;
  const drawsAgain = like === 'jmh-reconfigure';
  if (criterion === 'kld' && !drawsAgain) return similarities(steps, from, strips);
  const random = criterion === 'cv' ? null : createRandom(options.stream);
  return steps.slice(from - 1).map((_, place) => {
    const union = steps.slice(0, from + place);
    if (random === null) return variationOfIterations(union.flat());
    if (criterion === 'kld') {
      const before = drawSorted(union.slice(0, -1), size, random);
      return similarity(before, drawSorted(union, size, random), strips);
    }
    const width = { confidence, replicates, random };
    return drawsAgain ? intervalWidthOfSample(union, { ...width, size }) : intervalWidthOfForks(union, width);
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
function relativeWidth(
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

/**
 * The same of so many invocations drawn with replacement from all that there are, as the authors' extension of JMH does before each
 * bootstrap; with no more than `size` of them, of all.
 */
function intervalWidthOfSample(
  forks: readonly (readonly PreparedIteration[])[],
  { size, confidence, replicates, random }: IntervalWidthOptions & { readonly size: number },
): number {
  const drawn = drawFromForks(forks, size, random);
  const nested = drawn.map((fork) => fork.filter((values) => values.length > 0)).filter((fork) => fork.length > 0);
  const isFlat = nested.every((fork) => fork.length === 1);
  const means = hierarchicalBootstrap(isFlat ? nested.map((fork) => fork[0]!) : nested, {
    replicates,
    random,
    weights: 'pooled',
  });
  return relativeWidth(means, { centre: mean(joined(nested.flat())), confidence });
}

/**
 * Coefficient of variation over all invocations of some iterations: sample standard deviation over mean, >= 0. The standard deviation of
 * a single invocation counts as 0, and so does the variation of times that are all 0.
 *
 * Source: FSE'20, section 4.2.3; moments are combined as T. F. Chan, G. H. Golub, R. J. LeVeque (1983) do. O(iterations).
 */
function variationOfIterations(iterations: readonly PreparedIteration[]): number {
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

/**
 * A sample of the invocations of all forks, drawn with replacement, by fork and iteration; all of them where there are no more. An iteration of
 * which none is drawn is empty.
 *
 * The authors' extension of JMH does the same before each interval and each divergence. O(size times iterations).
 */
function drawFromForks(
  forks: readonly (readonly PreparedIteration[])[],
  size: number,
  random: Random,
): readonly (readonly ArrayLike<number>[])[] {
  const iterations = forks.flat();
  const total = iterations.reduce((sum, one) => sum + one.size, 0);
  if (total <= size) return forks.map((fork) => fork.map(({ sorted }) => sorted));
  const drawn = new Map(iterations.map((iteration): [PreparedIteration, number[]] => [iteration, []]));
  for (let i = 0; i < size; i++) {
    let place = random.int(total);
    let n = 0;
    while (place >= iterations[n]!.size) place -= iterations[n++]!.size;
    drawn.get(iterations[n]!)!.push(iterations[n]!.sorted[place]!);
  }
  return forks.map((fork) => fork.map((iteration) => drawn.get(iteration)!));
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
