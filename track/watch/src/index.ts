export { type WatchRequest, watch } from './watch.ts';
export { describeCollected } from './describe-collected.ts';
