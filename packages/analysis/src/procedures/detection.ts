import type { Random } from '@deadheat/stats';
import type { PairedRun } from './paired-run.ts';

/** What a test for a change says about B against A. */
export interface Detection {
  /** Whether it reports a change, in whichever direction. */
  readonly detected: boolean;
  /** `none` exactly when nothing was detected. */
  readonly direction: 'slower' | 'faster' | 'none';
}

/** A test for a change over the runs of one experiment; it draws from the given stream alone. */
export type DetectionTest = (runs: readonly PairedRun[], random: Random) => Detection;
