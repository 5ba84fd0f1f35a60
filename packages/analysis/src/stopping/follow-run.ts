import type { MeasuredRun } from '@deadheat/model';
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
  const times = { A: invocationTimes(A), B: invocationTimes(B) };
  let { step } = state;
  for (let row = state.from; row < rows; row++) {
    step = stability.take({ A: times.A(row), B: times.B(row) }, A.isWarmup(row) ? 'warmup' : 'measure');
  }
  return { from: rows, step };
};

/** Times of invocations in each row, ns: those that the record tells of, else the mean over as many as an iteration held. */
export const invocationTimes = (iterations: MeasuredRun['iterations']['A']): ((row: number) => IterationSample) => {
  const { startsNs, endsNs } = iterations;
  const invocations = iterations.metric('n');
  return (row) => {
    const times = iterations.invocationTimes?.(row) ?? null;
    if (times !== null) return times;
    const n = invocations?.[row] ?? 1;
    return (endsNs[row]! - startsNs[row]!) / (n >= 1 ? n : 1);
  };
};
