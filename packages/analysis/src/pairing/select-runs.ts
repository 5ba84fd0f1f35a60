import type { ExperimentConfig, Iteration, Method, Side, Trial } from '@deadheat/model';
import { pairIterations } from './pair-iterations.ts';
import type { UsableRun } from './usable-run.ts';

/** The trials of one benchmark, sorted into what counts and what does not. */
export interface Selection {
  readonly method: Method;
  /** In the order of their run numbers. */
  readonly runs: readonly UsableRun[];
  /** Warm-up iterations left out; an iteration of both sides counts once. */
  readonly warmup: number;
  /** Measured iterations of one side without a partner, in runs that did not fail; 0 for `sequential`. */
  readonly unpaired: number;
  /** Measured runs that failed. */
  readonly failed: number;
  /** The measured iterations of every run that did not fail, also of those without a pair. */
  readonly measured: readonly UsableRun['iterations'][];
}

const isMeasured = (iteration: Iteration): boolean => iteration.p !== 'warmup';

const iterationsOf = (trial: Trial): number =>
  Math.max(trial.sides.A.iterations.length, trial.sides.B.iterations.length);

/**
 * Sorts the trials of one benchmark. Runs of another method than the experiment's are ignored, unless there is no run of
 * that method: then the method of the first run that did not fail counts, as where a machine could not offer a duet.
 *
 * @throws AnalysisError as `overlaps`.
 */
export const selectRuns = (
  trials: readonly Trial[],
  config: Pick<ExperimentConfig, 'method' | 'minimumOverlapRate'>,
): Selection => {
  const sound = trials.filter((trial) => trial.status === 'ok' && trial.phase === 'measure');
  const method = sound.some((trial) => trial.method === config.method)
    ? config.method
    : (sound[0]?.method ?? config.method);
  const ours = trials.filter((trial) => trial.method === method);

  const runs: UsableRun[] = [];
  const measured: UsableRun['iterations'][] = [];
  let warmup = 0;
  let unpaired = 0;
  let failed = 0;
  for (const trial of ours) {
    if (trial.phase === 'warmup') {
      warmup += iterationsOf(trial);
      continue;
    }
    if (trial.status === 'failed') {
      failed++;
      continue;
    }
    const iterations: Record<Side, Iteration[]> = {
      A: trial.sides.A.iterations.filter(isMeasured),
      B: trial.sides.B.iterations.filter(isMeasured),
    };
    warmup += iterationsOf(trial) - Math.max(iterations.A.length, iterations.B.length);
    const pairs = pairIterations(iterations, { method, minimumOverlapRate: config.minimumOverlapRate });
    if (method !== 'sequential') {
      unpaired += iterations.A.length - new Set(pairs.map(({ a }) => a)).size;
      unpaired += iterations.B.length - new Set(pairs.map(({ b }) => b)).size;
    }
    measured.push(iterations);
    const usable = method === 'sequential' ? iterations.A.length > 0 && iterations.B.length > 0 : pairs.length > 0;
    if (usable) runs.push({ trial, iterations, pairs });
  }
  runs.sort((left, right) => left.trial.run - right.trial.run);
  return { method, runs, warmup, unpaired, failed, measured };
};
