import { timesOf } from '../doctor/fit-runs.ts';
import { neighbourSlowdown } from './neighbour.ts';
import type { SizedWorkload, StudyRequest } from './study-request.ts';

/** About how long the runs of a study take, ns: a duet does both sides at once, `sequential` one after the other, a tandem by turns. */
export function expectedStudyTime(
  { methods, neighbours, runs, iterations, durationNs }: StudyRequest,
  sized: readonly Pick<SizedWorkload, 'startNs'>[],
): number {
  const sideNs = sized.reduce((sum, { startNs }) => sum + startNs + iterations * durationNs, 0);
  const sides = methods.reduce((sum, method) => sum + timesOf(method), 0);
  return neighbours.reduce((sum, neighbour) => sum + runs * sides * sideNs * neighbourSlowdown(neighbour), 0);
}
