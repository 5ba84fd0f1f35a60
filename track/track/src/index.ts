/*
 * The plug of the house: the families of subcommands and the schedulers that the command loads from this package.
 */
import { resumeOnCluster, runOnCluster } from '@deadheat/fleet';

export { fleet, history } from './families.ts';
export { fleetScheduler } from '@deadheat/fleet';

/** The schedulers that execute the parts of an experiment as the tasks of a job: Slurm, Grid Engine and Kubernetes. */
export const clusterScheduler = { runOnCluster, resumeOnCluster } as const;
