export { cancelExperiment } from './operate-fleet.ts';
export { resumeOnSlurm, runOnSlurm } from './slurm/run-on-slurm.ts';
export { fleetScheduler, runFleet } from './submit/fleet-scheduler.ts';
export { openFleetView, type FleetExperiment, type FleetView, type FleetWorker } from './fleet-view.ts';
