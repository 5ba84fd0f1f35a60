/*
 * The plug of the house: the families of subcommands and the schedulers that the command loads from this package.
 */
import { resumeOnSlurm, runOnSlurm } from '@deadheat/fleet';

export { fleet, history } from './families.ts';
export { fleetScheduler } from '@deadheat/fleet';

/** The scheduler that submits the parts of an experiment as an array job of Slurm. */
export const slurmScheduler = { runOnSlurm, resumeOnSlurm } as const;
