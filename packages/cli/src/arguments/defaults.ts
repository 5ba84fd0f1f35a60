import type { IntervalKind, Method } from '@deadheat/model';

/** How an interval is made where the user does not say. */
interface IntervalDefaults {
  readonly confidence: number;
  readonly interval: IntervalKind;
  readonly replicates: number;
}

/** Sources: ICPE'20 sections 3 and 4 with Hesterberg 2015 for the duet; Drozdik's thesis section 4.3.2 for the others. */
export const intervalDefaults: Readonly<Record<Method, IntervalDefaults>> = {
  'sync-duet': { confidence: 0.99, interval: 'expanded', replicates: 10_000 },
  'async-duet': { confidence: 0.95, interval: 'bca', replicates: 9_999 },
  sequential: { confidence: 0.95, interval: 'bca', replicates: 9_999 },
};

/** The stop rule: at least this many runs and this much time. */
export const enoughRuns = 20;
export const enoughTimeNs = 5e9;

/** At this much time a slow benchmark ends with what it has, once it has {@link fewestRuns}. */
export const defaultMaxTimeNs = 60e9;

/** Fewest runs that carry a result. */
export const fewestRuns = 5;

/** Executions of a side in one run of `async-duet`. */
export const asyncIterations = 10;

/** Smallest overlap rate of a pair of `async-duet` (thesis section 5.2.3). */
export const minimumOverlapRate = 0.4;
