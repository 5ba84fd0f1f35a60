import type { Comparison } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { compareBenchmark, type ComparisonInput } from '../compare/compare-benchmark.ts';
import { confirm } from './confirm.ts';

/** A benchmark, and the ids of the machines whose runs only confirm. */
export interface ConfirmedInput extends ComparisonInput {
  readonly confirming: readonly string[];
}

/**
 * Judges one benchmark by the runs of the machines that measured it first, and where those that confirm brought runs by
 * theirs too.
 *
 * @throws AnalysisError as `compareBenchmark`, of the first machines' runs
 */
export const compareConfirmed = ({ confirming, ...input }: ConfirmedInput): Comparison => {
  const isConfirming = ({ trial: { host } }: ComparisonInput['runs'][number]): boolean =>
    host !== undefined && confirming.includes(host);
  const others = input.runs.filter(isConfirming);
  if (others.length === 0) return compareBenchmark(input);
  const comparison = compareBenchmark({ ...input, runs: input.runs.filter((run) => !isConfirming(run)) });
  return confirm(comparison, {
    hosts: [...new Set(others.map(({ trial: { host } }) => host ?? ''))].toSorted(),
    comparison: compareOthers({ ...input, runs: others }),
  });
};

const compareOthers = (input: ComparisonInput): Comparison | null => {
  try {
    return compareBenchmark(input);
  } catch (error) {
    if (error instanceof AnalysisError && error.code === 'TOO_FEW_RUNS') return null;
    throw error;
  }
};
