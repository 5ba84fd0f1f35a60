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
import { type ExperimentDraft, measureRecorded } from '@deadheat/engine';
import {
  configOf,
  type Benchmark,
  type Experiment,
  type MeasuredBenchmark,
  type Method,
  type Params,
} from '@deadheat/model';
import { chooseTimeUnit, formatTime } from '@deadheat/report';
import { UsageError } from '../../errors/usage-error.ts';
import { readExperiment } from '../../library/run.ts';

/** The parameter that tells long runs of a benchmark from short ones. */
export const calibrationParameter = 'calibration';
type LengthOfRuns = 'long' | 'short';

/** How long and how many the runs of a calibration are. */
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
 * The experiment of a file, ready to be calibrated. A program whose output is parsed is told by `DEADHEAT_ITERATIONS` how many
 * iterations to make.
 *
 * @param choices.method `null` = as the file says
 * @param choices.seed `null` = as the file says
 * @throws UsageError for programs that do not tell of their iterations, containers, and several methods; ConfigError for the file
 */
export function draftToCalibrate(
  file: string,
  {
    method,
    seed,
    variables,
  }: { readonly method: Method | null; readonly seed: string | null } & {
    readonly variables: Readonly<Record<string, string | undefined>>;
  },
): ExperimentDraft {
  const narrowing = { methods: method === null ? [] : [method], seed };
  const { draft } = readExperiment(file, { narrowing, variables });
  const names = new Set<string>();
  for (const { name, params, workload, containers } of draft.benchmarks) {
    const refused = (why: string, hint: string): UsageError =>
      new UsageError('BAD_VALUE', `${file}: ${name} ${why}`, { hint });
    if (workload === 'command') {
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

/** What was learned of a program and the benchmarks that it holds. */
export interface CalibratedProgram {
  /** The entry of its short runs. */
  readonly entry: Benchmark;
  readonly costs: PlanningCosts;
  readonly benchmarks: readonly CalibratedBenchmark[];
  readonly experiment: Experiment;
}

/**
 * What a recording of `deadheat calibrate` tells, program by program: of the ratio of the sides, or of one side's times. Of another
 * recording of programs with iterations, every run is a long one and a short one.
 *
 * @throws UsageError for a recording of another kind; RecordError and AnalysisError as `measureRecorded` and `calibrate`
 */
export async function readCalibration(
  path: string,
  of: NonNullable<CalibrationRuns['of']> = 'ratio',
): Promise<readonly CalibratedProgram[]> {
  const { experiment, measured } = await measureRecorded(path);
  const { config } = experiment;
  const isCalibration = config.benchmarks.some(({ params }) => params[calibrationParameter] !== undefined);
  const programs = config.benchmarks.flatMap((short, index): CalibratedProgram[] => {
    if (isCalibration ? short.params[calibrationParameter] !== 'short' : short.workload === 'command') return [];
    const own = measured.filter(({ entry }) => entry === index);
    const benchmarks = own.map((part): CalibratedBenchmark => {
      const { name, params: all } = part.benchmark;
      const params = without(all);
      const long = isCalibration ? measured.find(({ benchmark }) => isLongOf(benchmark, { name, params })) : part;
      const runs: MeasuredBenchmark = long ?? { ...part, runs: [] };
      const own = configOf(config, short);
      return { benchmark: name, params, ...calibrate({ long: runs, short: part, config: own, of }) };
    });
    return benchmarks.length === 0 ? [] : [{ entry: short, costs: sharedCosts(benchmarks), benchmarks, experiment }];
  });
  if (programs.length > 0) return programs;
  throw new UsageError('BAD_VALUE', `${path} is no calibration: it has no runs of programs with iterations`, {
    hint: "Make one first: deadheat calibrate 'command A' 'command B'.",
  });
}

function isLongOf({ name, params }: Benchmark, of: { readonly name: string; readonly params: Params }): boolean {
  return params[calibrationParameter] === 'long' && name === of.name && isDeepStrictEqual(without(params), of.params);
}

function without(params: Params): Params {
  const { [calibrationParameter]: _, ...rest } = params;
  return rest;
}

/** What was learned of every benchmark, as a table; standard deviations are those of the logarithm of B / A. */
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
