/*
 * What follows a branch and keeps its history complete, `deadheat watch`. For the command alone; it may change with any version.
 */
export { type WatchRequest, watch } from './watch.ts';
export type { CollectorEvent } from './collector.ts';
export { mostTries } from './notes.ts';
