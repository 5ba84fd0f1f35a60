import type { TimeSpan } from '../pairing/time-span.ts';

/** When the iterations of one run ran, side by side. An iteration of a recording is a span. */
export interface SpansOfRun {
  readonly A: readonly TimeSpan[];
  readonly B: readonly TimeSpan[];
}
