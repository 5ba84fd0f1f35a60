import type { Experiment, Trial } from './recording.ts';
import type { Report } from './report.ts';
import type { Warning } from './warning.ts';

/** The progress of one benchmark. */
export interface Progress {
  /** Index into `config.benchmarks`. */
  readonly benchmark: number;
  /** Runs that are done. */
  readonly runs: number;
  /** Runs that the stop rule asks for as far as is known; `null` = not known yet. */
  readonly expectedRuns: number | null;
  /** Time since its first run began, ns. */
  readonly elapsedNs: number;
  /** Share done by the stop rule's own measure, 0..1. */
  readonly share: number;
  /** Its stop rule needs no more runs. */
  readonly done: boolean;
}

/**
 * An event that the engine emits while it works; reporters are sinks. No event is emitted while a run is being timed.
 */
export type EngineEvent =
  | {
      readonly kind: 'experiment-started';
      readonly directory: string;
      readonly experiment: Experiment;
      readonly resumedTrials: number;
    }
  | { readonly kind: 'trial-finished'; readonly trial: Trial; readonly progress: Progress }
  | { readonly kind: 'warning'; readonly warning: Warning }
  | { readonly kind: 'experiment-finished'; readonly directory: string; readonly report: Report };
