import { createRandom, hierarchicalBootstrap, mean, type Random } from '@deadheat/stats';
import { joined } from '../internal/lists.ts';
import { momentsOf, placeOf, totalsOf, type InvocationHistogram, type IterationSample } from './prepared-iteration.ts';
import { kldOfSamples, relativeWidth, variationOf, type Moments } from './stability-values.ts';
import type { ResolvedStoppingOptions, StabilityCriterion } from './stopping-options.ts';

/** One invocation that was drawn, and the iteration that it comes from, counted over all steps. */
interface Drawn {
  readonly value: number;
  readonly iteration: number;
}

function histogramOf(sample: IterationSample): InvocationHistogram {
  if (typeof sample === 'number') return { values: [sample], counts: [1] };
  return 'counts' in sample ? sample : { values: sample, counts: new Uint8Array(sample.length).fill(1) };
}

/** Median of the invocations: the mean of the two in the middle. */
function medianOf(entries: readonly (Drawn & { readonly count: number })[]): number {
  const sorted = entries.toSorted((left, right) => left.value - right.value);
  const totals = totalsOf({ values: sorted.map(({ value }) => value), counts: sorted.map(({ count }) => count) });
  const all = totals[totals.length - 1]!;
  const at = (place: number): number => sorted[placeOf(totals, place)]!.value;
  return (at((all - 1) >>> 1) + at(Math.floor(all / 2))) / 2;
}

/**
 * The stability values of a series of steps in the way of the authors' extension of JMH. A step is an iteration of a warm-up, or a fork with all of
 * its measured iterations in one pool. Invocations more than ten times above or below the median of the step are dropped, and of the rest
 * `sampleSize` are drawn with replacement, also from fewer. `cv` is that of the draws of all steps so far. For `rciw` and `kld` as many are drawn
 * once more from these: the interval is that of the second sample, and the similarity that of the second samples of this step and of the one before.
 * With a `sampleSize` of `Infinity` nothing is drawn and every invocation counts.
 *
 * Source: FSE'20, section 5.3.2, and what its program does where the text leaves that open.
 */
export class DrawnSteps {
  readonly #options: ResolvedStoppingOptions;
  readonly #criterion: StabilityCriterion;
  readonly #random: Random;
  readonly #pool: Drawn[] = [];
  readonly #moments: Moments[] = [];
  /** The step of each iteration. */
  readonly #stepOf: number[] = [];
  #steps = 0;
  #before: Float64Array | null = null;

  /** @param stream names the random stream of these steps alone. */
  constructor(
    criterion: StabilityCriterion,
    { options, stream }: { readonly options: ResolvedStoppingOptions; readonly stream: string },
  ) {
    this.#criterion = criterion;
    this.#options = options;
    this.#random = createRandom(stream);
  }

  /** Adds a step; gives the value after it, which for `kld` is `null` after the first. */
  add(step: readonly IterationSample[]): number | null {
    const drawn = this.#draw(step);
    this.#pool.push(...drawn);
    this.#steps++;
    if (this.#criterion === 'cv') {
      this.#moments.push(momentsOf(Float64Array.from(drawn, ({ value }) => value)));
      return variationOf(this.#moments);
    }
    const { sampleSize: size, strips } = this.#options;
    const again =
      size === Infinity
        ? this.#pool
        : Array.from({ length: size }, () => this.#pool[this.#random.int(this.#pool.length)]!);
    if (this.#criterion === 'rciw') return this.#widthOf(again);
    const after = Float64Array.from(again, ({ value }) => value).sort();
    const before = this.#before;
    this.#before = after;
    return before === null ? null : kldOfSamples(before, after, strips);
  }

  #draw(step: readonly IterationSample[]): readonly Drawn[] {
    const entries = step.flatMap((sample) => {
      const { values, counts } = histogramOf(sample);
      const iteration = this.#stepOf.push(this.#steps) - 1;
      return Array.from(values, (value, i) => ({ value, iteration, count: counts[i]! })).filter(
        ({ count }) => count > 0,
      );
    });
    const middle = medianOf(entries);
    const kept = entries.filter(({ value }) => middle === 0 || (value >= middle / 10 && value <= 10 * middle));
    const size = this.#options.sampleSize;
    if (size === Infinity) return kept.flatMap((entry) => Array.from({ length: entry.count }, () => entry));
    const totals = totalsOf({ values: kept.map(({ value }) => value), counts: kept.map(({ count }) => count) });
    const all = totals[totals.length - 1]!;
    return Array.from({ length: size }, () => kept[placeOf(totals, this.#random.int(all))]!);
  }

  /** Relative width of the bootstrap interval of the mean, with the levels fork, iteration and invocation. */
  #widthOf(sample: readonly Drawn[]): number {
    const { replicates, confidence } = this.#options;
    const steps: Map<number, number[]>[] = Array.from({ length: this.#steps }, () => new Map<number, number[]>());
    for (const { value, iteration } of sample) {
      const own = steps[this.#stepOf[iteration]!]!;
      const values = own.get(iteration);
      if (values === undefined) own.set(iteration, [value]);
      else values.push(value);
    }
    const nested = steps.filter(({ size }) => size > 0).map((own) => [...own.values()]);
    const isFlat = nested.every((iterations) => iterations.length === 1);
    const means = hierarchicalBootstrap(isFlat ? nested.map((iterations) => iterations[0]!) : nested, {
      replicates,
      random: this.#random,
      weights: 'pooled',
    });
    return relativeWidth(means, { centre: mean(joined(nested.flat())), confidence });
  }
}
