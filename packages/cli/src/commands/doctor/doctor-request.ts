import type { Method } from '@deadheat/model';
import type { WorkloadName } from '@deadheat/workloads';

/** What `deadheat doctor` measures. */
export interface DoctorRequest {
  readonly workloads: readonly WorkloadName[];
  /** Runs of every workload by every method; `null` = as many as fit into the time. */
  readonly runs: number | null;
  /** For everything, ns. */
  readonly maxTimeNs: number;
  /** CPUs that the user asked for; `null` = choose. */
  readonly cpus: readonly number[] | null;
  readonly seed: string;
  /** Folder that keeps the recording; `null` = it is not kept. */
  readonly output: string | null;
}

export const doctorMethods: readonly Method[] = ['tandem', 'sync-duet', 'async-duet', 'sequential'];

/** Iterations of a side in a run, of which the first half is warm-up, and what each is calibrated for. */
export const doctorIterations = { count: 20, durationNs: 10e6 } as const;

/** Where the user does not say; one workload needs nothing but the core, the other the memory that all cores share. */
export const doctorDefaults: Pick<DoctorRequest, 'workloads' | 'maxTimeNs'> = {
  workloads: ['integer', 'memory'],
  maxTimeNs: 60e9,
};

/** With `--quick`: `memory` takes long to begin. */
export const quickDoctor: Pick<DoctorRequest, 'workloads' | 'maxTimeNs'> = { workloads: ['integer'], maxTimeNs: 20e9 };

/** All methods are judged alike here. */
export const doctorConfidence = 0.95;
