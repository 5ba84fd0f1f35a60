import { methodFacts, type Method } from '@deadheat/model';
import type { SizedWorkload } from '../study/study-request.ts';
import { doctorIterations } from './doctor-request.ts';

/** Fewer runs show neither a spread nor what it goes along with. */
export const leastDoctorRuns = 6;
/** More bring little. */
const mostRuns = 30;
/** Start and end of a process beside its own start, and what is written of it, ns. */
const overheadNs = 50e6;
/** Part of the time that the runs may be expected to take: neighbours slow them. */
const planned = 0.75;

/** How many times as long as one side a run takes: sides that have no core each share the time. */
export const timesOf = (method: Method): number => (methodFacts[method].cpus === 'one-each' ? 1 : 2);

/** How much is measured. */
export interface FittedRuns {
  readonly runs: number;
  /** Whether runs with a fixed memory layout fit in as well. */
  readonly fixedLayout: boolean;
  /** About how long the runs take on a machine at rest, ns. */
  readonly expectedNs: number;
}

/**
 * As many runs as fit into the time, from 6 to 30; with too little time for 6 it is the layout that is left out.
 *
 * @param wanted runs that the user asked for; they count whatever time they take.
 */
export function fitRuns({
  sized,
  methods,
  canFixLayout,
  budgetNs,
  wanted,
}: {
  readonly sized: readonly Pick<SizedWorkload, 'startNs'>[];
  readonly methods: readonly Method[];
  readonly canFixLayout: boolean;
  readonly budgetNs: number;
  readonly wanted: number | null;
}): FittedRuns {
  const { count, durationNs } = doctorIterations;
  const processesNs = sized.reduce((sum, { startNs }) => sum + startNs + count * durationNs + overheadNs, 0);
  const roundNs = (fixedLayout: boolean): number =>
    processesNs * (methods.reduce((sum, method) => sum + timesOf(method), 0) + (fixedLayout ? 2 : 0));
  const fitting = (fixedLayout: boolean): number => Math.floor((budgetNs * planned) / roundNs(fixedLayout));
  const fixedLayout = canFixLayout && (wanted !== null || fitting(true) >= leastDoctorRuns);
  const runs = wanted ?? Math.min(mostRuns, Math.max(leastDoctorRuns, fitting(fixedLayout)));
  return { runs, fixedLayout, expectedNs: runs * roundNs(fixedLayout) };
}
