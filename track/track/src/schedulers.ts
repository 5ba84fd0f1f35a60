import { fleetScheduler, resumeOnSlurm, runOnSlurm } from '@deadheat/fleet';

export { fleetScheduler };

/** The scheduler that submits the parts of an experiment as an array job of Slurm. */
export const slurmScheduler = { runOnSlurm, resumeOnSlurm } as const;
