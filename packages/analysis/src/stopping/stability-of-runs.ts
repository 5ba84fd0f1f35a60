import { methodFacts } from '@deadheat/model';
import type { Benchmark, ExperimentConfig, MeasuredRun } from '@deadheat/model';
import { ApartStability } from './apart-stability.ts';
import { followRun } from './follow-run.ts';
import { RunStability } from './run-stability.ts';

/** What is followed. */
export interface FollowedBenchmark {
  /** Name and parameters are the reported ones. */
  readonly benchmark: Pick<Benchmark, 'name' | 'params' | 'workload'>;
  /** As it counts for this benchmark (`configOf`). */
  readonly config: Pick<ExperimentConfig, 'seed' | 'stop' | 'stable' | 'method'>;
}

/**
 * Follows the stability of a benchmark whose programs meet at a page; `null` where the number of iterations is fixed, and for programs
 * that know nothing of it.
 */
export const createRunStability = ({ benchmark, config }: FollowedBenchmark): RunStability | null =>
  config.stable === null || !methodFacts[config.method].barrier || benchmark.workload !== 'harness'
    ? null
    : new RunStability(config.stable, { benchmark, config }, config.method === 'tandem' ? 'cpu' : 'time');

/** Follows the stability of a benchmark whose programs know nothing of it and print their iterations; `null` for any other. */
export const createApartStability = ({ benchmark, config }: FollowedBenchmark): ApartStability | null =>
  config.stable === null || methodFacts[config.method].barrier || benchmark.workload !== 'lines'
    ? null
    : new ApartStability(config.stable, { benchmark, config, method: config.method });

/** Decides anew what was decided while these runs were made; they may stand in any order. `null` where nothing was. */
export const stabilityOfRuns = (
  runs: readonly MeasuredRun[],
  followed: FollowedBenchmark,
): Pick<RunStability, 'result' | 'warnings'> | null => {
  const together = createRunStability(followed);
  const apart = createApartStability(followed);
  for (const { trial, iterations } of runs.toSorted((one, other) => one.trial.trial - other.trial.trial)) {
    if (trial.status !== 'ok') continue;
    apart?.take(trial, iterations);
    if (together !== null) followRun(together, iterations, { from: 0, step: together.begin(trial) });
  }
  return together ?? apart;
};
