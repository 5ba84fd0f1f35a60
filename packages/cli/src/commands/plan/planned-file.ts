import type { PlannedDimensions } from '@deadheat/analysis';
import { type Benchmark, configOf, methodFacts, type Side } from '@deadheat/model';
import type { DeadheatFile } from 'deadheat/internals';
import { type CalibratedProgram, calibrationParameter } from '../../calibration/read-calibration.ts';

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
    workload: 'harness',
    methods: [method],
    runs: dimensions.runs,
    // The report sets what it reached beside it, and that is of the ratio.
    ...(of === 'ratio' && width < 1 ? { 'planned-width': width } : {}),
    iterations: warmup + dimensions.iterations,
    warmup,
    confidence,
    metric: others.length === 0 ? metric : asked,
    ...(methodFacts[method].cpus === 'one-each' ? { swap } : {}),
    ...(tradeEvery === null ? {} : { 'trade-every': tradeEvery }),
    ...(fill && method === 'sync-duet' ? { fill } : {}),
    A: toSide(entry, of === 'ratio' ? 'A' : of),
    ...(of === 'ratio' ? { B: toSide(entry, 'B') } : {}),
  };
}

function toSide({ commands, hooks, environment, workingDirectory }: Benchmark, side: Side) {
  const { setup, cleanup } = hooks[side];
  const variables = environment[side];
  const folder = workingDirectory[side];
  return {
    name: commands[side].name,
    command: commands[side].commandLine,
    ...(folder === null ? {} : { cwd: folder }),
    ...(Object.keys(variables).length === 0 ? {} : { environment: variables }),
    ...(setup === null ? {} : { setup }),
    ...(cleanup === null ? {} : { cleanup }),
  };
}
