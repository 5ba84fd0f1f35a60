import type { StudyKind } from '@deadheat/analysis';
import type { Method } from '@deadheat/model';
import type { Language, WorkloadName } from '@deadheat/workloads';
import type { Neighbour } from './neighbour.ts';

/** What a study is to measure: A/A runs of artificial workloads. */
export interface StudyRequest {
  readonly kind: StudyKind;
  readonly methods: readonly Method[];
  readonly neighbours: readonly Neighbour[];
  readonly workloads: readonly WorkloadName[];
  readonly language: Language;
  /** Runs of each workload by each method beside each neighbour. */
  readonly runs: number;
  /** Iterations of a side in a run; the first half is warm-up. */
  readonly iterations: number;
  /** What an iteration is calibrated for, ns. */
  readonly durationNs: number;
  readonly seed: string;
}

/** A workload as this machine does it. */
export interface SizedWorkload {
  readonly workload: WorkloadName;
  /** Units of work an iteration. */
  readonly amount: number;
  /** What a process of it takes besides its iterations, ns. */
  readonly startNs: number;
}
