import type { Phase } from '@deadheat/model';
import { PreparedIteration, type IterationSample } from './prepared-iteration.ts';
import { StabilityWatch } from './stability-watch.ts';
import {
  resolveStoppingOptions,
  type ReconfigurationSummary,
  type ReconfiguredFork,
  type ResolvedStoppingOptions,
  type StabilityCheck,
  type StoppingOptions,
  stoppingWarnings,
} from './stopping-options.ts';

/** Next action: another warm-up iteration, a measured one, another fork, or nothing. */
type NextStep = 'warmup' | 'measure' | 'fork' | 'stop';

/** Classification of an iteration, and the next action. */
interface ReconfigurationDecision {
  readonly next: NextStep;
  /** Phase that the observed iteration counts in; `null` = not at all, since the fork already had all that it needs. */
  readonly phase: Phase | null;
  /**
   * Checks of the criteria where this was a checkpoint; else empty. While warm-up goes on that may be of a side that is not stable alone,
   * and is of every side where it ends.
   */
  readonly checks: readonly StabilityCheck[];
}

interface OpenFork {
  readonly watches: readonly StabilityWatch[];
  readonly measured: PreparedIteration[][];
  warmup: number;
  stable: boolean | null;
  checks: readonly StabilityCheck[];
  askedFirst: number;
}

/**
 * Decides while a benchmark runs when the warm-up of a fork is over and when there are enough forks (Algorithm 1).
 *
 * Call `beginFork` when a process starts and `observe` after each of its iterations, and do what the decision says: go on while it says
 * `warmup` or `measure`, end the process at `fork` or `stop`. A duet gives both sides' iterations at once: it is stable when both are.
 * It is no harm to be late: iterations are classed in the order in which they come, and what a fork makes beyond its last measured one
 * is not counted. A fork that failed is left out by beginning the next one before it was complete.
 *
 * Nothing here reads a clock or does I/O. The same iterations, options and seed give the same decisions on every machine.
 * Source: Laaber et al., FSE'20, section 4.
 */
export class DynamicReconfiguration {
  readonly #options: ResolvedStoppingOptions;
  readonly #sides: number;
  readonly #forkWatches: readonly StabilityWatch[];
  readonly #forks: ReconfiguredFork[] = [];
  readonly #warmupForks: number[] = [];
  #begun = 0;
  #open: OpenFork | null = null;
  #next: NextStep = 'fork';
  #stable = false;
  #checks: readonly StabilityCheck[] = [];
  /** The time of every measurement so far; `null` when they differ, NaN before the first. */
  #level: number | null = Number.NaN;

  /** @param sides how many iterations each call of `observe` gives: 1 a program, 2 a duet. @throws RangeError for options out of range. */
  constructor(options: StoppingOptions, { sides = 1 }: { readonly sides?: number } = {}) {
    this.#options = resolveStoppingOptions(options);
    this.#sides = sides;
    this.#forkWatches = this.#watches('forks', 'forks');
  }

  /** The next action. */
  get next(): NextStep {
    return this.#next;
  }

  /** Most iterations that a fork can make, warm-up and measured: what a harness that takes a fixed number must be given. */
  get iterationsAtMost(): number {
    return this.#cap(this.#options.config.wiMax) + this.#options.config.mi;
  }

