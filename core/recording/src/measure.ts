import { isDeepStrictEqual } from 'node:util';
import { describeUnmatched, measuredRuns, type NamedBenchmark } from '@deadheat/analysis';
import {
  workloadFacts,
  type Benchmark,
  DeadheatError,
  type ExperimentConfig,
  type MeasuredBenchmark,
  type MeasuredRun,
  type Side,
  type Trial,
  type Recording,
  sides,
  type Warning,
} from '@deadheat/model';
import { reportedBenchmark } from './iteration-row.ts';
import { latestRecording, readRecording } from './read-recording.ts';
import { RecordError } from './record-error.ts';
import { type RecordedSides, type RecordedTrials, TrialRecords } from './trial-records.ts';
import type { RecordedBenchmark } from './workload-record/iteration-table.ts';

/** The measurements of one entry of `config.benchmarks`, or of one of the benchmarks that its program holds. */
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
 * The measurements of an experiment's trials, benchmark by benchmark: entries in the order of the configuration, the
 * benchmarks of a program in the order in which they were first recorded. A run in which a program did not record one
 * of them on both sides does not count for it.
 *
 * @throws AnalysisError like `measuredRuns`.
 */
export function measure(trials: readonly Trial[], { config, records }: MeasureSource): readonly MeasuredEntry[] {
  return config.benchmarks.flatMap((benchmark, entry) => {
    const own = trials.filter((trial) => trial.benchmark === entry);
    if (!workloadFacts[benchmark.workload].timesItself) return [{ entry, benchmark, runs: measuredRuns(own) }];
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
      if (!names.some((name) => isSameName(name, { benchmark, params }))) names.push({ benchmark, params });
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

/** True if two recorded benchmarks have the same name and parameters. */
export function isSameName(one: RecordedName, other: RecordedName): boolean {
  return one.benchmark === other.benchmark && isDeepStrictEqual(one.params, other.params);
}

/** The records that the sides of a run have of one benchmark. */
export function findRecorded(
  recorded: RecordedSides | undefined,
  name: RecordedName,
): Readonly<Record<Side, RecordedBenchmark | undefined>> {
  function find(side: Side): RecordedBenchmark | undefined {
    return recorded?.[side].find((one) => isSameName(one, name));
  }
  return { A: find('A'), B: find('B') };
}

/** The measurements of a recording, benchmark by benchmark. */
export interface MeasuredRecording extends Recording {
  readonly measured: readonly MeasuredEntry[];
  /** Records that programs wrote themselves. */
  readonly records: RecordedTrials;
}

/**
 * Reads the measurements of a recording. A folder of recordings stands for its newest.
 *
 * @throws RecordError as `readRecording`, and for a record of a program that cannot be read; AnalysisError as
 *   `measuredRuns`.
 */
export async function measureRecorded(path: string): Promise<MeasuredRecording> {
  const recording = await findRecording(path);
  const records = await new TrialRecords(recording.directory).read(recording.trials);
  return {
    ...recording,
    records,
    measured: measure(recording.trials, { config: recording.experiment.config, records }),
  };
}

/**
 * Reads a recording, its trials packed (`PackedTrials`); a folder of recordings stands for its newest.
 *
 * @throws RecordError as `readRecording`
 */
export async function findRecording(path: string): Promise<Recording> {
  try {
    return await readRecording(path, { packed: true });
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING') throw error;
    const latest = await latestRecording(path);
    if (latest === null) throw error;
    return readRecording(latest, { packed: true });
  }
}

/**
 * A warning `BENCHMARKS_DIFFER` for each benchmark that a program recorded on one side only in some run: that run does not
 * count for it.
 */
export function benchmarksDiffer(trials: readonly Trial[], { config, records }: MeasureSource): readonly Warning[] {
  return config.benchmarks.flatMap((entry, index) => {
    if (!workloadFacts[entry.workload].timesItself) return [];
    const own = trials.filter(
      ({ benchmark, status, phase }) => benchmark === index && status === 'ok' && phase !== 'pilot',
    );
    return recordedNames(own, records).flatMap((name) => {
      const found = own.map(({ trial }) => findRecorded(records.get(trial), name));
      const missing = sides.flatMap((side) => {
        const runs = found.filter((recorded) => recorded[side] === undefined).length;
        return runs === 0 ? [] : [`${side} in ${runs} of ${own.length} runs`];
      });
      if (missing.length === 0) return [];
      const message =
        `${reportedBenchmark(name, { entry, config }).name} was not recorded by ${missing.join(' and ')}, which do not ` +
        'count for it; let both sides hold the same benchmarks, with the same names and parameters';
      return [{ code: 'BENCHMARKS_DIFFER', message } satisfies Warning];
    });
  });
}

/**
 * Refuses a recording in which the sides of a program have no benchmark in common, or with `strict` where one side lacks one.
 *
 * @throws DeadheatError `NOTHING_IN_COMMON`, `BENCHMARKS_DIFFER`
 */
export function refuseUnmatched(trials: readonly Trial[], source: MeasureSource & { readonly strict: boolean }): void {
  const { config, records, strict } = source;
  for (const [index, { workload }] of config.benchmarks.entries()) {
    if (!workloadFacts[workload].timesItself) continue;
    const own = trials.filter(({ benchmark }) => benchmark === index);
    const failure = own
      .flatMap(({ failures }) => failures)
      .find(({ code }) => code === 'NOTHING_IN_COMMON' || code === 'BENCHMARKS_DIFFER');
    if (failure !== undefined) throw new DeadheatError(failure.code as 'NOTHING_IN_COMMON', `${failure.message}.`);
    const held = { A: namesOf('A', { trials: own, records }), B: namesOf('B', { trials: own, records }) };
    if (held.A.length === 0 || held.B.length === 0) continue;
    const isCommon = recordedNames(own, records).some((name) =>
      own.some(({ trial }) => {
        const { A, B } = findRecorded(records.get(trial), name);
        return A !== undefined && B !== undefined;
      }),
    );
    if (isCommon) continue;
    throw new DeadheatError('NOTHING_IN_COMMON', `A and B have no benchmark in common: ${describeUnmatched(held)}.`, {
      hint: 'Benchmarks are matched by name and parameters, so give both sides the same.',
    });
  }
  const [differing] = strict ? benchmarksDiffer(trials, source) : [];
  if (differing !== undefined) throw new DeadheatError('BENCHMARKS_DIFFER', `${differing.message}.`);
}

/** Names of the benchmarks that a side recorded, each once. */
function namesOf(
  side: Side,
  { trials, records }: { readonly trials: readonly Trial[]; readonly records: RecordedTrials },
): readonly NamedBenchmark[] {
  const recorded = trials.flatMap(({ trial }) => records.get(trial)?.[side] ?? []);
  return recorded
    .filter((one, index) => recorded.findIndex((other) => isSameName(one, other)) === index)
    .map(({ benchmark, params }) => ({ name: benchmark, params }));
}
