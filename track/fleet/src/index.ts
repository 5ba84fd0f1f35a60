export { cancelExperiment } from './operate-fleet.ts';
export { resumeOnSlurm, runOnSlurm } from './slurm/run-on-slurm.ts';
export { fleetScheduler, runFleet } from './submit/fleet-scheduler.ts';
export type { FleetExperiment, FleetView, FleetWorker } from './view/fleet-view.ts';
export { openFleetView } from './view/open-fleet-view.ts';
