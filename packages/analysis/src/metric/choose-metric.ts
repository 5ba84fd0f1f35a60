import type { ExperimentConfig, Metric } from '@deadheat/model';
import type { MetricFacts } from './metric-facts.ts';

/** The metric that decides, and why in words. */
export interface MetricChoice {
  readonly metric: Metric;
  readonly reason: string;
}

/** A side that works, or waits for its core, for this share of the wall time is CPU-bound ... */
const BOUND = 0.9;
/** ... and one whose CPU time is above this share of the wall time kept more than one core busy, so that CPU time is not what a user waits for. */
const ONE_CORE = 1.1;
/** CPU time is told in microseconds: below this a time in ns has too few of them. */
const SHORTEST_NS = 1_000_000;

/** What the metric `undelayed` is called. */
const undelayed = 'wall time without waiting for a CPU';

const share = (value: number): string => value.toFixed(2);

/**
 * Decides between wall time and CPU time. Asked for one of them, that one; CPU time only where it was measured. `auto`
 * takes CPU time when both sides are CPU-bound on one core (working or waiting for the core for at least 0.9 of the wall
 * time, CPU time at most 1.1 of it, in undisturbed executions), neither is shorter than 1 ms and CPU time is not told in
 * coarse steps, because then CPU time is the wall time without what others took of the core; and where a side waits for other things and
 * all executions tell how long they waited for a CPU, the wall time without that. A tandem has CPU time alone.
 */
export const chooseMetric = (asked: ExperimentConfig['metric'], facts: MetricFacts): MetricChoice => {
  const { cpuShares, busyShares, waitsForOthers, medianNs, coarseStepNs, isTandem } = facts;
  if (isTandem) {
    return {
      metric: 'cpu',
      reason: 'CPU time: both sides share one core, where the wall time of each is that of both',
    };
  }
  if (asked === 'time') return { metric: 'time', reason: 'wall time, as asked' };
  if (asked === 'undelayed') {
    return waitsForOthers
      ? { metric: 'undelayed', reason: `${undelayed}, as asked` }
      : {
          metric: 'time',
          reason: 'wall time: how long a side waited for a CPU, and for whom, is not known for every execution',
        };
  }
  if (cpuShares === null || busyShares === null) {
    const reason = 'wall time: CPU time was not measured for every execution';
    return { metric: 'time', reason: asked === 'cpu' ? `${reason}, though it was asked for` : reason };
  }
  const both = `of its wall time A works or waits for its core ${share(busyShares.A)}, B ${share(busyShares.B)}`;
  if (asked === 'cpu') return { metric: 'cpu', reason: `CPU time, as asked; ${both}` };
  if (Math.min(medianNs.A, medianNs.B) < SHORTEST_NS) {
    return {
      metric: 'time',
      reason: `wall time: an execution is shorter than 1 ms, too short for CPU clocks; ${both}`,
    };
  }
  if (coarseStepNs !== null) {
    return {
      metric: 'time',
      reason: `wall time: CPU time is told in steps of ${coarseStepNs / 1e6} ms here, too coarse; ${both}`,
    };
  }
  const low = Math.min(busyShares.A, busyShares.B);
  const high = Math.max(cpuShares.A, cpuShares.B);
  if (high > ONE_CORE && low >= BOUND) {
    return { metric: 'time', reason: `wall time: a side keeps more than one core busy; ${both}` };
  }
  if (low < BOUND) {
    return waitsForOthers && high <= ONE_CORE
      ? { metric: 'undelayed', reason: `${undelayed}: not both sides are CPU-bound; ${both}` }
      : { metric: 'time', reason: `wall time: not both sides are CPU-bound; ${both}` };
  }
  return {
    metric: 'cpu',
    reason: `CPU time: both sides are CPU-bound, and it leaves out what others took of the cores; ${both}`,
  };
};
