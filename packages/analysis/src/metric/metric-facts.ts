import { median, quantile } from '@deadheat/stats';
import type { Side } from '@deadheat/model';
import { at } from '../internal/at.ts';
import type { UsableRun } from '../pairing/usable-run.ts';
import { iterationTimes } from './iteration-times.ts';

/** What the choice of the metric depends on. */
export interface MetricFacts {
  /**
   * CPU time over wall time of each side's undisturbed executions: the 90th percentile over its measured ones, since a
   * disturbed execution waits and so has a smaller share. `null` when CPU time is not known for all.
   */
  readonly cpuShares: Readonly<Record<Side, number>> | null;
  /**
   * How much of the wall time each side was working or waiting for its core, at most 1: like `cpuShares`, with the time
   * added for which the program was runnable and another one ran. That takes the disturbance out of the question
   * whether a program is CPU-bound. Without that time: `cpuShares`.
   */
  readonly busyShares: Readonly<Record<Side, number>> | null;
  /** Median wall time of one execution, ns. */
  readonly medianNs: Readonly<Record<Side, number>>;
}

/** An execution this much into the upper tail of the shares counts as undisturbed. */
const UNDISTURBED = 0.9;

interface Shares {
  readonly cpu: readonly number[];
  readonly busy: readonly number[];
}

const sharesOf = (runs: readonly UsableRun[], side: Side): Shares | null => {
  const shares = { cpu: [] as number[], busy: [] as number[] };
  for (const run of runs) {
    const cpu = iterationTimes(run, side, 'cpu');
    const wall = iterationTimes(run, side, 'time');
    if (cpu === null || wall === null) return null;
    for (const [i, time] of cpu.entries()) {
      const { q: runDelay = 0, n = 1 } = at(run.iterations[side], i);
      shares.cpu.push(time / at(wall, i));
      shares.busy.push(Math.min(1, (time + runDelay / n) / at(wall, i)));
    }
  }
  return shares;
};

const medianOf = (runs: readonly UsableRun[], side: Side): number =>
  median(runs.flatMap((run) => run.iterations[side].map(({ s, e }) => e - s)));

/** Gathers the facts from at least one usable run. */
export const metricFacts = (runs: readonly UsableRun[]): MetricFacts => {
  const shares = { A: sharesOf(runs, 'A'), B: sharesOf(runs, 'B') };
  const undisturbed = (kind: keyof Shares): Readonly<Record<Side, number>> | null =>
    shares.A === null || shares.B === null
      ? null
      : { A: quantile(shares.A[kind], UNDISTURBED), B: quantile(shares.B[kind], UNDISTURBED) };
  return {
    cpuShares: undisturbed('cpu'),
    busyShares: undisturbed('busy'),
    medianNs: { A: medianOf(runs, 'A'), B: medianOf(runs, 'B') },
  };
};
