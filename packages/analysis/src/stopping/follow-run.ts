import type { MeasuredRun, Metric } from '@deadheat/model';
import type { IterationSample } from './iteration-sample.ts';
import type { RunStability, RunStep } from './run-stability.ts';

/**
 * Gives the rows of a run, from `from` on, that both sides have to what follows its stability.
 *
 * @returns the first row that was not there yet, and what the run is to do next.
 */
export const followRun = (
  stability: RunStability,
  { A, B }: MeasuredRun['iterations'],
  state: { readonly from: number; readonly step: RunStep },
): { readonly from: number; readonly step: RunStep } => {
  const rows = Math.min(A.length, B.length);
  if (rows <= state.from) return state;
  const times = { A: invocationTimes(A, stability.metric), B: invocationTimes(B, stability.metric) };
  let { step } = state;
  for (let row = state.from; row < rows; row++) {
    step = stability.take({ A: times.A(row), B: times.B(row) }, A.isWarmup(row) ? 'warmup' : 'measure');
  }
  return { from: rows, step };
};

/**
 * Times of invocations in each row, ns: of wall times those that the record tells of, else the mean over as many as an
 * iteration held. Where CPU time is not recorded, wall time stands for it.
 */
export const invocationTimes = (
  iterations: MeasuredRun['iterations']['A'],
  metric: Metric = 'time',
): ((row: number) => IterationSample) => {
  const { startsNs, endsNs } = iterations;
  const invocations = iterations.metric('n');
  const cpuNs = metric === 'cpu' ? iterations.metric('c') : null;
  return (row) => {
    const times = cpuNs === null ? (iterations.invocationTimes?.(row) ?? null) : null;
    if (times !== null) return times;
    const n = invocations?.[row] ?? 1;
    return (cpuNs?.[row] || endsNs[row]! - startsNs[row]!) / (n >= 1 ? n : 1);
  };
};
