import type { Params } from '@deadheat/model';
import type { ImportedBenchmark, ImportedRun, ImportedSummary } from './imported-file.ts';
import { IterationList, type ImportedIteration } from './iteration-list.ts';

/** A benchmark of a file that holds one side. */
export const oneSided = (facts: {
  readonly name: string;
  readonly params?: Params;
  readonly runs?: readonly ImportedRun[];
  readonly summary?: ImportedSummary | null;
}): ImportedBenchmark => ({ params: {}, runs: [], summary: null, ...facts, side: null, method: null });

/** A run from its iterations. */
export const runOf = (label: string, iterations: Iterable<ImportedIteration>): ImportedRun => {
  const list = new IterationList();
  for (const iteration of iterations) list.push(iteration);
  return { label, iterations: list };
};
