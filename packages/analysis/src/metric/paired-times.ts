import { at } from '../internal/at.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import type { JudgedTimes } from './judged-times.ts';

/** The times of the pairs, ns: a list a run, A's and B's of one pair at the same place. */
export interface PairedTimes {
  readonly A: readonly Float64Array[];
  readonly B: readonly Float64Array[];
}

const pick = (times: Float64Array, rows: Int32Array): Float64Array => {
  const picked = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) picked[k] = times[rows[k]!]!;
  return picked;
};

/** Picks the times of every run's pairs; in `async-duet` an iteration may be in several. */
export const pairedTimes = (runs: readonly UsableRun[], times: JudgedTimes): PairedTimes => ({
  A: runs.map(({ pairs }, r) => pick(at(times.A, r), pairs.a)),
  B: runs.map(({ pairs }, r) => pick(at(times.B, r), pairs.b)),
});
