import type { Iteration, IterationColumns } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { at } from '../internal/at.ts';

const checkIndices = (indices: Float64Array): void => {
  for (let row = 1; row < indices.length; row++) {
    if (at(indices, row) > at(indices, row - 1)) continue;
    throw new AnalysisError(
      'ITERATIONS_OUT_OF_ORDER',
      `iteration ${at(indices, row)} comes after iteration ${at(indices, row - 1)}; expected indices that grow, ` +
        'so the journal was changed: remove the line of this run from trials.jsonl and resume the experiment',
    );
  }
};

/**
 * Iterations that stand in a journal line, in columns. A column of a metric is made when it is first asked for.
 *
 * @throws AnalysisError `ITERATIONS_OUT_OF_ORDER` when their indices do not grow.
 */
export const columnsOf = (iterations: readonly Iteration[]): IterationColumns => {
  const column = (key: string): Float64Array => {
    const values = new Float64Array(iterations.length);
    for (const [row, iteration] of iterations.entries()) {
      const value = iteration[key];
      values[row] = typeof value === 'number' ? value : Number.NaN;
    }
    return values;
  };
  const indices = column('i');
  checkIndices(indices);
  const metrics = new Map<string, Float64Array | null>();
  return {
    length: iterations.length,
    indices,
    startsNs: column('s'),
    endsNs: column('e'),
    hasPhases: iterations.some(({ p }) => p !== undefined),
    isWarmup: (row) => iterations[row]?.p === 'warmup',
    metric: (key) => {
      let values = metrics.get(key);
      if (values === undefined) {
        values = iterations.some((iteration) => typeof iteration[key] === 'number') ? column(key) : null;
        metrics.set(key, values);
      }
      return values;
    },
  };
};
