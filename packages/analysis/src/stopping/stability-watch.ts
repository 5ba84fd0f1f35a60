import type { StabilityCheck } from './stability-check.ts';
import { stabilityValues } from './stability-values.ts';
import type { Step } from './stability-values.ts';
import type { ResolvedStoppingOptions, StabilityCriterion } from './stopping-options.ts';

/** What is watched, and by what. */
export interface WatchOptions {
  readonly criterion: StabilityCriterion;
  readonly side: number;
  /** The end of warm-up (equation 1) or the number of forks (equation 2). */
  readonly checkpoint: 'warmup' | 'forks';
  readonly options: ResolvedStoppingOptions;
  /** Names the random streams of this watch alone. */
  readonly stream: string;
}

const isFull = (values: readonly (number | null)[]): values is readonly number[] => !values.includes(null);

/** Largest distance of two values (the paper), or of any from the last (the authors' code). */
const spread = (values: readonly number[], like: ResolvedStoppingOptions['like']): number => {
  const last = values.at(-1)!;
  if (like === 'jmh-reconfigure') return Math.max(...values.map((value) => Math.abs(value - last)));
  return Math.max(...values) - Math.min(...values);
};

/**
 * Follows the stability of one side by one criterion, step by step: the iterations of a warm-up, or forks.
 *
 * As the paper has it, the end of warm-up is judged by the last s_W stability values, over unions that begin where the window begins
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
