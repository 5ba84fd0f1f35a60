import type { RunsOfTimes } from '../pairing/runs-of-times.ts';

/** The times of both sides over all runs, in one unit. */
export interface SidesOfTimes {
  readonly A: RunsOfTimes;
  readonly B: RunsOfTimes;
}
