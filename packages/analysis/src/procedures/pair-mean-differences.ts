import { at } from '../internal/at.ts';
import { runMeanDifferences } from '../pairing/run-mean-differences.ts';
import type { PairedRun } from './paired-run.ts';

/** Drawn sets hold the same runs again and again; the times of a run do not change. */
const known = new WeakMap<PairedRun, number>();

/**
 * The mean difference B - A over the pairs of every run, each of which has at least one.
 *
 * @throws RangeError as `runMeanDifferences`.
 */
export const pairMeanDifferences = (runs: readonly PairedRun[]): Float64Array => {
  if (runs.some((run) => !known.has(run))) {
    const differences = runMeanDifferences(
      runs.map((run) => Float64Array.from(run.pairs, ({ b }) => at(run.B, b))),
      runs.map((run) => Float64Array.from(run.pairs, ({ a }) => at(run.A, a))),
    );
    for (const [r, run] of runs.entries()) known.set(run, at(differences, r));
  }
  return Float64Array.from(runs, (run) => known.get(run) ?? Number.NaN);
};
