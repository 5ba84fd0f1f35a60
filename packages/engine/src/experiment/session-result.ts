import type { BenchmarkPoints, Experiment, Failure, Report } from '@deadheat/model';

/** How an experiment ended. */
export type Outcome =
  | { readonly kind: 'done' }
  /** A workload or a hook failed; the runs before it are kept. */
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'interrupted' }
  /** The time limit passed without a result for every benchmark. */
  | { readonly kind: 'time-limit' };

export interface SessionResult {
  readonly directory: string;
  /** As it is recorded in the end, with the methods that were chosen. */
  readonly experiment: Experiment;
  readonly report: Report;
  readonly outcome: Outcome;
  /** What was measured, as a report draws it; made when it is asked for. */
  readonly points: () => readonly BenchmarkPoints[];
}
