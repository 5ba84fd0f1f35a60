import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  calibrate,
  type Calibration,
  type CalibrationRuns,
  iterationsToSeeShift,
  type PlanningCosts,
  probabilityToSeeShift,
  sharedCosts,
  type StudyTable,
} from '@deadheat/analysis';
import type { ExperimentDraft } from '@deadheat/engine';
import {
  workloadFacts,
  methodFacts,
  configOf,
  type Benchmark,
  type Experiment,
  type MeasuredBenchmark,
  type MeasuredRun,
  type Params,
  sides,
  type Warning,
  DeadheatError,
} from '@deadheat/model';
import { type ImportOptions, type MeasuredFile, readMeasuredFile, ImportError } from '@deadheat/readers';
import { chooseTimeUnit, formatTime } from '@deadheat/report';
import { UsageError } from '../errors/usage-error.ts';
import { noChanges } from '../config/changes.ts';
import { readExperiment } from '../library/run.ts';
import type { TypedLayer } from '../settings/layer-of-flags.ts';
import { measureRecorded, RecordError } from '@deadheat/recording';

/** A recording and what it measured. */
export type MeasuredRecording = Awaited<ReturnType<typeof measureRecorded>>;

const kinds =
  'It takes recordings of deadheat, and every result file, or folder of them, that deadheat analyse reads: JMH, duetbench, DaCapo, ' +
  'Renaissance, published steady-state series, tables of times, Parquet and others (docs/formats/imports.md).';

/**
 * Reads a recording, or else the result files of another tool.
 *
 * @throws RecordError, AnalysisError and ImportError for what cannot be read; DeadheatError `NOT_A_RECORDING` for a folder of another kind
 */
export async function readRecordingOrFiles(
  path: string,
  reading: ImportOptions,
): Promise<MeasuredRecording | MeasuredFile> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return readMeasuredFile(path, reading);
  try {
    return await measureRecorded(path);
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING' || stats === undefined) throw error;
    return readMeasuredFile(path, reading).catch((failure: unknown) => {
      if (!(failure instanceof ImportError) || failure.code !== 'NOTHING_TO_IMPORT') throw failure;
      throw new DeadheatError('NOT_A_RECORDING', `${path} is no recording, and holds no result file`, {
        cause: failure,
        hint: kinds,
      });
    });
  }
}

/** The parameter that distinguishes long runs of a benchmark from short ones. */
export const calibrationParameter = 'calibration';
type LengthOfRuns = 'long' | 'short';

/** Length and number of the runs of a calibration. */
export interface CalibrationDesign {
  /** Rarest shifts to be seen, shifts an iteration. */
  readonly shiftRate: number;
  readonly longRuns: number;
  readonly shortRuns: number;
  /** Measured iterations of a short run. */
  readonly shortIterations: number;
  /** Iterations before the measured ones, in every run. */
  readonly warmup: number;
}

/** Sources: OOPSLA'26 section 7: the median rate of shifts, five long runs, 25 short ones of 30 observations. */
export const usualCalibration: CalibrationDesign = {
  shiftRate: 2.2e-4,
  longRuns: 5,
  shortRuns: 25,
  shortIterations: 30,
  warmup: 20,
};

/** The experiment of a calibration: every benchmark twice, in long runs and in short ones. */
export function calibrationDraft(draft: ExperimentDraft, design: CalibrationDesign): ExperimentDraft {
  const entry = (benchmark: Benchmark, length: LengthOfRuns): Benchmark => ({
    ...benchmark,
    params: { ...benchmark.params, [calibrationParameter]: length },
    own: {
      ...benchmark.own,
      stop: { kind: 'runs', runs: length === 'long' ? design.longRuns : design.shortRuns },
      maxTimeNs: null,
      leastRuns: 1,
      stable: null,
      warmup: { kind: 'fixed', iterations: design.warmup },
      iterations: design.warmup + (length === 'long' ? iterationsToSeeShift(design.shiftRate) : design.shortIterations),
    },
  });
  return {
    ...draft,
    benchmarks: draft.benchmarks.flatMap((benchmark) => [entry(benchmark, 'long'), entry(benchmark, 'short')]),
  };
}

/**
 * The experiment of a file, ready to be calibrated. `DEADHEAT_ITERATIONS` gives a program whose output is parsed the number
 * of iterations to make.
 *
 * @throws UsageError for programs that do not report their iterations, containers, and several methods; ConfigError for the file
 */
