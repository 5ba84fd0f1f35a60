import { DrawnSteps } from './drawn-steps.ts';
import { stabilityValues, type Step } from './stability-values.ts';
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
  /** As the authors' code has it; else `null`. */
  readonly #drawn: DrawnSteps | null;
  readonly #values: (number | null)[] = [];
  #count = 0;

  constructor(watch: WatchOptions) {
    this.#watch = watch;
    const { criterion, options, stream } = watch;
    this.#drawn = options.like === 'paper' ? null : new DrawnSteps(criterion, { options, stream });
  }

  get side(): number {
    return this.#watch.side;
  }

  /** Adds a step. `look` false: it is too early to stop, so nothing is computed that a later look does not need. */
  add(step: Step, look: boolean): StabilityCheck {
    this.#count++;
    const { criterion, side, checkpoint, options } = this.#watch;
    const threshold = options.thresholds[criterion];
    if (this.#drawn === null) this.#steps.push(step);
    const values = checkpoint === 'warmup' && this.#drawn === null ? this.#window(look) : this.#history(step, options);
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
  #history(step: Step, { like, window }: ResolvedStoppingOptions): readonly number[] | null {
    const { criterion, checkpoint } = this.#watch;
    if (this.#drawn !== null) this.#values.push(this.#drawn.add(step.map(({ sample }) => sample)));
    else this.#values.push(this.#count === 1 && criterion === 'kld' ? null : this.#valuesFrom(this.#count)[0]!);
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
