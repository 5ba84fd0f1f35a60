/* The modules of the fleet that its tests use. */
export { initFleet } from '../src/database/fleet-schema.ts';
export { cancelExperiment, pruneFleet, steerWorker } from '../src/operate-fleet.ts';
export { isSlurmFolder, SlurmArray, type FailedPart } from '../src/slurm/slurm-array.ts';
export { resumeOnFleet } from '../src/submit/run-on-fleet.ts';
export { openFleetView } from '../src/fleet-view.ts';
export { runWorker, type WorkerOptions } from '../src/worker/run-worker.ts';
