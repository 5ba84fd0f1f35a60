import { at } from '../internal/at.ts';
import type { UsableRun } from '../pairing/usable-run.ts';
import type { JudgedTimes } from './judged-times.ts';

/** The times of the pairs, ns: a list a run, A's and B's of one pair at the same place. */
export interface PairedTimes {
  readonly A: readonly Float64Array[];
  readonly B: readonly Float64Array[];
}

/** Picks the times of every run's pairs; in `async-duet` an iteration may be in several. */
export const pairedTimes = (runs: readonly UsableRun[], times: JudgedTimes): PairedTimes => ({
  A: runs.map((run, r) => Float64Array.from(run.pairs, ({ a }) => at(at(times.A, r), a))),
  B: runs.map((run, r) => Float64Array.from(run.pairs, ({ b }) => at(at(times.B, r), b))),
});
