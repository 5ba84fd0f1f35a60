import { isDeepStrictEqual } from 'node:util';
import { calibrate, sharedCosts, type Calibration, type CalibrationRuns, type PlanningCosts } from '@deadheat/analysis';
import { measureRecorded } from '@deadheat/engine';
import { configOf, type Benchmark, type Experiment, type MeasuredBenchmark, type Params } from '@deadheat/model';
import { UsageError } from 'deadheat/settings';

/** The parameter that tells long runs of a benchmark from short ones. */
export const calibrationParameter = 'calibration';
export type LengthOfRuns = 'long' | 'short';

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
 * What a recording of `deadheat calibrate` tells, program by program: of the ratio of the sides, or of one side's times.
 *
 * @throws UsageError for a recording of another kind; RecordError and AnalysisError as `measureRecorded` and `calibrate`
 */
export async function readCalibration(
  path: string,
  of: NonNullable<CalibrationRuns['of']> = 'ratio',
): Promise<readonly CalibratedProgram[]> {
  const { experiment, measured } = await measureRecorded(path);
  const { config } = experiment;
  const programs = config.benchmarks.flatMap((short, index): CalibratedProgram[] => {
    if (short.params[calibrationParameter] !== 'short') return [];
    const own = measured.filter(({ entry }) => entry === index);
    const benchmarks = own.map((part): CalibratedBenchmark => {
      const { name, params: all } = part.benchmark;
      const params = without(all);
      const long = measured.find(({ benchmark }) => isLongOf(benchmark, { name, params }));
      const runs: MeasuredBenchmark = long ?? { ...part, runs: [] };
      const own = configOf(config, short);
      return { benchmark: name, params, ...calibrate({ long: runs, short: part, config: own, of }) };
    });
    return benchmarks.length === 0 ? [] : [{ entry: short, costs: sharedCosts(benchmarks), benchmarks, experiment }];
  });
  if (programs.length > 0) return programs;
  throw new UsageError('BAD_VALUE', `${path} is no calibration: it has no long and short runs of a benchmark`, {
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
