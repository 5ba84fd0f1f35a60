/** Tells a worker that a job waits, or that one of its runs is cancelled; only the worker listens. */
export const workerChannel = (number: number): string => `deadheat_worker_${number}`;

/** Tells that runs of an experiment changed. */
export const experimentChannel = (id: string): string => `deadheat_experiment_${id}`;

/** Tells that anything in the fleet changed: for those who look on. */
export const fleetChannel = 'deadheat_fleet';
