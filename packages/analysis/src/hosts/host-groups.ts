import { at } from '../internal/at.ts';
import type { UsableRun } from '../pairing/usable-run.ts';
import type { ResamplingUnits } from '../units/resampling-units.ts';

/** What belongs to one machine. */
export interface HostGroup {
  readonly id: string;
  /** Places in the list of usable runs. */
  readonly runs: readonly number[];
  /** Places in the list of units. */
  readonly units: readonly number[];
}

/** The machines that runs were made on, in the order of their ids; `null` where there are fewer than two. */
export const hostGroups = (runs: readonly UsableRun[], { members }: ResamplingUnits): readonly HostGroup[] | null => {
  const hostOf = (r: number): string => at(runs, r).trial.host ?? '';
  const ids = [...new Set(runs.map((_, r) => hostOf(r)))].toSorted();
  if (ids.length < 2) return null;
  return ids.map((id) => ({
    id,
    runs: runs.flatMap((_, r) => (hostOf(r) === id ? [r] : [])),
    // A unit never spans two machines.
    units: members.flatMap((unit, u) => (hostOf(at(unit, 0)) === id ? [u] : [])),
  }));
};
