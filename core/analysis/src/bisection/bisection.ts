import { fewestAnytimeValues } from '@deadheat/stats';
import type { Interval } from '@deadheat/model';

/** Finding about a version. `undecided`: measured without an answer; `skipped`: it could not be measured. */
export type BisectionOutcome = 'good' | 'bad' | 'undecided' | 'skipped';

/** The next measurement. */
interface BisectionStep {
  /** Place of the version, from 0 for the first after the good one. */
  readonly version: number;
  /** Level at which it is to be distinguished from the good one, so that all steps together keep theirs. */
  readonly confidence: number;
}

/**
 * Searches the first bad one of versions in order, the last of which should be bad, by measuring each against a version that is good.
 * Assumes that what is bad stays bad.
 *
 * The last is measured first, then always one that splits what is left; where that could not be measured or decided, one that lies
 * far from all such ones. Each step may be wrong with a probability of at most 1 - `confidence` of the step, given all before it,
 * so that the search is wrong with at most the sum. A step gets the part r + 1 of the error that is left, where r is how many
 * more steps halving needs: all steps of a search without gaps get the same, one such part stays for gaps, and the sum is
 * below 1 - `confidence` however many there are.
 */
export class Bisection {
  readonly #outcomes: (BisectionOutcome | null)[];
  #errorLeft: number;
  readonly #error: number;
  /** Place of the last version known to be good, -1 for the one that all are measured against. */
  #good = -1;
  /** Place of the first version known to be bad; one past the last as long as that was not measured. */
  #bad: number;

  /**
   * @param options.versions how many there are after the good one, at least 1
   * @param options.confidence of the whole search, inside (0, 1)
   * @throws RangeError for anything else
   */
  constructor({ versions, confidence }: { readonly versions: number; readonly confidence: number }) {
    if (!Number.isInteger(versions) || versions < 1)
      throw new RangeError(`versions must be at least 1, got ${versions}`);
    if (!(confidence > 0 && confidence < 1))
      throw new RangeError(`confidence must be inside (0, 1), got ${confidence}`);
    this.#outcomes = Array.from({ length: versions }, () => null);
    this.#error = 1 - confidence;
    this.#errorLeft = this.#error;
    this.#bad = versions;
  }

  /** The next measurement; `null` when there is nothing more to learn. */
  next(): BisectionStep | null {
    const last = this.#outcomes.length - 1;
    const version = this.#bad > last ? (this.#outcomes[last] === null ? last : null) : this.#middle();
    return version === null ? null : { version, confidence: 1 - this.#share() };
  }

  /** Takes what was found of the version that `next` named. A skipped one took no part of the error. */
  record(outcome: BisectionOutcome): void {
    const step = this.next();
    if (step === null) throw new RangeError('nothing is to be measured any more');
    if (outcome !== 'skipped') this.#errorLeft -= this.#share();
    this.#outcomes[step.version] = outcome;
    if (outcome === 'good') this.#good = step.version;
    if (outcome === 'bad') this.#bad = step.version;
  }

  /**
   * Where the first bad version is: after `good` (-1: the version that all were measured against), up to `bad`; `null` where the last is
   * not known to be bad.
   */
  get interval(): { readonly good: number; readonly bad: number } | null {
    return this.#bad < this.#outcomes.length ? { good: this.#good, bad: this.#bad } : null;
  }

  /** Level at which the interval holds, by the steps that were measured. */
  get confidence(): number {
    return 1 - (this.#error - this.#errorLeft);
  }

  #share(): number {
    const whole = this.#bad === this.#outcomes.length;
    const steps = Math.ceil(Math.log2(this.#bad - this.#good - (whole ? 1 : 0))) + (whole ? 1 : 0);
    return this.#errorLeft / (steps + 1);
  }

  /** Place of the untried version between both ends that splits them best and lies far from those tried in vain. */
  #middle(): number | null {
    const vain = this.#outcomes.flatMap((outcome, place) =>
      (outcome === 'skipped' || outcome === 'undecided') && place > this.#good && place < this.#bad ? [place] : [],
    );
    let best: { readonly place: number; readonly score: number } | null = null;
    for (let place = this.#good + 1; place < this.#bad; place++) {
      if (this.#outcomes[place] !== null) continue;
      const score = Math.min(
        place - this.#good,
        this.#bad - place,
        ...vain.map((other) => 2 * Math.abs(other - place)),
      );
      if (best === null || score > best.score) best = { place, score };
    }
    return best?.place ?? null;
  }
}

/**
 * Class of a version compared with the good one: bad where the whole interval of the ratio lies beyond 1 + `threshold`, good where it
 * lies below, else undecided. Faster is good.
 *
 * @param threshold relative slowdown, at least 0
 */
export function judgeVersion(
  { low, high }: Pick<Interval, 'low' | 'high'>,
  threshold: number,
): Exclude<BisectionOutcome, 'skipped'> {
  if (low > 1 + threshold) return 'bad';
  return high < 1 + threshold ? 'good' : 'undecided';
}

/** The slowdown half way to that of the last version, on the log scale: the threshold between bad and good where the user gave none. */
export function halfOfSlowdown(ratio: number): number {
  return Math.sqrt(Math.max(1, ratio)) - 1;
}

/**
 * Least number of runs of a step of a search, where a step that stayed undecided shows that none can be decided with as many as it
 * had: an interval of its width fits neither between the good version and the threshold, nor between the threshold and the last version.
 *
 * @param step.whole ratio of the last version to the good one; `null` where it is not known.
 * @returns `null` where another step may be decided.
 */
export function runsForAnyStep(step: {
  readonly interval: Pick<Interval, 'low' | 'high' | 'level'>;
  readonly runs: number;
  readonly threshold: number;
  readonly whole: number | null;
}): number | null {
  const { interval, runs, threshold, whole } = step;
  const edge = Math.log1p(threshold);
  const room = Math.max(edge, whole === null ? 0 : Math.abs(Math.log(whole) - edge));
  const fewest = fewestAnytimeValues(interval.level);
  const isBoundless = interval.low === 0;
  const reach = isBoundless ? Infinity : Math.log(interval.high / interval.low) / 2;
  if (reach < room) return null;
  // The interval narrows with the square root of the number of runs.
  const byWidth = isBoundless || room === 0 ? 0 : Math.ceil(runs * (reach / room) ** 2);
  return Math.max(fewest, byWidth, runs + 1);
}
