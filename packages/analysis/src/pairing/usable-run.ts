import type { Side, Trial } from '@deadheat/model';
import type { MeasuredIterations } from '../columns/measured-iterations.ts';
import type { PairedRows } from './overlapping-rows.ts';

/** A run that counts: finished without failure, with measured iterations on both sides and, in a duet, with pairs. */
export interface UsableRun {
  readonly trial: Trial;
  /** The iterations that are judged: warm-up left out. */
  readonly iterations: Readonly<Record<Side, MeasuredIterations>>;
  /** Rows of `iterations`; empty for `sequential`. */
  readonly pairs: PairedRows;
  /** CPU time of a side's process, ns, where it is that of a single execution of a command; else `null`. */
  readonly processCpuNs: Readonly<Record<Side, number | null>>;
}
