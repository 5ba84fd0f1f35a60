import { planDimensions, type PlannedDimensions, type PlanningGoal, type StudyTable } from '@deadheat/analysis';
import {
  meetsOnOwnCores,
  lanesOf,
  type Benchmark,
  configOf,
  type ExperimentConfig,
  methodFacts,
  type Side,
} from '@deadheat/model';
import { formatStretch } from '@deadheat/report';
import type { BenchmarkLayer, DeadheatFile } from '../config/deadheat-file.ts';
import { UsageError } from '../errors/usage-error.ts';
import {
  type CalibratedProgram,
  type CalibrationSource,
  calibrationParameter,
  readCalibration,
} from './calibration.ts';

/** A program and how it is to be measured. */
export interface PlannedProgram {
  readonly program: CalibratedProgram;
  readonly dimensions: PlannedDimensions;
  /** Iterations before the measured ones, in every run. */
  readonly warmup: number;
  readonly confidence: number;
  /** Runs that are made at the same time. */
  readonly lanes: number;
}

/** Request for a plan. */
export interface PlanRequest extends Pick<CalibrationSource, 'reading' | 'startNs'> {
  readonly goal: PlanningGoal;
  /** Quantity that the interval estimates. */
  readonly of: Side | 'ratio';
  /** `null` = as calibrated. */
  readonly confidence: number | null;
}

/**
 * Plans how many runs of how many iterations every program of a calibration needs; the programs share a budget.
 *
 * @param paths folder of a recording of `deadheat calibrate`, or what else `readCalibration` takes
 * @throws UsageError when nothing reaches the goal; else as `readCalibration`
 */
export async function planPrograms(
  paths: CalibrationSource['paths'],
  request: PlanRequest,
): Promise<readonly PlannedProgram[]> {
  const programs = await readCalibration({ ...request, paths });
  return programs.map((program) => planProgram(program, request, programs.length));
}

function planProgram(
  program: CalibratedProgram,
  { goal, confidence: asked }: PlanRequest,
  programs: number,
): PlannedProgram {
  const config = configOf(program.experiment.config, program.entry);
  const confidence = asked ?? config.confidence;
  const lanes = lanesOf(config.method, config.lanes);
  const dimensions = planDimensions({
    models: program.benchmarks.map(({ model }) => model),
    costs: program.costs,
    goal: goal.kind === 'budget' ? { ...goal, timeNs: (goal.timeNs * lanes) / programs } : goal,
    rules: { confidence },
  });
  if (dimensions === null) {
    const least = `a run costs ${(program.costs.runNs / 1e9).toFixed(1)} s before its first measured iteration`;
    throw new UsageError('BAD_VALUE', `${program.entry.name}: nothing reaches this (${describeGoal(goal)}); ${least}`, {
      hint: goal.kind === 'budget' ? 'Give it at least five runs: a larger --budget.' : 'Ask for less.',
    });
  }
  return { program, dimensions, warmup: warmupOf(program, config), confidence, lanes };
}

/** Warm-up iterations of a run as they were: as many as were measured, where they were the first half. */
function warmupOf({ benchmarks }: CalibratedProgram, { warmup }: ExperimentConfig): number {
  switch (warmup.kind) {
    case 'none':
      return 0;
    case 'fixed':
      return warmup.iterations;
    case 'time': // Their number is not kept: at least as many as were measured.
    case 'first-half':
      return Math.max(...benchmarks.map(({ seen }) => seen.shortIterations));
  }
}

/** Goal of a plan in words. */
export function describeGoal(goal: PlanningGoal): string {
  const percent = (share: number): string => `${Number((100 * share).toPrecision(4))} %`;
  switch (goal.kind) {
    case 'budget':
      return `the most that can be known in ${Math.round(goal.timeNs / 1e9)} s`;
    case 'half-width':
      return `an interval of at most ${percent(Math.expm1(goal.halfWidth))} to each side`;
    case 'detect':
      return `a slowdown of ${percent(goal.slowdown)} found in ${percent(goal.power)} of experiments`;
  }
}

/** The planned dimensions of every program and what they are to bring. */
export function planTables(planned: readonly PlannedProgram[], of: Side | 'ratio'): readonly StudyTable[] {
  const count = (value: number): string => (Number.isFinite(value) ? `${value}` : 'any');
  return [
    {
      title: `Planned runs and iterations, and how far intervals of ${of === 'ratio' ? 'B / A' : `the mean time of ${of}`} are to reach to each side`,
      source: "Antoch et al., OOPSLA'26, equations 3 and 4, sections 6.2 and 7",
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'runs', unit: 'count' },
        { name: 'iterations', unit: 'count' },
        { name: 'warm-up', unit: 'count' },
        { name: 'interval', unit: 'share' },
        { name: 'level', unit: 'share' },
        { name: 'time', unit: 'text' },
        { name: 'equation 4, short runs', unit: 'text' },
        { name: 'long runs', unit: 'text' },
      ],
      rows: planned.flatMap(({ program, dimensions, warmup, confidence, lanes }) =>
        program.benchmarks.map(({ benchmark }, k) => [
          benchmark,
          dimensions.runs,
          dimensions.iterations,
          warmup,
          Math.expm1(dimensions.halfWidths[k] ?? 0),
          confidence,
          formatStretch(dimensions.timeNs / lanes),
          count(dimensions.optimal[k]?.shortRuns ?? 0),
          count(dimensions.optimal[k]?.longRuns ?? 0),
        ]),
      ),
      notes: [
        "intervals by Student's t from equation 3; equation 4 is the number of measured iterations a run at either extreme",
        ...(planned.some(({ program }) => program.benchmarks.length > 1)
          ? ['time is that of the program with all its benchmarks']
          : []),
        ...[...new Set(planned.map(({ lanes }) => lanes))]
          .filter((lanes) => lanes > 1)
          .map((lanes) => `time is that of ${lanes} tandems at once`),
      ],
    },
  ];
}

