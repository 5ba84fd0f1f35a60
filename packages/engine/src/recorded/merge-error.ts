import { DeadheatError } from '@deadheat/model';

/**
 * Why recordings cannot be brought together.
 *
 * - `NOTHING_TO_MERGE`: no recording was given.
 * - `CONFIGURATIONS_DIFFER`: they were made with different settings, of different programs, or by different versions.
 * - `METHODS_DIFFER`: pilot runs chose one method for a benchmark in one part, and another in another.
 * - `DIFFERENT_EXPERIMENTS`: of the same settings, but not parts of one experiment.
 * - `RUN_TWICE`: two of them hold the same run with different results.
 */
export type MergeErrorCode =
  'NOTHING_TO_MERGE' | 'CONFIGURATIONS_DIFFER' | 'METHODS_DIFFER' | 'DIFFERENT_EXPERIMENTS' | 'RUN_TWICE';

/** Recordings cannot be brought together; the message says which, why, and what to do. */
export class MergeError extends DeadheatError<MergeErrorCode> {
  override readonly name = 'MergeError';
}
