export { codeSchema, type Code } from './code.ts';
export { checkFleetUrl } from './database/link.ts';
export { initFleet } from './database/init-fleet.ts';
export { rolesSql } from './database/roles.ts';
export { FleetError, type FleetErrorCode } from './fleet-error.ts';
export { cancelExperiment, pruneFleet, steerWorker, type FleetPlace, type WorkerAction } from './operate-fleet.ts';
export {
  detachOnFleet,
  resumeOnFleet,
  runOnFleet,
  type DetachedExperiment,
  type RunOnFleetOptions,
} from './submit/run-on-fleet.ts';
export type { SubmitEvent } from './submit/follow.ts';
export type { FleetExperiment, FleetView, FleetWorker } from './view/fleet-view.ts';
export { openFleetView } from './view/open-fleet-view.ts';
export { isSecretVariable } from './worker/guest-rules.ts';
export { isRepositoryAddress } from './worker/repository-place.ts';
export type { Permissions } from './worker/permissions.ts';
export type { ReadExperiment } from './worker/prepare-experiment.ts';
export { runWorker, type WorkerOptions } from './worker/run-worker.ts';
export type { WorkerEvent } from './worker/worker-event.ts';
export { isSlurmFolder, SlurmArray, SlurmError } from './slurm/slurm-array.ts';
export type { PartsJob, ArrayProgress, FailedPart, SlurmErrorCode } from './slurm/slurm-array.ts';
