import { csvRows } from '@deadheat/report';
import {
  dimensionOfExperiment,
  drawExperiment,
  simulatedMethods,
  type SimulationOptions,
} from './simulate-experiments.ts';
import { dimensionText } from './simulation-model.ts';
import { type SimulatedBenchmark } from './simulation-figures.ts';

/** Simulated experiments of one benchmark in one dimension, with their numbers: an interrupted simulation leaves some out. */
export interface NumberedBenchmark extends SimulatedBenchmark {
  readonly numbers: readonly number[];
}

/**
 * The interval of each method in each experiment as CSV: ends over the true mean, so that 1 is the true mean; an end that an earlier
 * version of the program did not keep is empty.
 */
export function* intervalRows(
  simulated: readonly NumberedBenchmark[],
  options: SimulationOptions,
): Generator<string, void> {
  yield csvRows([
    ['benchmark', 'dimension', 'experiment', 'runs', 'iterations', 'segments', 'quantiles', 'low', 'high', 'missed'],
  ]);
  const methods = simulatedMethods(options);
  for (const { model, dimension, numbers, experiments } of simulated) {
    for (const [place, k] of numbers.entries()) {
      const { own } = dimensionOfExperiment({ model, dimension }, k, options);
      const common = [model.benchmark, dimensionText(dimension), k + 1, own.runs, own.iterations];
      yield csvRows(
        methods.map(({ segments, kind }, m) => {
          const { lows = [], widths = [], missed = [] } = experiments.intervals[m] ?? {};
          const low = lows[place] ?? Number.NaN;
          const ends = Number.isNaN(low) ? [null, null] : [low, low + (widths[place] ?? 0)];
          return [...common, segments, kind, ...ends, missed[place] ?? null];
        }),
      );
    }
  }
}

/**
 * Every measurement of every artificial recording as CSV, a run a piece: times in ns, or ratios B / A, with the segment that they were
 * drawn in.
 */
export function* recordingRows(
  simulated: readonly NumberedBenchmark[],
  options: Pick<SimulationOptions, 'seed'>,
): Generator<string, void> {
  yield csvRows([['benchmark', 'dimension', 'experiment', 'run', 'segment', 'iteration', 'time_ns', 'ratio']]);
  for (const { model, dimension, numbers } of simulated) {
    for (const k of numbers) {
      const { own, random } = dimensionOfExperiment({ model, dimension }, k, options);
      const { values, offsets } = drawExperiment(model, own, random);
      const [runStarts = [], segmentStarts = []] = offsets;
      for (let run = 0; run < own.runs; run++) {
        const rows: (string | number | null)[][] = [];
        let segment = 0;
        for (let iteration = 0; iteration < own.iterations; iteration++) {
          const at = run * own.iterations + iteration;
          while (at >= (segmentStarts[(runStarts[run] ?? 0) + segment + 1] ?? Infinity)) segment++;
          const value = values[at] ?? 0;
          const told = model.unit === 'ns' ? [value, null] : [null, Math.exp(value)];
          rows.push([model.benchmark, dimensionText(dimension), k + 1, run + 1, segment + 1, iteration + 1, ...told]);
        }
        yield csvRows(rows);
      }
    }
  }
}
