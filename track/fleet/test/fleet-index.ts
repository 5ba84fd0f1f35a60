/* The modules of the fleet that its tests use. */
export { cancelExperiment, initFleet, pruneFleet, steerWorker } from '../src/operate-fleet.ts';
export { toJob } from '../src/schedulers/kubernetes.ts';
export { type ArrayProgress, PartArray, type FailedPart, type PartsJob } from '../src/schedulers/part-array.ts';
export { resumeOnFleet } from '../src/submit/run-on-fleet.ts';
export { openFleetView } from '../src/fleet-view.ts';
export { runWorker, type WorkerOptions } from '../src/worker/run-worker.ts';
