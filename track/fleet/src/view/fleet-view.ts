import type { Machine } from '@deadheat/model';

/** A machine of a fleet as its worker describes it. */
export interface FleetWorker {
  readonly id: string;
  readonly machine: Machine;
  /** Labels that the worker was started with, such as instance type and region. */
  readonly labels: Readonly<Record<string, string>>;
  readonly toolVersion: string;
  /** `gone`: the worker ended, or its lease ran out. */
  readonly state: 'idle' | 'busy' | 'gone';
  /** True when it ended in order, or its operator forgot it; absent = not known. */
  readonly left?: boolean | undefined;
  /** True when it takes no more runs, because its operator said so. */
  readonly draining?: boolean | undefined;
  /** ISO 8601. */
  readonly seenAt: string;
  /** Id of the experiment of its current run; `null` = none. */
  readonly experiment: string | null;
}

/** An experiment that was submitted to a fleet. */
export interface FleetExperiment {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly submittedAt: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Number of finished runs. */
  readonly runs: number;
  /** Number of runs that are planned so far; a stop rule may ask for more, and in the end it is the number of those that were made. */
  readonly plannedRuns: number;
  /** Number of runs that workers execute. */
  readonly inFlight: number;
  /** Workers that executed a run. */
  readonly hosts: readonly string[];
  /** Why it failed; `null` else. */
  readonly failure: string | null;
}

/** A read-only view of a fleet. Every method throws `HistoryError` or `FleetError`. */
export interface FleetView {
  workers(): Promise<readonly FleetWorker[]>;
  /** The newest first, at most `limit`. */
  experiments(limit: number): Promise<readonly FleetExperiment[]>;
  /** Calls `onChange` after each change; returns a function that ends that. */
  watch(onChange: () => void): Promise<() => void>;
  close(): Promise<void>;
}
