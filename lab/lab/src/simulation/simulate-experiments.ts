import { segmentIntervalFacts } from '@deadheat/model';
import { createRandom, expandedPercentileInterval, meanInterval, type FlatSample, type Random } from '@deadheat/stats';
import { AnalysisError, findSegments, grandMeans, segmentReplicates, type IntervalMethod } from '@deadheat/analysis';
import {
  dimensionText,
  drawDimension,
  type EffectDistribution,
  type ExperimentDimension,
  type SimulatedDimension,
  type SimulationModel,
} from './simulation-model.ts';

/** Settings of a simulation. */
export interface SimulationOptions {
  /** Everything random comes from it. */
  readonly seed: string;
  /** `known`: intervals are told where segments end; `detected`: PELT finds it, with the model's penalty. */
  readonly boundaries: 'known' | 'detected';
  /** Bootstrap replicates of the resampling intervals; 0 = only the analytical ones. The paper takes 33 000. */
  readonly replicates: number;
  /** Level of the intervals, inside (0, 1); the paper's is 0.99. */
  readonly confidence: number;
}

/** The intervals that are tried, in the order in which `SimulatedExperiments.intervals` holds them. */
export function simulatedMethods({ replicates }: Pick<SimulationOptions, 'replicates'>): readonly IntervalMethod[] {
  return (['normal', 't', ...(replicates > 0 ? (['resampling'] as const) : [])] as const).flatMap((kind) =>
    (['aware', 'ignorant'] as const).map((segments): IntervalMethod => ({ segments, kind })),
  );
}

/** Experiments that are simulated in a row: `from`, `from` + 1, ... of one benchmark and dimension. */
export interface ExperimentRange {
  /** Number of the first, >= 0. */
  readonly from: number;
  /** How many, >= 1. */
  readonly count: number;
}

/** What intervals one method gave, an entry an experiment. */
export interface SimulatedIntervals {
  /** 1 where the interval missed the true mean. */
  readonly missed: readonly number[];
  /** Width as a share of the true mean; of ratios, of the interval of the ratio. */
  readonly widths: readonly number[];
  /** Lower end over the true mean, 1 = the true mean; NaN where an earlier version of the program did not keep it. */
  readonly lows: readonly number[];
}

/** Results of a simulation. */
export interface SimulatedExperiments {
  /** A method each, as `simulatedMethods` lists them. */
  readonly intervals: readonly SimulatedIntervals[];
  /** Grand mean of every experiment by equation 2, as a share of the true mean. */
  readonly grandMeans: readonly number[];
}

/** The same runs, cut where PELT finds changes. */
function detect({ values, offsets }: FlatSample, penalty: number): FlatSample {
  const [runs, segments] = [offsets[0]!, offsets[1]!];
  const runStarts = [0];
  const segmentStarts = [0];
  for (let r = 1; r < runs.length; r++) {
    const [start, end] = [segments[runs[r - 1]!]!, segments[runs[r]!]!];
    for (const last of findSegments(values.subarray(start, end), { penalty }).changepoints) {
      segmentStarts.push(start + last + 1);
    }
    segmentStarts.push(end);
    runStarts.push(segmentStarts.length - 1);
  }
  return { values, offsets: [Int32Array.from(runStarts), Int32Array.from(segmentStarts)] };
}

/**
 * Simulates experiments and computes every interval of each.
 *
 * Each experiment has a random stream of its own, so the result of a range does not depend on how experiments are shared out.
 *
 * @throws RangeError for dimensions below 2 or options out of range, and as `drawDimension`.
 * Source: Antoch et al., OOPSLA'26, sections 5.1 and 5.2.
 */
