/*
 * What follows a branch and keeps its history complete, `deadheat watch`. For the command alone; it may change with any version.
 */
export { type WatchRequest, watch } from './watch.ts';
export { describeCollected } from './describe-collected.ts';
