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
  /** Median wall time of one execution, ns. */
  readonly medianNs: Readonly<Record<Side, number>>;
}

/** An execution this much into the upper tail of the shares counts as undisturbed. */
const UNDISTURBED = 0.9;

const sharesOf = (runs: readonly UsableRun[], side: Side): number[] | null => {
  const shares: number[] = [];
  for (const run of runs) {
    const cpu = iterationTimes(run, side, 'cpu');
    const wall = iterationTimes(run, side, 'time');
    if (cpu === null || wall === null) return null;
    for (const [i, time] of cpu.entries()) shares.push(time / at(wall, i));
  }
  return shares;
};

const medianOf = (runs: readonly UsableRun[], side: Side): number =>
  median(runs.flatMap((run) => run.iterations[side].map(({ s, e }) => e - s)));

/** Gathers the facts from at least one usable run. */
export const metricFacts = (runs: readonly UsableRun[]): MetricFacts => {
  const shares = { A: sharesOf(runs, 'A'), B: sharesOf(runs, 'B') };
  return {
    cpuShares:
      shares.A === null || shares.B === null
        ? null
        : { A: quantile(shares.A, UNDISTURBED), B: quantile(shares.B, UNDISTURBED) },
    medianNs: { A: medianOf(runs, 'A'), B: medianOf(runs, 'B') },
  };
};
