import { segmentIntervalFacts } from '@deadheat/model';
import { createRandom, mean, quantiles, standardDeviation } from '@deadheat/stats';
import { at, optimalIterations } from '@deadheat/analysis';
import type { StudyFigure } from '../study/study.ts';
import {
  drawExperiment,
  simulatedMethods,
  type SimulatedExperiments,
  type SimulationOptions,
} from './simulate-experiments.ts';
import {
  dimensionText,
  type EffectDistribution,
  type ExperimentDuration,
  type SimulatedDimension,
  type SimulationModel,
} from './simulation-model.ts';

/** All simulated experiments of one benchmark in one dimension. */
export interface SimulatedBenchmark {
  readonly model: SimulationModel;
  readonly dimension: SimulatedDimension;
  readonly experiments: SimulatedExperiments;
}

/** What a spread is a share of: the logarithms of ratios are shares already. */
export function wholeOf({ unit, mean: centre }: SimulationModel): number {
  return unit === 'ratio' ? 1 : centre;
}

/** Standard deviation of what is drawn of an effect. */
export function spreadOf({ values, bandwidth }: EffectDistribution): number {
  return values.length < 2 ? 0 : Math.hypot(standardDeviation(values), bandwidth);
}

/** Width of the middle share of grand means that an interval of this level is to hold. */
export function spreadOfMeans(
  grandMeans: readonly number[],
  { confidence }: Pick<SimulationOptions, 'confidence'>,
): number {
  const tail = (1 - confidence) / 2;
  const [low, high] = quantiles(grandMeans, [tail, 1 - tail]) as unknown as readonly [number, number];
  return high - low;
}

/** Most values of an effect in a figure; those in between are left out evenly. */
const mostShown = 2000;
/** Runs and measurements of a run of the artificial recording that is shown. */
const shown = { runs: 5, iterations: 1000 };

function thinned(values: Float64Array, scale: number): number[] {
  const step = Math.max(1, Math.ceil(values.length / mostShown));
  return Array.from(
    values.filter((_, place) => place % step === 0),
    (value) => value * scale,
  );
}

/** What was drawn from, and an artificial recording of each benchmark; shares of the mean, or of ratios logarithms. */
export function modelFigures(models: readonly SimulationModel[], options: SimulationOptions): readonly StudyFigure[] {
  const facts = { kind: 'densities', unit: 'share', place: null } as const;
  const effect = (
    figure: Pick<StudyFigure, 'name' | 'title' | 'source' | 'value'>,
    of: (model: SimulationModel) => EffectDistribution,
  ): StudyFigure => ({
    ...facts,
    ...figure,
    series: models
      .filter((model) => of(model).values.length > 1)
      .map((model) => ({ name: model.benchmark, x: null, values: thinned(of(model).values, 1 / wholeOf(model)) })),
  });
  return [
    effect(
      {
        name: 'oopsla26-figure-4-measurements',
        title: 'Measurements about the mean of their segment',
        source: "Antoch et al., OOPSLA'26, figure 4",
        value: 'effect B, share of the mean',
      },
      ({ measurementEffect }) => measurementEffect,
    ),
    effect(
      {
        name: 'oopsla26-figure-5-segments',
        title: 'Segments about the mean of their run',
        source: "Antoch et al., OOPSLA'26, figure 5",
        value: 'effect S, share of the mean',
      },
      ({ segmentEffect }) => segmentEffect,
    ),
    effect(
      {
        name: 'oopsla26-figure-6-runs',
        title: 'Runs about the grand mean',
        source: "Antoch et al., OOPSLA'26, figure 6",
        value: 'effect R, share of the mean',
      },
      ({ runEffect }) => runEffect,
    ),
    ...models.map((model, place): StudyFigure => {
      const random = createRandom(JSON.stringify(['simulate', options.seed, model.benchmark, 'shown']));
      const { values } = drawExperiment(model, shown, random);
      return {
        name: `oopsla26-figure-7-artificial-${place + 1}`,
        title: `An artificial recording like ${model.benchmark}: ${shown.runs} runs of ${shown.iterations} iterations`,
        source: "Antoch et al., OOPSLA'26, figure 7",
        kind: 'points',
        value: model.unit === 'ns' ? 'time over the mean' : 'ratio B / A',
        unit: 'ratio',
        place: 'iteration',
        series: Array.from({ length: shown.runs }, (_, run) => ({
          name: `run ${run + 1}`,
          x: Array.from({ length: shown.iterations }, (_, i) => i + 1),
          values: Array.from(values.subarray(run * shown.iterations, (run + 1) * shown.iterations), (value) =>
            model.unit === 'ns' ? value / model.mean : Math.exp(value),
          ),
        })),
      };
    }),
  ];
}

