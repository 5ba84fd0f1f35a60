import { mean } from '@deadheat/stats';
import type { Method, Side, Trial } from '@deadheat/model';
import { iterationTimes, type TimeMetric } from '../metric/iteration-times.ts';
import type { UsableRun } from '../pairing/usable-run.ts';

/** What one process of a run took. */
export interface ProcessLevel {
  readonly cpu: number;
  /** Logarithm of the mean wall time of its judged iterations, ns. */
  readonly logTime: number;
  /** The same of the CPU time of the thread that did the work, or of the process; `null` = not measured. */
  readonly logCpuTime: number | null;
}

/** One run of an A/A comparison. */
export interface RunLevel {
  /** Benchmark with its parameters. */
  readonly label: string;
  readonly method: Method;
  readonly trial: Trial;
  readonly processes: readonly [ProcessLevel, ProcessLevel];
}

/** Outliers stay as they are: to find what brings them about is the question here. */
export const runLevel = (
  run: UsableRun,
  { label, method }: { readonly label: string; readonly method: Method },
): RunLevel => ({
  label,
  method,
  trial: run.trial,
  processes: [processLevel(run, 'A'), processLevel(run, 'B')],
});

const processLevel = (run: UsableRun, side: Side): ProcessLevel => {
  const logOf = (metric: TimeMetric): number | null => {
    const times = iterationTimes(run, side, metric);
    return times === null || times.length === 0 ? null : Math.log(mean(times));
  };
  return {
    cpu: run.trial.sides[side].cpu,
    // Wall times are there for every iteration, and a usable run has some.
    logTime: logOf('time') ?? 0,
    logCpuTime: logOf('thread') ?? logOf('cpu'),
  };
};
