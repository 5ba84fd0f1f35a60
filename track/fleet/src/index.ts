export { cancelExperiment } from './operate-fleet.ts';
export { resumeOnCluster, runOnCluster } from './schedulers/run-on-cluster.ts';
export { fleetScheduler, runFleet } from './submit/fleet-scheduler.ts';
export { openFleetView, type FleetExperiment, type FleetView, type FleetWorker } from './fleet-view.ts';
