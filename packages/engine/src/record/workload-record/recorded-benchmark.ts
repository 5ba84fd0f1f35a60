import type { Params } from '@deadheat/model';
import type { IterationTable } from './iteration-table.ts';

/** One benchmark of a workload's record. */
export interface RecordedBenchmark {
  readonly benchmark: string;
  readonly params: Params;
  /** Unknown keys of its first line. */
  readonly further: Readonly<Record<string, unknown>>;
  readonly iterations: IterationTable;
}