/** The plan as plain data, `deadheat.planned/1`. */
export function planDocument(
  planned: readonly PlannedProgram[],
  { of, goal }: Omit<PlanRequest, 'confidence'>,
): object {
  const programs = planned.map(({ program: { entry, costs, benchmarks, experiment }, ...own }) => ({
    program: entry.name,
    method: configOf(experiment.config, entry).method,
    ...own.dimensions,
    timeNs: own.dimensions.timeNs / own.lanes,
    warmup: own.warmup,
    confidence: own.confidence,
    costs,
    benchmarks: benchmarks.map(({ benchmark, params, model }, k) => ({
      benchmark,
      params,
      model,
      halfWidth: own.dimensions.halfWidths[k],
      optimal: own.dimensions.optimal[k],
    })),
  }));
  return { schema: 'deadheat.planned/1', of, goal, programs };
}

/**
 * The file of an experiment with the planned dimensions: the calibrated programs, as they were calibrated, by the method that was
 * chosen for them. One side alone is
 * measured beside itself.
 */
export function toPlannedFile(planned: readonly PlannedProgram[], of: Side | 'ratio' = 'ratio'): DeadheatFile {
  const names = new Map<string, number>();
  const benchmarks = planned.map((one): [string, DeadheatFile['benchmarks'][string]] => {
    const { name, params } = one.program.entry;
    const own = Object.entries(params).filter(([key]) => key !== calibrationParameter);
    const full = [name, ...own.map(([key, value]) => `${key}=${value}`)].join(' ');
    const times = (names.get(full) ?? 0) + 1;
    names.set(full, times);
    return [times === 1 ? full : `${full} (${times})`, toBenchmark(one, of)];
  });
  return { name: planned[0]?.program.experiment.config.name, benchmarks: Object.fromEntries(benchmarks) };
}

function toBenchmark(
  { program, dimensions, warmup, confidence }: PlannedProgram,
  of: Side | 'ratio',
): DeadheatFile['benchmarks'][string] {
  const { entry, experiment } = program;
  const { method, swap, metric: asked, tradeEvery, fill } = configOf(experiment.config, entry);
  const width = Math.expm1(Math.max(...dimensions.halfWidths));
  const [metric = asked, ...others] = new Set(program.benchmarks.map((benchmark) => benchmark.metric));
  return {
    ...toWorkload(entry),
    methods: [method],
    runs: dimensions.runs,
    // The report sets what it reached beside it, and that is of the ratio.
    ...(of === 'ratio' && width < 1 ? { 'planned-width': width } : {}),
    iterations: warmup + dimensions.iterations,
    'warmup-iterations': warmup,
    confidence,
    metric: others.length === 0 ? metric : asked,
    ...(methodFacts[method].cpus === 'one-each' ? { swap } : {}),
    ...(tradeEvery === null ? {} : { 'trade-every': tradeEvery }),
    ...(fill && meetsOnOwnCores(method) ? { fill } : {}),
    A: toSide(entry, of === 'ratio' ? 'A' : of),
    ...(of === 'ratio' ? { B: toSide(entry, 'B') } : {}),
  };
}

function toWorkload({ workload, parser, lines }: Benchmark): Pick<BenchmarkLayer, 'workload' | 'parser' | 'lines'> {
  if (parser !== null) return { parser: parser.kind === 'built-in' ? parser.name : parser.path };
  return lines === null ? { workload } : { lines };
}

function toSide({ commands, hooks, environment, workingDirectory, scratch, results }: Benchmark, side: Side) {
  const { build, setup, prepare, conclude, cleanup } = hooks[side];
  const variables = environment[side];
  const folder = workingDirectory[side];
  return {
    name: commands[side].name,
    command: commands[side].commandLine,
    ...(folder === null ? {} : { cwd: folder }),
    ...(scratch[side] === null ? {} : { scratch: scratch[side] }),
    ...(Object.keys(variables).length === 0 ? {} : { environment: variables }),
    ...(results[side] === null ? {} : { results: results[side] }),
    ...(build === null ? {} : { build }),
    ...(setup === null ? {} : { setup }),
    ...(prepare === null ? {} : { prepare }),
    ...(conclude === null ? {} : { conclude }),
    ...(cleanup === null ? {} : { cleanup }),
  };
}
