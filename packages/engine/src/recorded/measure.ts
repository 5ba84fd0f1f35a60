import { isDeepStrictEqual } from 'node:util';
import { measuredRuns } from '@deadheat/analysis';
import type { Benchmark, ExperimentConfig, MeasuredBenchmark, MeasuredRun, Side, Trial } from '@deadheat/model';
import { reportedBenchmark, type RecordedBenchmark, type RecordedSides, type RecordedTrials } from '../record/index.ts';

/** What one entry of `config.benchmarks` measured, or one of the benchmarks that its program holds. */
export interface MeasuredEntry extends MeasuredBenchmark {
  /** Index of the entry. */
  readonly entry: number;
}

export interface MeasureSource {
  readonly config: Pick<ExperimentConfig, 'benchmarks'>;
  /** Iterations that programs recorded themselves. */
  readonly records: RecordedTrials;
}

/**
 * What the trials of an experiment measured, benchmark by benchmark: entries in the order of the configuration, the
 * benchmarks of a program in the order in which they were first recorded. A run in which a program did not record one
 * of them on both sides does not count for it.
 *
 * @throws AnalysisError as `measuredRuns`.
 */
export function measure(trials: readonly Trial[], { config, records }: MeasureSource): readonly MeasuredEntry[] {
  return config.benchmarks.flatMap((benchmark, entry) => {
    const own = trials.filter((trial) => trial.benchmark === entry);
    if (benchmark.workload === 'command') return [{ entry, benchmark, runs: measuredRuns(own) }];
    return recordedNames(own, records).map((name) => ({
      entry,
      benchmark: { ...benchmark, ...reportedBenchmark(name, { entry: benchmark, config }) } satisfies Benchmark,
      runs: own.flatMap((trial) => runOf(trial, { name, records })),
    }));
  });
}

export type RecordedName = Pick<RecordedBenchmark, 'benchmark' | 'params'>;

/** The benchmarks that programs recorded in trials. */
export function recordedNames(trials: readonly Trial[], records: RecordedTrials): readonly RecordedName[] {
  const names: RecordedName[] = [];
  for (const { trial } of trials) {
    const recorded = records.get(trial);
    for (const { benchmark, params } of [...(recorded?.A ?? []), ...(recorded?.B ?? [])]) {
      if (!names.some((name) => isDeepStrictEqual(name, { benchmark, params }))) names.push({ benchmark, params });
    }
  }
  return names;
}

function runOf(
  trial: Trial,
  { name, records }: { readonly name: RecordedName; readonly records: RecordedTrials },
): readonly MeasuredRun[] {
  if (trial.status === 'failed') return measuredRuns([trial]);
  const { A, B } = findRecorded(records.get(trial.trial), name);
  return A === undefined || B === undefined ? [] : [{ trial, iterations: { A: A.iterations, B: B.iterations } }];
}

/** What the sides of a run recorded of one benchmark. */
export function findRecorded(
  recorded: RecordedSides | undefined,
  name: RecordedName,
): Readonly<Record<Side, RecordedBenchmark | undefined>> {
  const find = (side: Side): RecordedBenchmark | undefined =>
    recorded?.[side].find(({ benchmark, params }) => isDeepStrictEqual({ benchmark, params }, name));
  return { A: find('A'), B: find('B') };
}
