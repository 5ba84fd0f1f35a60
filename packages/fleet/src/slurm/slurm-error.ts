import { DeadheatError } from '@deadheat/model';

/**
 * Why an array of jobs could not be had.
 *
 * - `SLURM_MISSING`: there is no `sbatch` here.
 * - `SLURM_REFUSED`: Slurm did not take the job; the message holds what it said.
 * - `SLURM_LOST`: Slurm did not answer any more; the jobs may go on.
 */
export type SlurmErrorCode = 'SLURM_MISSING' | 'SLURM_REFUSED' | 'SLURM_LOST';

/** An array of jobs could not be had; the message says why and what to do. */
export class SlurmError extends DeadheatError<SlurmErrorCode> {
  override readonly name = 'SlurmError';
}