  /** Begins a fork. One that was not complete is forgotten. @throws RangeError after `stop`. */
  beginFork(): NextStep {
    if (this.#next === 'stop') throw new RangeError('all forks were made: the decision was stop');
    const measured = Array.from({ length: this.#sides }, () => []);
    const watches = this.#watches('warmup', `fork ${this.#begun}`);
    this.#open = { watches, measured, warmup: 0, stable: null, checks: [], askedFirst: 0 };
    this.#begun++;
    this.#next = this.#cap(this.#options.config.wiMax) > 0 ? 'warmup' : 'measure';
    return this.#next;
  }

  /**
   * Takes the next iteration of the fork, one of each side.
   *
   * @throws RangeError before the first fork, with another number of sides, and as `drawInvocations`.
   */
  observe(...sides: readonly IterationSample[]): ReconfigurationDecision {
    const fork = this.#open;
    if (sides.length !== this.#sides) {
      throw new RangeError(`observe takes an iteration of each of ${this.#sides} sides, got ${sides.length}`);
    }
    if (fork === null) {
      if (this.#begun === 0) throw new RangeError('observe needs a fork: call beginFork when its process starts');
      return { next: this.#next, phase: null, checks: [] };
    }
    const place = fork.warmup + fork.measured[0]!.length;
    const iterations = sides.map((sample, side) => {
      const stream = this.#stream(`fork ${this.#begun - 1} iteration ${place} side ${side}`);
      return new PreparedIteration(sample, { sampleSize: this.#options.sampleSize, stream });
    });
    if (this.#next === 'warmup') return this.#warmUp(fork, iterations);
    return this.#measure(fork, iterations);
  }

  get summary(): ReconfigurationSummary {
    const outcome = {
      forks: this.#forks,
      warmupForks: this.#warmupForks,
      stable: this.#stable,
      checks: this.#checks,
    };
    return {
      ...outcome,
      warnings: stoppingWarnings(outcome, {
        options: this.#options,
        isDone: this.#next === 'stop',
        isConstant: this.#forks.length > 0 && this.#level !== null,
      }),
    };
  }

  #warmUp(fork: OpenFork, iterations: readonly PreparedIteration[]): ReconfigurationDecision {
    const { wiMin, wiMax } = this.#options.config;
    fork.warmup++;
    const isLast = fork.warmup >= this.#cap(wiMax);
    if (fork.warmup < wiMin) {
      for (const watch of fork.watches) watch.add([iterations[watch.side]!], false);
      return { next: this.#next, phase: 'warmup', checks: [] };
    }
    fork.checks = this.#askSides(fork, iterations, { ofAll: isLast });
    fork.stable = this.#isStable(fork.checks);
    if (fork.stable || isLast) this.#next = 'measure';
    return { next: this.#next, phase: 'warmup', checks: fork.checks };
  }

  /**
   * Checks of the criteria on the sides. Where one is not stable the others need no check, which halves the cost of a check: the one
   * that was not stable last is asked first.
   */
  #askSides(
    fork: OpenFork,
    iterations: readonly PreparedIteration[],
    { ofAll }: { readonly ofAll: boolean },
  ): readonly StabilityCheck[] {
    const checks: StabilityCheck[] = [];
    let ask = true;
    for (let turn = 0; turn < this.#sides; turn++) {
      const side = (fork.askedFirst + turn) % this.#sides;
      const own = fork.watches
        .filter((watch) => watch.side === side)
        .map((watch) => watch.add([iterations[side]!], ask || ofAll));
      if (!ask && !ofAll) continue;
      checks.push(...own);
      if (ask && !this.#isSideStable(own)) {
        ask = false;
        fork.askedFirst = side;
      }
    }
    return checks.toSorted((left, right) => left.side - right.side);
  }

  #measure(fork: OpenFork, iterations: readonly PreparedIteration[]): ReconfigurationDecision {
    iterations.forEach((iteration, side) => fork.measured[side]!.push(iteration));
    if (fork.measured[0]!.length < this.#options.config.mi) return { next: this.#next, phase: 'measure', checks: [] };
    const checks = this.#close(fork);
    return { next: this.#next, phase: 'measure', checks };
  }

  /** A fork is complete. */
  #close(fork: OpenFork): readonly StabilityCheck[] {
    const { wf, fMin, fMax } = this.#options.config;
    this.#open = null;
    this.#next = 'fork';
    if (this.#warmupForks.length < wf) {
      this.#warmupForks.push(fork.warmup);
      return [];
    }
    this.#forks.push({ warmup: fork.warmup, stable: fork.stable, checks: fork.checks });
    const level = this.#forks.length === 1 ? fork.measured[0]![0]!.mean : this.#level;
    this.#level = fork.measured.flat().every((one) => one.isConstant && one.mean === level) ? level : null;
    const look = this.#forks.length >= fMin;
    const checks = this.#forkWatches.map((watch) => watch.add(fork.measured[watch.side]!, look));
    if (!look) return [];
    this.#checks = checks;
    this.#stable = this.#isStable(checks);
    if (this.#stable || this.#forks.length >= this.#cap(fMax)) this.#next = 'stop';
    return checks;
  }

  /** Every side must be stable, and one that was not asked is not; a side is by all of the criteria or by any. */
  #isStable(checks: readonly StabilityCheck[]): boolean {
    const bySide = Array.from({ length: this.#sides }, (_, side) => checks.filter((check) => check.side === side));
    return bySide.every((own) => this.#isSideStable(own));
  }

  #isSideStable(own: readonly StabilityCheck[]): boolean {
    if (own.length === 0) return false;
    return this.#options.combine === 'all' ? own.every(({ stable }) => stable) : own.some(({ stable }) => stable);
  }

  #cap(most: number): number {
    return Math.floor(most * this.#options.liftCaps);
  }

  #stream(purpose: string): string {
    return JSON.stringify(['stopping', this.#options.seed, purpose]);
  }

  /** One watch for each criterion of the first side, then of the second. */
  #watches(checkpoint: 'warmup' | 'forks', of: string): readonly StabilityWatch[] {
    return Array.from({ length: this.#sides }, (_, side) =>
      this.#options.criteria.map(
        (criterion) =>
          new StabilityWatch({
            criterion,
            side,
            checkpoint,
            options: this.#options,
            stream: this.#stream(`${of} side ${side} ${criterion}`),
          }),
      ),
    ).flat();
  }
}
