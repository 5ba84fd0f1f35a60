import { sides } from '@deadheat/model';
import type { MeasuredRun, Method, Side, Stability, StableRule, Warning } from '@deadheat/model';
import type { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import { invocationTimes } from './follow-run.ts';
import type { IterationSample } from './iteration-sample.ts';
import { levelWith } from './level-with.ts';
import type { ReconfiguredFork } from './reconfiguration-summary.ts';
import type { BegunRun } from './run-stability.ts';
import { SideWarmup } from './side-warmup.ts';
import { StabilityRule, reportedOverRuns, reportedRule, toReportedChecks } from './stability-rule.ts';
import type { StabilitySource } from './stability-rule.ts';
import { warningsOfRuns } from './warnings-of-runs.ts';

type Apart = NonNullable<Stability['runs'][number]['apart']>;

interface FinishedRun extends ReconfiguredFork {
  readonly run: number;
  readonly apart: Apart;
}

/**
 * Follows one benchmark whose programs know of nothing: each side makes iterations at its own pace, and these are called warm-up or
 * measured from outside. A side is warm when it is stable by itself (Algorithm 1). Of sides that run together (`async-duet`) neither is
 * measured before both are warm, so that no iteration is paired with warm-up; what began before that moment is warm-up. Sides that
 * run one after the other (`sequential`) have nothing to do with each other.
 *
 * What the runs measured is asked over runs as in a duet, by the first iterations that the rule asks for on each side. The same
 * iterations, settings and seed give the same decisions on every machine.
 */
export class ApartStability {
  readonly #rule: StabilityRule;
  readonly #isTogether: boolean;
  readonly #overRuns: DynamicReconfiguration | null;
  readonly #runs: FinishedRun[] = [];
  /** Fewest iterations that a side measured, of each run that ended by itself. */
  readonly #short: number[] = [];
  /** Time of every measured iteration so far; `null` when they differ, NaN before the first. */
  #level: number | null = Number.NaN;

  /** @param method `sequential`, or one in which both sides run at a time. @throws RangeError for settings out of range. */
  constructor(rule: StableRule, { method, ...source }: StabilitySource & { readonly method: Method }) {
    this.#rule = new StabilityRule(rule, source);
    this.#isTogether = method !== 'sequential';
    this.#overRuns = this.#rule.overRuns({ hasWarmup: false });
  }

  /** Whether there are enough runs by the criteria; `false` where the stop rule does not ask them. */
  get isEnough(): boolean {
    return this.#overRuns?.next === 'stop';
  }

  /** Measured iterations of each side with which a run is complete. */
  get measured(): number {
    return this.#rule.rule.measured;
  }

  /** Most iterations that a side needs when it is no faster than the other. */
  get iterationsAtMost(): number {
    return this.#rule.inRun('', 1).iterationsAtMost;
  }

  /** Whether neither side is measured before both are warm. */
  get isTogether(): boolean {
    return this.#isTogether;
  }

  /** Begins the warm-up of a side of a run. */
  warmupOf({ phase, run }: BegunRun, side: Side): SideWarmup {
    return new SideWarmup(this.#rule.inRun(`${phase} ${run} ${side}`, 1), this.#rule.rule.combine);
  }

  /** How many iterations of each side, its first, are warm-up; all where a side ended before it was warm. */
  classify(begun: BegunRun, iterations: MeasuredRun['iterations']): Readonly<Record<Side, number>> {
    const [A, B] = [this.#lengthOf(begun, 'A', iterations), this.#lengthOf(begun, 'B', iterations)];
    if (!this.#isTogether) return { A: A ?? iterations.A.length, B: B ?? iterations.B.length };
    if (A === null || B === null) return { A: iterations.A.length, B: iterations.B.length };
    const warmNs = Math.max(iterations.A.endsNs[A - 1]!, iterations.B.endsNs[B - 1]!);
    const begunBefore = ({ startsNs }: MeasuredRun['iterations']['A']): number => {
      const row = startsNs.findIndex((start) => start >= warmNs);
      return row === -1 ? startsNs.length : row;
    };
    return { A: begunBefore(iterations.A), B: begunBefore(iterations.B) };
  }

  /** Takes a run that is over, whose iterations are marked as they were classified. */
  take(begun: BegunRun, iterations: MeasuredRun['iterations']): void {
    if (begun.phase !== 'measure') return;
    const measured = { A: measuredTimes(iterations.A), B: measuredTimes(iterations.B) };
    const fewest = Math.min(measured.A.length, measured.B.length);
    if (fewest < this.measured) {
      this.#short.push(fewest);
      return;
    }
    const { checks: ofA, ...A } = this.#judge(begun, 'A', iterations.A);
    const { checks: ofB, ...B } = this.#judge(begun, 'B', iterations.B);
    this.#runs.push({
      run: begun.run,
      warmup: Math.max(A.decidedAfter, B.decidedAfter),
      stable: A.stable && B.stable,
      checks: [...ofA, ...ofB],
      apart: { A, B },
    });
    if (this.#overRuns !== null && !this.isEnough) {
      this.#overRuns.beginFork();
      for (let i = 0; i < this.measured; i++) this.#overRuns.observe(measured.A[i]!, measured.B[i]!);
    }
    this.#level = levelWith(this.#level, [...measured.A, ...measured.B]);
  }

  /** What the report says of it. */
  get result(): Stability {
    return {
      ...reportedRule(this.#rule.rule),
      runs: this.#runs.map(({ run, warmup, stable, checks, apart }) => ({
        run,
        warmup: Math.max(apart.A.warmup, apart.B.warmup),
        decidedAfter: warmup,
        stable: stable ?? false,
        checks: toReportedChecks(checks),
        apart,
      })),
      overRuns: reportedOverRuns(this.#overRuns),
    };
  }

  /** What was not reached when a cap, or the program itself, ended it. */
  get warnings(): Warning[] {
    return [
      ...warningsOfRuns(this.#runs, {
        rule: this.#rule,
        overRuns: this.#overRuns,
        isConstant: this.#level !== null && !Number.isNaN(this.#level),
      }),
      ...this.#shortWarning(),
    ];
  }

  #shortWarning(): Warning[] {
    if (this.#short.length === 0) return [];
    const all = this.#short.length + this.#runs.length;
    return [
      {
        code: 'FEW_MEASUREMENTS',
        message:
          `in ${this.#short.length} of ${all} runs a program ended by itself before ${this.measured} iterations were measured ` +
          `(${Math.min(...this.#short)} at the fewest), and stability does not count these runs; have it make ` +
          `${this.iterationsAtMost} iterations or more, and a faster side so many times more as it is faster`,
      },
    ];
  }

  #lengthOf(begun: BegunRun, side: Side, iterations: MeasuredRun['iterations']): number | null {
    const warmup = this.warmupOf(begun, side);
    const timeOf = invocationTimes(iterations[side]);
    for (let row = 0; row < iterations[side].length && warmup.length === null; row++) warmup.take(timeOf(row));
    return warmup.length;
  }

  /** What was decided of a side's warm-up, by what is marked as that. */
  #judge(
    begun: BegunRun,
    side: Side,
    iterations: MeasuredRun['iterations']['A'],
  ): Apart['A'] & Pick<ReconfiguredFork, 'checks'> {
    const warmup = this.warmupOf(begun, side);
    const timeOf = invocationTimes(iterations);
    let made = 0;
    for (let row = 0; row < iterations.length && iterations.isWarmup(row); row++) {
      warmup.take(timeOf(row));
      made++;
    }
    const checks = warmup.checks.map((check) => ({ ...check, side: sides.indexOf(side) }));
    return { warmup: made, decidedAfter: warmup.length ?? made, stable: warmup.stable, checks };
  }
}

const measuredTimes = (iterations: MeasuredRun['iterations']['A']): readonly IterationSample[] => {
  const timeOf = invocationTimes(iterations);
  return Array.from({ length: iterations.length }, (_, row) => row)
    .filter((row) => !iterations.isWarmup(row))
    .map(timeOf);
};
