import type { Machine, Method } from '@deadheat/model';
import type { DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './finding.ts';

/** What one method sees of one workload on this machine. */
export interface MethodSight {
  readonly workload: string;
  readonly method: Method;
  /** Runs that count: of `async-duet` those in which executions overlapped. */
  readonly runs: number;
  /**
   * Smallest true slowdown that so many runs would have called slower with a probability of 80 %; 0.01 = 1 %. `null` = fewer
   * than two runs count.
   */
  readonly detectableSlowdown: number | null;
  /** How many times wider the interval would be without the pairs; `null` for methods without. */
  readonly pairingGain: number | null;
  /** Relative standard deviation between processes on one core; `null` = too few. */
  readonly spread: number | null;
}

/** What was measured, and how much of it. */
export interface DoctorMeasurement {
  readonly seed: string;
  /** Runs that were planned of each workload by each method. */
  readonly plannedRuns: number;
  /** Judged iterations of a side in a run, and what each was calibrated for. */
  readonly iterations: number;
  readonly iterationNs: number;
  readonly confidence: number;
  /** Whether every planned run is in. */
  readonly complete: boolean;
  /** With calibration, ns. */
  readonly tookNs: number;
  readonly methods: readonly MethodSight[];
  /** What the findings were judged by. */
  readonly disturbances: NonNullable<DoctorFacts['disturbances']>;
  /** Folder of the recording; `null` = it was not kept. */
  readonly recording: string | null;
}

/** What `deadheat doctor` found; `--export-json`. */
export interface Diagnosis {
  readonly schema: 'deadheat.doctor/1';
  readonly tool: { readonly name: string; readonly version: string };
  readonly machine: Machine;
  readonly cpus: readonly [number, number];
  readonly pressure: DoctorFacts['pressure'];
  readonly clock: DoctorFacts['clock'];
  readonly measured: DoctorMeasurement | null;
  /** Those with a measured effect first, by its size. */
  readonly findings: readonly Finding[];
  /** File with the former values of settings that `--apply` changed and `--restore` has not put back yet. */
  readonly tuned: string | null;
}

/** The method that sees the smallest slowdowns over all workloads (geometric mean); `null` where nothing was measured. */
export function sharpestMethod(sights: readonly MethodSight[]): Method | null {
  const logs = new Map<Method, number[]>();
  for (const { method, detectableSlowdown } of sights) {
    if (detectableSlowdown === null) continue;
    logs.set(method, [...(logs.get(method) ?? []), Math.log(Math.max(detectableSlowdown, Number.MIN_VALUE))]);
  }
  const most = Math.max(...[...logs.values()].map(({ length }) => length));
  const [best] = [...logs]
    .filter(([, own]) => own.length === most)
    .map(([method, own]) => ({ method, level: own.reduce((sum, log) => sum + log, 0) / own.length }))
    .toSorted((left, right) => left.level - right.level);
  return best?.method ?? null;
}
