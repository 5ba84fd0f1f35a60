import type { Machine } from './machine.ts';

/** A machine of a fleet, as its worker told of it. */
export interface FleetWorker {
  readonly id: string;
  readonly machine: Machine;
  /** What it was started with: instance type, region and the like. */
  readonly labels: Readonly<Record<string, string>>;
  readonly toolVersion: string;
  /** `gone`: it ended, or has not told of itself for longer than a run may take. */
  readonly state: 'idle' | 'busy' | 'gone';
  /** ISO 8601. */
  readonly seenAt: string;
  /** Id of the experiment of the run that it has in hand; `null` = none. */
  readonly experiment: string | null;
}

/** An experiment that was given to a fleet. */
export interface FleetExperiment {
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly submittedAt: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Runs that are in. */
  readonly runs: number;
  /** Runs that are asked for so far; more may follow where a stop rule decides. */
  readonly plannedRuns: number;
  /** Runs in the hands of workers. */
  readonly inFlight: number;
  /** Workers that brought a run. */
  readonly hosts: readonly string[];
  /** Why it failed; `null` else. */
  readonly failure: string | null;
}

/** What can be seen of a fleet without taking part in it. Every method throws `HistoryError` or `FleetError`. */
export interface FleetView {
  workers(): Promise<readonly FleetWorker[]>;
  /** The newest first, at most `limit`. */
  experiments(limit: number): Promise<readonly FleetExperiment[]>;
  /** Calls back each time that something changed; what is given back ends that. */
  watch(onChange: () => void): Promise<() => void>;
  close(): Promise<void>;
}
