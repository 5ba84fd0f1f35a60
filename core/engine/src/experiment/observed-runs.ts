import {
  workloadFacts,
  methodFacts,
  sides,
  type Benchmark,
  type ExperimentConfig,
  type Method,
  type RunPhase,
  type Side,
} from '@deadheat/model';
import type { RunOutcome } from '../run/executor.ts';

/** Number of samples a side from which the share in which it computes is known well enough to choose a metric. */
const enoughSamples = 50;
/** Runs of a benchmark that are observed at most, however short they are: each sample takes a little time from both sides. */
const mostRuns = 10;

interface Seen {
  runs: number;
  readonly samples: Record<Side, number>;
}

/**
 * Says which runs are observed: pilot runs, and of commands without any the first ones, as long as the metric is to be
 * chosen by them, or in a tandem whether they compute in several threads. The kernel reports the waiting time for a CPU of the first
 * process of a command, and not of those that it started, so that a shell, a pipeline or a compiler driver on a busy machine looks as if
 * it waited for something else.
 */
export class ObservedRuns {
  readonly #seen = new Map<number, Seen>();

  observes(
    index: number,
    run: {
      readonly phase: RunPhase;
      readonly method: Method;
      readonly workload: Benchmark['workload'];
      readonly metric: ExperimentConfig['metric'];
      /** True if pilot runs of it were observed. */
      readonly hasPilots: boolean;
    },
  ): boolean {
    // Looking at its threads takes time from a program whose time counts.
    if (run.phase === 'pilot') return methodFacts[run.method].ownTime !== 'cpu';
    if (run.phase !== 'measure') return false;
    if (workloadFacts[run.workload].timesItself) return false;
    if (methodFacts[run.method].ownTime === 'cpu' ? run.hasPilots : run.metric !== 'auto') return false;
    const { runs, samples } = this.#of(index);
    return runs < mostRuns && sides.some((side) => samples[side] < enoughSamples);
  }

  /** Adds the observation of a run that counts. */
  take(index: number, { sides: seen }: Pick<RunOutcome, 'sides'>): void {
    const known = this.#of(index);
    known.runs++;
    for (const side of sides) known.samples[side] += seen[side].observed?.samples ?? 0;
  }

  #of(index: number): Seen {
    const known = this.#seen.get(index) ?? { runs: 0, samples: { A: 0, B: 0 } };
    this.#seen.set(index, known);
    return known;
  }
}
