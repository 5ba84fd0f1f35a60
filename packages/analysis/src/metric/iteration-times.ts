import type { Metric, Side } from '@deadheat/model';
import type { UsableRun } from '../pairing/usable-run.ts';

/**
 * What one side's measured iterations of a run took, ns an invocation. CPU time is the iteration's own, or the process's
 * where the run is a single execution.
 *
 * @returns `null` when an iteration has no CPU time, or one of 0, which no ratio can hold. Wall time is at least 1 ns, the
 *   resolution of the clock.
 */
export const iterationTimes = (run: UsableRun, side: Side, metric: Metric): Float64Array | null => {
  const iterations = run.iterations[side];
  const { userNs, systemNs, iterations: executed } = run.trial.sides[side];
  const ofProcess = executed.length === 1 && userNs !== null && systemNs !== null ? userNs + systemNs : undefined;
  const times = new Float64Array(iterations.length);
  for (const [i, iteration] of iterations.entries()) {
    const time = metric === 'time' ? Math.max(1, iteration.e - iteration.s) : (iteration.c ?? ofProcess);
    if (time === undefined || !(time > 0)) return null;
    times[i] = time / (iteration.n ?? 1);
  }
  return times;
};
