import type { Benchmark, ExperimentConfig, Method, RunPhase, Schedule, Settings, Side, Warning } from '@deadheat/model';

/** How long something is expected to take, as far as that can be known before the first run. */
export interface ExpectedTime {
  /** Mean wall time of a run, hooks included, in `recording`; `null` = unknown until the first run. */
  readonly runNs: number | null;
  /** The earlier recording of the same experiment that it was measured in. */
  readonly recording: string | null;
  /** `null` = unknown. */
  readonly leastNs: number | null;
  /** `null` = unknown or without a limit. */
  readonly mostNs: number | null;
}

/** One side as it will be executed. */
export interface PlannedSide {
  readonly name: string;
  readonly commandLine: string;
  readonly argv: readonly string[];
  readonly workingDirectory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /** Hooks that there are. */
  readonly hooks: Readonly<Record<string, string>>;
}

/** A benchmark, its parameters and one method. */
export interface PlanEntry {
  /** Number of the entry, from 1. */
  readonly entry: number;
  readonly benchmark: string;
  readonly params: Benchmark['params'];
  readonly method: Method;
  /** Number of the entry whose pilot runs choose the method; `null` = it is fixed. */
  readonly chosenBy: number | null;
  readonly workload: Benchmark['workload'];
  readonly settings: Omit<Settings, 'method'>;
  readonly sides: Readonly<Record<Side, PlannedSide>>;
  readonly expected: ExpectedTime;
}

/** One run as it was drawn. */
export interface PlannedRun {
  readonly entry: number;
  readonly run: number;
  readonly phase: RunPhase;
  readonly order: 'AB' | 'BA';
  readonly cpus: Readonly<Record<Side, number>>;
}

/** What `deadheat run --dry-run` shows. */
export interface Plan {
  readonly schema: 'deadheat.plan/1';
  readonly name: string;
  readonly seed: string;
  /** Whether neither file nor command line has a seed: the experiment itself will draw another. */
  readonly seedIsDrawn: boolean;
  readonly schedule: Schedule;
  readonly cpus: ExperimentConfig['cpus'];
  readonly experimentTimeoutNs: number | null;
  readonly artifacts: Readonly<Record<string, string>>;
  readonly entries: readonly PlanEntry[];
  /** The first rounds, in order; a round is one run of each entry that needs more. */
  readonly rounds: readonly (readonly PlannedRun[])[];
  readonly expected: Pick<ExpectedTime, 'leastNs' | 'mostNs'>;
  readonly warnings: readonly Warning[];
}