export async function draftToCalibrate(
  file: string,
  {
    typed,
    variables,
  }: { readonly typed: TypedLayer; readonly variables: Readonly<Record<string, string | undefined>> },
): Promise<ExperimentDraft> {
  const { draft } = await readExperiment(file, { changes: { ...noChanges, typed }, variables });
  const names = new Set<string>();
  for (const { name, params, workload, containers } of draft.benchmarks) {
    const refused = (why: string, hint: string): UsageError =>
      new UsageError('BAD_VALUE', `${file}: ${name} ${why}`, { hint });
    if (!workloadFacts[workload].timesItself) {
      throw refused('is timed as a whole, and a calibration is about iterations', 'Give it a harness or a parser.');
    }
    if (containers !== null) {
      throw refused('is executed in a container, which a plan cannot take over', 'Calibrate it on the machine itself.');
    }
    const key = JSON.stringify([name, params]);
    if (names.has(key)) throw refused('is measured by several methods, and a plan is for one', 'Choose one: --method.');
    names.add(key);
  }
  return draft;
}

/** One benchmark of a calibrated program. */
export interface CalibratedBenchmark extends Calibration {
  readonly benchmark: string;
  readonly params: Params;
}

/** Calibration of a program and of the benchmarks that it holds. */
export interface CalibratedProgram {
  /** The entry of its short runs. */
  readonly entry: Benchmark;
  readonly costs: PlanningCosts;
  readonly benchmarks: readonly CalibratedBenchmark[];
  readonly experiment: Experiment;
  /** True if the way in which the program is started is known: result files do not hold it. */
  readonly hasCommands: boolean;
}

/** True if a path is that of finished measurements, and can be no command: a folder, or a file that is not executable and no YAML. */
export function holdsResults(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  return stats.isDirectory() || (stats.isFile() && (stats.mode & 0o111) === 0 && !/\.ya?ml$/.test(path));
}

/** Options of reading a calibration. */
export interface CalibrationSource {
  /** A recording, or result files of another tool; of two files the first is side A, the second side B. */
  readonly paths: readonly [string] | readonly [string, string];
  /** Format of files that do not name it themselves; absent = by their content. */
  readonly reading?: ImportOptions;
  /** Time that a run takes before its first iteration, ns: files do not hold it; absent = 0. A recording holds it. */
  readonly startNs?: number;
  /** Quantity that is calibrated; absent = the ratio of the sides. */
  readonly of?: NonNullable<CalibrationRuns['of']>;
}

/**
 * Calibrations from a recording of `deadheat calibrate`, one a program: of the ratio of the sides, or of one side's times. In another
 * recording of programs with iterations, and of result files of other tools, every run is a long one and a short one.
 *
 * @throws UsageError for a recording of another kind, and for files that hold one side where the ratio is asked for; as
 *   `readMeasured` and `calibrate`
 */
export async function readCalibration({
  paths: [path, second],
  reading = {},
  startNs = 0,
  of = 'ratio',
}: CalibrationSource): Promise<readonly CalibratedProgram[]> {
  const found =
    second === undefined ? await readRecordingOrFiles(path, reading) : await readMeasuredFile([path, second], reading);
  return 'trials' in found ? programsOfRecording(found, { path, of }) : programsOfFiles(found, { of, startNs });
}

function programsOfRecording(
  { experiment, measured }: MeasuredRecording,
  { path, of }: { readonly path: string; readonly of: NonNullable<CalibrationRuns['of']> },
): readonly CalibratedProgram[] {
  const { config } = experiment;
  const isCalibration = config.benchmarks.some(({ params }) => params[calibrationParameter] !== undefined);
  const programs = config.benchmarks.flatMap((short, index): CalibratedProgram[] => {
    if (isCalibration ? short.params[calibrationParameter] !== 'short' : !workloadFacts[short.workload].timesItself)
      return [];
    const own = measured.filter(({ entry }) => entry === index);
    const benchmarks = own.map((part): CalibratedBenchmark => {
      const { name, params: all } = part.benchmark;
      const params = without(all);
      const long = isCalibration ? measured.find(({ benchmark }) => isLongOf(benchmark, { name, params })) : part;
      const runs: MeasuredBenchmark = long ?? { ...part, runs: [] };
      const own = configOf(config, short);
      return { benchmark: name, params, ...calibrate({ long: runs, short: part, config: own, of }) };
    });
    if (benchmarks.length === 0) return [];
    return [{ entry: short, costs: sharedCosts(benchmarks), benchmarks, experiment, hasCommands: true }];
  });
  if (programs.length > 0) return programs;
  throw new UsageError('BAD_VALUE', `${path} is no calibration: it has no runs of programs with iterations`, {
    hint: "Make one first: deadheat calibrate 'command A' 'command B'.",
  });
}