export function simulateExperiments(
  { model, dimension }: Simulated,
  { from, count }: ExperimentRange,
  options: SimulationOptions,
): SimulatedExperiments {
  const { seed, boundaries, replicates, confidence } = options;
  const intervals = simulatedMethods(options).map(() => ({
    missed: [] as number[],
    widths: [] as number[],
    lows: [] as number[],
  }));
  const means: number[] = [];
  const share = (value: number): number => (model.unit === 'ratio' ? Math.exp(value - model.mean) : value / model.mean);
  for (let k = from; k < from + count; k++) {
    const { own, random } = dimensionOfExperiment({ model, dimension }, k, { seed });
    const { runs } = own;
    const drawn = drawExperiment(model, own, random);
    const sample = boundaries === 'known' ? drawn : detect(drawn, model.penalty);
    const grand = grandMeans(sample);
    means.push(share(grand.aware.mean));
    simulatedMethods(options).forEach(({ segments, kind }, m) => {
      const { mean, variance } = grand[segments];
      const { from: source } = segmentIntervalFacts[kind];
      if (variance === null) throw new AnalysisError('TOO_FEW_RUNS', 'an interval needs at least 2 runs');
      const { low, high } =
        source === 'replicates'
          ? expandedPercentileInterval(segmentReplicates(sample, segments, { replicates, random }), confidence, runs)
          : meanInterval({
              mean,
              variance,
              df: source === 'estimated-variance' ? runs - 1 : Infinity,
              level: confidence,
            });
      intervals[m]!.missed.push(model.mean < low || model.mean > high ? 1 : 0);
      intervals[m]!.widths.push(share(high) - share(low));
      intervals[m]!.lows.push(share(low));
    });
  }
  return { intervals, grandMeans: means };
}

/** One benchmark in one dimension. */
interface Simulated {
  readonly model: SimulationModel;
  readonly dimension: SimulatedDimension;
}

/**
 * The dimension of one experiment, and the random stream from which all else of it is drawn.
 *
 * @param k number of the experiment, >= 0.
 * @throws RangeError as `drawDimension`.
 */
export function dimensionOfExperiment(
  { model, dimension }: Simulated,
  k: number,
  { seed }: Pick<SimulationOptions, 'seed'>,
): { readonly own: ExperimentDimension; readonly random: Random } {
  const of = 'iterations' in dimension ? [dimension.runs, dimension.iterations] : [dimensionText(dimension)];
  const random = createRandom(JSON.stringify(['simulate', seed, model.benchmark, ...of, k]));
  return { own: drawDimension(dimension, model, random), random };
}

function draw({ values, bandwidth }: EffectDistribution, random: Random): number {
  const value = values.length === 1 ? values[0]! : values[random.int(values.length)]!;
  return bandwidth === 0 ? value : value + bandwidth * random.normal();
}

/** Measurements until the next change: geometric, the exponential distribution of whole measurements. */
function drawLength(rate: number, random: Random): number {
  return rate === 0 ? Infinity : 1 + Math.floor(Math.log1p(-random.next()) / Math.log1p(-rate));
}

/**
 * Draws an artificial recording: runs of segments of measurements, with the boundaries of its segments.
 *
 * @throws RangeError for dimensions that are not integers >= 2.
 * Source: Antoch et al., OOPSLA'26, equation 1 and section 5. O(runs times iterations).
 */
export function drawExperiment(model: SimulationModel, dimension: ExperimentDimension, random: Random): FlatSample {
  const { runs, iterations } = dimension;
  for (const [name, value] of Object.entries({ runs, iterations })) {
    if (!(Number.isSafeInteger(value) && value >= 2))
      throw new RangeError(`${name} must be an integer >= 2, got ${value}`);
  }
  const { mean, measurementEffect, segmentEffect, runEffect, shiftRate } = model;
  const values = new Float64Array(runs * iterations);
  const runStarts = [0];
  const segmentStarts = [0];
  for (let r = 0; r < runs; r++) {
    const own = mean + draw(runEffect, random);
    const end = (r + 1) * iterations;
    for (let at = r * iterations; at < end;) {
      const level = own + draw(segmentEffect, random);
      const last = Math.min(end, at + drawLength(shiftRate, random));
      for (; at < last; at++) values[at] = level + draw(measurementEffect, random);
      segmentStarts.push(at);
    }
    runStarts.push(segmentStarts.length - 1);
  }
  return { values, offsets: [Int32Array.from(runStarts), Int32Array.from(segmentStarts)] };
}
