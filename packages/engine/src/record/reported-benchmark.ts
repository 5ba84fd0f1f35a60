import type { Benchmark, ExperimentConfig, Params } from '@deadheat/model';

/**
 * How a benchmark that a program recorded is called in reports: by the program's own name and both kinds of parameters;
 * in an experiment of several programs the configured name stands before it.
 */
export const reportedBenchmark = (
  recorded: { readonly benchmark: string; readonly params: Params },
  { entry, config }: { readonly entry: Benchmark; readonly config: Pick<ExperimentConfig, 'benchmarks'> },
): { readonly name: string; readonly params: Params } => {
  const alone = config.benchmarks.every(({ name }) => name === entry.name);
  const name = alone || entry.name === recorded.benchmark ? recorded.benchmark : `${entry.name}/${recorded.benchmark}`;
  return { name, params: { ...entry.params, ...recorded.params } };
};