/** Every benchmark as a program of its own: how they were started is not in the files. */
function programsOfFiles(
  { path, experiment, benchmarks }: MeasuredFile,
  { of, startNs }: Required<Pick<CalibrationSource, 'of' | 'startNs'>>,
): readonly CalibratedProgram[] {
  const asked = of === 'ratio' ? sides : [of];
  return benchmarks.map(({ benchmark, runs, config }): CalibratedProgram => {
    const missing = asked.find((side) => runs.every(({ iterations }) => iterations[side].length === 0));
    if (missing !== undefined) {
      const what = `${path} holds no times of side ${missing} of ${benchmark.name}`;
      const hint = `Name the files of both sides, or plan the mean of one: --side ${missing === 'A' ? 'B' : 'A'}.`;
      throw new UsageError('BAD_VALUE', what, { hint });
    }
    const part = { benchmark, runs: runs.map((run) => withWallTime(run, startNs)) };
    const { name, params } = benchmark;
    const learned = calibrate({ long: part, short: part, config, of });
    const own = { benchmark: name, params, ...learned, warnings: learned.warnings.map(adviceForFiles) };
    return { entry: benchmark, costs: sharedCosts([own]), benchmarks: [own], experiment, hasCommands: false };
  });
}

/** Options of `deadheat calibrate` make nothing of files: more runs come from the tool that made them. */
function adviceForFiles({ code, message }: Warning): Warning {
  const more = message.replace(/; give it --short-runs \d+$/, '; let the tool make more of them (forks, processes)');
  return { code, message: more.replace(' (--warmup-iterations)', '') };
}

/** A run that took its start and all of its iterations, those of warm-up among them. */
function withWallTime(run: MeasuredRun, startNs: number): MeasuredRun {
  const { trial, iterations } = run;
  const spans = sides.map((side) => (iterations[side].endsNs.at(-1) ?? 0) - (iterations[side].startsNs[0] ?? 0));
  const [a = 0, b = 0] = spans;
  const started = spans.filter((span) => span > 0).length;
  const wallNs = methodFacts[trial.method].together ? Math.max(a, b) + startNs : a + b + started * startNs;
  return { trial: { ...trial, wallNs }, iterations };
}

function isLongOf({ name, params }: Benchmark, of: { readonly name: string; readonly params: Params }): boolean {
  return params[calibrationParameter] === 'long' && name === of.name && isDeepStrictEqual(without(params), of.params);
}

function without(params: Params): Params {
  const { [calibrationParameter]: _, ...rest } = params;
  return rest;
}

/** Table of the calibration of every benchmark; standard deviations are those of the logarithm of B / A. */
export function calibrationTables(programs: readonly CalibratedProgram[]): readonly StudyTable[] {
  const benchmarks = programs.flatMap((program) => program.benchmarks);
  const notes = benchmarks.flatMap(({ benchmark, warnings }) =>
    warnings.map(({ code, message }) => `${benchmark}: ${code}: ${message}`),
  );
  return [
    {
      title: 'What B / A varies by: standard deviations within segments, between segments of a run, between runs',
      source: "Antoch et al., OOPSLA'26, section 7 and appendix A.2",
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'metric', unit: 'text' },
        { name: 'measurements', unit: 'share' },
        { name: 'segments', unit: 'share' },
        { name: 'runs', unit: 'share' },
        { name: 'shifts seen', unit: 'count' },
        { name: 'shifts an iteration', unit: 'share' },
        { name: 'an iteration', unit: 'text' },
        { name: 'start and warm-up', unit: 'text' },
      ],
      rows: programs.flatMap(({ costs: { runNs }, benchmarks: own }) =>
        own.map(({ benchmark, metric, model, costs, seen }) => [
          benchmark,
          metric === 'cpu' ? 'cpu' : 'wall',
          Math.sqrt(model.measurementVariance),
          Math.sqrt(model.segmentVariance),
          Math.sqrt(model.runVariance),
          seen.shifts,
          model.shiftRate,
          formatNs(costs.iterationNs),
          formatNs(runNs),
        ]),
      ),
      notes: [...new Set([...programs.flatMap(methodOf), ...benchmarks.map(sightOf), ...notes])],
    },
  ];
}

function formatNs(ns: number): string {
  return formatTime(ns / 1e9, chooseTimeUnit(ns / 1e9));
}

/** The method that pilot runs chose. */
function methodOf({ entry: { name, chosen } }: CalibratedProgram): readonly string[] {
  return chosen === null ? [] : [`${name} is measured by ${chosen.method}: ${chosen.reason}`];
}

/** Which shifts the long runs could have seen. */
function sightOf({ seen }: CalibratedProgram['benchmarks'][number]): string {
  const { longRuns: runs, longIterations: iterations } = seen;
  const rate = Math.min(0.5, Math.LN2 / iterations);
  const percent = (100 * probabilityToSeeShift(rate, { runs, iterations })).toFixed(0);
  return `${runs} long runs of ${iterations} iterations see a shift that comes every ${Math.round(1 / rate)} iterations with a probability of ${percent} %`;
}
