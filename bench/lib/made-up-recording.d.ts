import type { Commits, Experiment, Method } from '@deadheat/model';

/** What a made-up recording is to say. */
export interface MadeUpOptions {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly name?: string;
  readonly method?: Method;
  readonly commits?: Commits;
  readonly hostname?: string;
  readonly runs?: number;
  /** Iterations of each of two benchmarks that programs hold themselves; absent = single executions of a command. */
  readonly iterations?: number;
  /** Pilot runs that chose the method; absent = none. */
  readonly pilotRuns?: number;
  /** B takes so many times as long as A. */
  readonly slowdown?: number;
}

export function madeUpExperimentFile(
  options: MadeUpOptions & { readonly name: string; readonly method: Method },
): Experiment;
export function madeUpRecording(directory: string, options: MadeUpOptions): Promise<void>;
