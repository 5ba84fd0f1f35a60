import { createRandom, median, ucvBandwidth } from '@deadheat/stats';
import { AnalysisError, segmentRuns } from '@deadheat/analysis';
import type { EffectDistribution, SimulationModel, SimulationSeries } from './simulation-model.ts';

const none: EffectDistribution = { values: new Float64Array(1), bandwidth: 0 };

/** Deviations and their kernel, scaled so that draws have the given variance. */
function effectOf(deviations: Float64Array, variance: number, rawMeans: boolean): EffectDistribution {
  const centre = deviations.reduce((sum, value) => sum + value, 0) / deviations.length;
  const centred = deviations.map((value) => value - centre);
  const spread = centred.reduce((sum, value) => sum + value * value, 0) / centred.length;
  if (!(spread > 0 && (rawMeans || variance > 0))) return none;
  const bandwidth = ucvBandwidth(centred);
  const scale = rawMeans ? 1 : Math.sqrt(variance / (spread + bandwidth * bandwidth));
  return { values: centred.map((value) => value * scale), bandwidth: bandwidth * scale };
}

/**
 * Fits the model of equation 1: B, S and R from measurements about their segment's mean, segment means about their run's mean and run
 * means about the grand mean, smoothed by a Gaussian kernel of cross-validated bandwidth, and the rate at which segments change.
 *
 * Segment and run means carry the noise of what they are means of, and few segments a run hide part of their spread; therefore only the
 * shape is theirs, while the variances are the components of equations 5 to 7. A component that is 0 or unknown is no effect.
 *
 * @param benchmark what to call it.
 * @param options.unit `ratio`: the measurements are logarithms of ratios, whose mean may be below 0; default `ns`.
 * @param options.rawMeans effects are the means as they are, as in the paper, with the noise of what they are means of and the kernel's
 *   on top; default `false`.
 * @throws AnalysisError `TOO_FEW_RUNS` with one run, `NO_MEASUREMENTS` where a mean time is not above 0 or nothing varies.
 * Source: Antoch et al., OOPSLA'26, section 5, "Approximating distributions"; that variances are those of the components is ours.
 */
export function fitSimulationModel(
  benchmark: string,
  { runs, sample, components, warnings }: ReturnType<typeof segmentRuns>,
  {
    unit = 'ns',
    rawMeans = false,
    iterationNs,
  }: {
    readonly unit?: SimulationModel['unit'];
    readonly rawMeans?: boolean;
    readonly iterationNs?: number | undefined;
  } = {},
): SimulationModel {
  if (runs.length < 2) {
    throw new AnalysisError(
      'TOO_FEW_RUNS',
      `${benchmark}: one run does not show how much runs differ; record at least 2, better 10 or more (--runs)`,
    );
  }
  const { grandMean, segmentMeans, runMeans } = components;
  if (unit === 'ns' && !(grandMean > 0)) {
    throw new AnalysisError('NO_MEASUREMENTS', `${benchmark}: the mean must be above 0, got ${grandMean}`);
  }
  const segmentStarts = sample.offsets[1]!;
  const means = segmentMeans.flatMap((part) => [...part]);
  const measured = new Float64Array(sample.values.length);
  means.forEach((mean, s) => {
    for (let i = segmentStarts[s]!; i < segmentStarts[s + 1]!; i++) measured[i] = sample.values[i]! - mean;
  });
  const changing = segmentMeans.flatMap((part, r) => (part.length > 1 ? [...part].map((m) => m - runMeans[r]!) : []));
  const effects = {
    measurementEffect: effectOf(measured, components.measurementVariance ?? 0, rawMeans),
    segmentEffect:
      changing.length === 0 ? none : effectOf(Float64Array.from(changing), components.segmentVariance ?? 0, rawMeans),
    runEffect: effectOf(runMeans, components.runVariance ?? 0, rawMeans),
  };
  if (Object.values(effects).every((effect) => effect === none)) {
    throw new AnalysisError(
      'NO_MEASUREMENTS',
      `${benchmark}: all measurements are equal, so every interval would hit; put more work into an iteration`,
    );
  }
  return {
    benchmark,
    unit,
    mean: grandMean,
    ...effects,
    shiftRate: (means.length - runs.length) / sample.values.length,
    penalty: median(runs.map(({ penalty }) => penalty)),
    seen: { runs: runs.length, segments: means.length, measurements: sample.values.length },
    warnings,
    ...(iterationNs === undefined ? {} : { iterationNs }),
  };
}

/** Settings for a series. */
export interface FitSeriesOptions extends Pick<Parameters<typeof segmentRuns>[1], 'penalty'> {
  /** First iterations of every run to be left out, default 0. */
  readonly warmup?: number;
  /** Whether effects are drawn from the means as they are; default `false`. */
  readonly rawMeans?: boolean;
  /** For the check of a trend, which warns and changes nothing else. */
  readonly seed: string;
}

/** Cuts the runs of a series into segments (`segmentRuns`) and fits the model to them. @throws as both */
export function fitSimulationSeries(series: SimulationSeries, options: FitSeriesOptions): SimulationModel {
  const { seed, rawMeans = false, ...rules } = options;
  const random = createRandom(JSON.stringify(['simulate', seed, series.label, 'trend']));
  const { label, runs, unit, iterationNs } = series;
  return fitSimulationModel(label, segmentRuns(runs, { ...rules, random }), { unit, rawMeans, iterationNs });
}
