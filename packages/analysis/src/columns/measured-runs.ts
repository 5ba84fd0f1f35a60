import type { MeasuredRun, Trial } from '@deadheat/model';
import { columnsOf } from './columns-of.ts';

/**
 * Runs whose iterations stand in the journal itself, as those of commands do. A failed run has none.
 *
 * @throws AnalysisError as `columnsOf`.
 */
export const measuredRuns = (trials: readonly Trial[]): MeasuredRun[] =>
  trials.map((trial) => {
    const { A, B } = trial.sides;
    const failed = trial.status === 'failed';
    return {
      trial,
      iterations: { A: columnsOf(failed ? [] : A.iterations), B: columnsOf(failed ? [] : B.iterations) },
    };
  });
