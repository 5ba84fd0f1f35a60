import { longPilotNs } from '@deadheat/engine';
import type { Settings } from '@deadheat/model';
import type { EarlierRuns } from './earlier-runs.ts';
import type { ExpectedTime } from './plan.ts';

type Rule = Pick<Settings, 'stop' | 'stable' | 'maxTimeNs' | 'leastRuns' | 'warmupRuns' | 'pilotRuns'> & {
  /** Runs that are made at the same time. */
  readonly lanes: number;
};

/** How long an entry takes if its runs are as long as they were; without earlier runs nothing is known. */
export function expectTime(rule: Rule, earlier: EarlierRuns | null): ExpectedTime {
  if (earlier === null) return { runNs: null, recording: null, leastNs: null, mostNs: null };
  const { recording, runNs } = earlier;
  const { stop, stable, maxTimeNs, leastRuns, warmupRuns, pilotRuns, lanes } = rule;
  // They end when they have taken long enough.
  const pilotsNs = Math.min(pilotRuns, Math.ceil(longPilotNs / runNs)) * runNs;
  const timeOf = (runs: number): number => pilotsNs + ((runs + warmupRuns) * runNs) / lanes;
  /** No run begins after the limit once there are the fewest; the one in flight is finished. */
  const limitNs = maxTimeNs === null ? Infinity : Math.max(maxTimeNs + runNs, timeOf(leastRuns));
  const [least, most] = ((): readonly [number, number] => {
    switch (stop.kind) {
      case 'runs':
        return [timeOf(stop.runs), timeOf(stop.runs)];
      case 'enough': {
        const wanted = Math.max(timeOf(stop.minRuns), stop.minTimeNs);
        const time = stop.maxRuns === null ? wanted : Math.min(wanted, timeOf(stop.maxRuns));
        return [time, time];
      }
      case 'stable':
        return [timeOf(stop.minRuns), timeOf(Math.floor(stop.maxRuns * (stable?.liftCaps ?? 1)))];
      case 'precision':
      case 'decided':
        return [timeOf(stop.minRuns), stop.maxRuns === null ? Infinity : timeOf(stop.maxRuns)];
    }
  })();
  const mostNs = Math.min(most, limitNs);
  return { runNs, recording, leastNs: Math.min(least, limitNs), mostNs: mostNs === Infinity ? null : mostNs };
}

/** The sum over all entries, and no more than the experiment's own limit; `null` as soon as one is unknown. */
export function totalTime(
  expected: readonly ExpectedTime[],
  experimentTimeoutNs: number | null,
): Pick<ExpectedTime, 'leastNs' | 'mostNs'> {
  const sum = (key: 'leastNs' | 'mostNs'): number | null =>
    expected.reduce<number | null>((total, { [key]: ns }) => (total === null || ns === null ? null : total + ns), 0);
  const cut = (ns: number | null): number | null =>
    ns === null || experimentTimeoutNs === null ? ns : Math.min(ns, experimentTimeoutNs);
  return { leastNs: cut(sum('leastNs')), mostNs: cut(sum('mostNs')) ?? experimentTimeoutNs };
}
