import type { Side } from '@deadheat/model';
import { winsorizeRun } from '@deadheat/stats';
import type { UsableRun } from '../pairing/select-runs.ts';
import { iterationTimes, type TimeMetric } from './iteration-times.ts';

/** Fewer iterations than this have no range that an outlier could stand out from. */
const FEWEST_FOR_WINSORIZING = 4;

/** The times that a comparison is made from, ns: a list a run, outliers moved. */
export interface JudgedTimes {
  readonly A: readonly Float64Array[];
  readonly B: readonly Float64Array[];
  /** Times that were moved. */
  readonly outliers: number;
}

/**
 * The times of all runs in one metric. In runs of at least four iterations at most one time a side that lies more than 20 %
 * of the others' range outside of it is moved to the nearest of the others.
 *
 * @returns `null` when the metric is not known for every iteration.
 * Source: Bulej et al., ICPE'20, section 4.
 */
export const judgedTimes = (runs: readonly UsableRun[], metric: TimeMetric): JudgedTimes | null => {
  let outliers = 0;
  const judged: Record<Side, Float64Array[]> = { A: [], B: [] };
  for (const run of runs) {
    for (const side of ['A', 'B'] as const) {
      const times = iterationTimes(run, side, metric);
      if (times === null) return null;
      if (times.length < FEWEST_FOR_WINSORIZING) {
        judged[side].push(times);
        continue;
      }
      const { values, replaced } = winsorizeRun(times);
      judged[side].push(values);
      if (replaced !== null) outliers++;
    }
  }
  return { ...judged, outliers };
};