/** Experiments of a benchmark in dimensions that differ in nothing but the number of runs. */
interface ByRuns {
  readonly model: SimulationModel;
  /** What they have in common. */
  readonly rest: string;
  /** `null` where it is the number of iterations. */
  readonly duration: ExperimentDuration | null;
  /** Ascending by runs. */
  readonly parts: readonly { readonly runs: number; readonly experiments: SimulatedExperiments }[];
}

/** Curves over the number of runs: those of two numbers or more. Where it is drawn anew for every experiment there is none. */
function byRuns(benchmarks: readonly SimulatedBenchmark[]): readonly ByRuns[] {
  const curves = new Map<string, ByRuns>();
  for (const { model, dimension, experiments } of benchmarks) {
    if ('mix' in dimension || dimension.runs === undefined) continue;
    const duration = 'iterations' in dimension ? null : dimension;
    const rest =
      'iterations' in dimension
        ? `runs of ${dimension.iterations} iterations`
        : `${dimensionText({ totalNs: dimension.totalNs, warmupNs: dimension.warmupNs })} (duration/warm-up)`;
    const key = JSON.stringify([model.benchmark, rest]);
    const parts = [...(curves.get(key)?.parts ?? []), { runs: dimension.runs, experiments }];
    curves.set(key, { model, rest, duration, parts: parts.toSorted((left, right) => left.runs - right.runs) });
  }
  return [...curves.values()].filter(({ parts }) => parts.length > 1);
}

/** Numbers of runs that equation 4 recommends for a duration, where it recommends any. */
function recommendedRuns(model: SimulationModel, { totalNs, warmupNs }: ExperimentDuration): StudyFigure['marks'] {
  const { iterationNs = 0, measurementEffect, segmentEffect, runEffect, shiftRate } = model;
  const { shortRuns, longRuns } = optimalIterations(
    {
      measurementVariance: spreadOf(measurementEffect) ** 2,
      segmentVariance: spreadOf(segmentEffect) ** 2,
      runVariance: spreadOf(runEffect) ** 2,
      shiftRate,
    },
    { runNs: warmupNs, iterationNs },
  );
  return [
    { name: 'equation 4, very long runs', x: totalNs / (warmupNs + longRuns * iterationNs) },
    { name: 'equation 4, very short runs', x: totalNs / (warmupNs + shortRuns * iterationNs) },
  ].filter(({ x }) => x >= 1);
}

/** Where intervals lie on average and how far the grand mean varies, by the number of runs. */
function runFigures(benchmarks: readonly SimulatedBenchmark[], options: SimulationOptions): readonly StudyFigure[] {
  const methods = simulatedMethods(options);
  const curves = byRuns(benchmarks);
  const level = `${100 * options.confidence} %`;
  const facts = { unit: 'share', place: 'runs', isLogarithmic: true } as const;
  return curves.flatMap(({ model, rest, duration, parts }, place): StudyFigure[] => [
    {
      ...facts,
      name: `oopsla26-figure-8-location-${place + 1}`,
      title: `Average ${level} interval by number of runs: ${model.benchmark}, ${rest}`,
      source: "Antoch et al., OOPSLA'26, figure 8",
      kind: 'ranges',
      value: 'ends over the true mean',
      unit: 'ratio',
      series: methods.flatMap(({ segments, kind }, m) => {
        const known = parts.filter(({ experiments }) => !at(experiments.intervals, m).lows.some(Number.isNaN));
        const endsOf = known.map(({ experiments }) => {
          const { lows, widths } = at(experiments.intervals, m);
          const low = mean(lows);
          return { low, high: low + mean(widths) };
        });
        const name = `${segmentIntervalFacts[kind].name}, segment-${segments}`;
        const [x, values] = [known.map(({ runs }) => runs), endsOf.map(({ low }) => low)];
        return known.length === 0 ? [] : [{ name, x, values, highs: endsOf.map(({ high }) => high) }];
      }),
    },
    {
      ...facts,
      name: `oopsla26-figure-11-runs-${place + 1}`,
      title: `Width of the middle ${level} of grand means by number of runs: ${model.benchmark}, ${rest}`,
      source: "Antoch et al., OOPSLA'26, figure 11",
      kind: 'lines',
      value: 'width, share of the true mean',
      ...(duration === null ? {} : { marks: recommendedRuns(model, duration) ?? [] }),
      series: [
        {
          name: 'grand mean',
          x: parts.map(({ runs }) => runs),
          values: parts.map(({ experiments }) => spreadOfMeans(experiments.grandMeans, options)),
        },
      ],
    },
  ]);
}

/** What was drawn from, artificial recordings, and curves over the number of runs where there are several. */
export function simulationFigures(
  benchmarks: readonly SimulatedBenchmark[],
  options: SimulationOptions,
): readonly StudyFigure[] {
  const models = [...new Set(benchmarks.map(({ model }) => model))];
  return [...modelFigures(models, options), ...runFigures(benchmarks, options)];
}
