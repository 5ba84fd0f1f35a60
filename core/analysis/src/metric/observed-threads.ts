import type { SideResult } from '@deadheat/model';

/** With fewer samples neither the share nor the mean number says anything. */
const fewestSamples = 5;

/** Above this mean number of threads that compute or wait for a CPU, a program would use several cores. */
export const severalThreads = 1.5;

/** Observed use of CPUs by one side, over its observed runs. */
export interface ObservedThreads {
  readonly samples: number;
  /** Share of the samples in which any of its threads computed or waited for a CPU, 0..1. */
  readonly runnable: number;
  /** Mean number of such threads in those samples; `null` when they were fewer than five. */
  readonly threads: number | null;
}

/**
 * Sums up what was seen of all threads of a side.
 *
 * @param runs the results of one side; those that were not observed say nothing
 * @returns `null` with fewer than five samples
 */
export function observedThreads(runs: readonly SideResult[]): ObservedThreads | null {
  let [samples, runnable, threads] = [0, 0, 0];
  for (const { observed } of runs) {
    if (observed === undefined) continue;
    samples += observed.samples;
    runnable += observed.samples * observed.runnable;
    threads += observed.samples * observed.runnable * observed.tasks;
  }
  if (samples < fewestSamples) return null;
  return { samples, runnable: runnable / samples, threads: runnable < fewestSamples ? null : threads / runnable };
}
