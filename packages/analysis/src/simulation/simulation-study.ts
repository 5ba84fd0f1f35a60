import {
  createRandom,
  mean,
  quantiles,
  standardDeviation,
  twoProportionsTest,
  wilcoxonSignedRank,
  wilsonInterval,
} from '@deadheat/stats';
import { at } from '../internal/at.ts';
import type { IntervalMethod } from '../segments/segment-replicates.ts';
import type { StudyFigure } from '../study/study-figures.ts';
import { count, number, ratio, share, text, type Study, type StudyTable } from '../study/study.ts';
import {
  drawExperiment,
  simulatedMethods,
  type SimulatedExperiments,
  type SimulatedIntervals,
  type SimulationOptions,
} from './simulate-experiments.ts';
import {
  dimensionText,
  type EffectDistribution,
  type SimulatedDimension,
  type SimulationModel,
} from './simulation-model.ts';

/** All simulated experiments of one benchmark in one dimension. */
export interface SimulatedBenchmark {
  readonly model: SimulationModel;
  readonly dimension: SimulatedDimension;
  readonly experiments: SimulatedExperiments;
}

/** Level of the intervals of miss rates, and one minus the level of the rank tests; the paper's. */
const paperLevel = 0.99;

type Cell = string | number | null;
type Kind = IntervalMethod['kind'];

const titles: Readonly<Record<Kind, readonly [title: string, source: string]>> = {
  normal: ['Misses and widths of intervals with normal quantiles', "Antoch et al., OOPSLA'26, tables 2 and 7"],
  t: ["Misses and widths of intervals with Student's t quantiles", "Antoch et al., OOPSLA'26, tables 3 and 8"],
  resampling: ['Misses and widths of intervals by resampling', "Antoch et al., OOPSLA'26, tables 4 and 9"],
};

function meanOrNone(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}

function missesOf({ missed }: SimulatedIntervals): { count: number; cells: Cell[] } {
  const misses = missed.reduce((sum, one) => sum + one, 0);
  const { low, high } = wilsonInterval(misses, missed.length, { level: paperLevel });
  return { count: misses, cells: [misses / missed.length, low, high] };
}

/** The p value of a paired rank test; 1 where nothing differs. */
function paired(left: readonly number[], right: (k: number) => number): number {
  return wilcoxonSignedRank(Float64Array.from(left, (value, k) => value - right(k))).p;
}

function yesNo(holds: boolean): string {
  return holds ? 'yes' : 'no';
}

function missRow(
  { model, dimension }: SimulatedBenchmark,
  aware: SimulatedIntervals,
  ignorant: SimulatedIntervals,
): Cell[] {
  const [seg, run] = [missesOf(aware), missesOf(ignorant)];
  const [segWidth, runWidth] = [mean(aware.widths), mean(ignorant.widths)];
  const missesP = twoProportionsTest([seg.count, aware.missed.length], [run.count, ignorant.missed.length]).p;
  const p = paired(ignorant.widths, (k) => at(aware.widths, k));
  return [
    model.benchmark,
    dimensionText(dimension),
    aware.missed.length,
    ...seg.cells,
    ...run.cells,
    seg.count === 0 ? null : run.count / seg.count,
    missesP,
    yesNo(missesP < 1 - paperLevel),
    segWidth,
    runWidth,
    runWidth - segWidth,
    p,
    yesNo(p < 1 - paperLevel),
  ];
}

const missRatio = 9;

function missTable(
  benchmarks: readonly SimulatedBenchmark[],
  { kind, options }: { readonly kind: Kind; readonly options: SimulationOptions },
): StudyTable {
  const methods = simulatedMethods(options);
  const place = (segments: IntervalMethod['segments']): number =>
    methods.findIndex((method) => method.kind === kind && method.segments === segments);
  const rows = benchmarks.map((one) =>
    missRow(one, at(one.experiments.intervals, place('aware')), at(one.experiments.intervals, place('ignorant'))),
  );
  const ratioOf = (row: readonly Cell[]): number => (row[missRatio] as number | null) ?? -Infinity;
  const column = (from: number): number | null => meanOrNone(rows.map((row) => row[from] as number));
  const percent = (value: number | null): string => (value === null ? '-' : `${(100 * value).toPrecision(3)} %`);
  const [title, source] = titles[kind];
  return {
    title,
    source,
    columns: [
      text('benchmark'),
      text('runs x iterations'),
      count('experiments'),
      share('aware missed'),
      share('at least'),
      share('at most'),
      share('ignorant missed'),
      share('at least'),
      share('at most'),
      ratio('ignorant / aware'),
      number('p of misses'),
      text('misses differ'),
      share('aware width'),
      share('ignorant width'),
      share('ignorant - aware'),
      number('p of widths'),
      text('widths differ'),
    ],
    rows: rows.toSorted((left, right) => ratioOf(right) - ratioOf(left)),
    notes: [
      `${100 * options.confidence} % intervals that know their level should miss ${percent(1 - options.confidence)}; ` +
        `over all rows aware ones missed ${percent(column(3))} and were ${percent(column(12))} wide, ` +
        `ignorant ones ${percent(column(6))} and ${percent(column(13))}`,
      'aware, ignorant: of segments; at least, at most: 99 % Wilson intervals of the share before them; misses differ where a score ' +
        'test of both proportions has p below 1 %; p of widths: paired rank test (Wilcoxon), widths differ below 1 %',
      `boundaries of segments ${options.boundaries === 'known' ? 'as they were drawn' : 'as PELT found them'}`,
    ],
  };
}

/** Fewest experiments whose grand means have quantiles of 0.5 % and 99.5 % that are not just the extremes. */
const enoughForQuantiles = 1000;

function widthTable(benchmarks: readonly SimulatedBenchmark[], options: SimulationOptions): StudyTable {
  const methods = simulatedMethods(options);
  const aware = methods.flatMap(({ segments, kind }, m) => (segments === 'aware' ? [{ kind, m }] : []));
  const tail = (1 - options.confidence) / 2;
  const rows = benchmarks.flatMap(({ model, dimension, experiments: { intervals, grandMeans } }) => {
    const [low, high] = quantiles(grandMeans, [tail, 1 - tail]) as unknown as readonly [number, number];
    const empirical = high - low;
    return aware.map(({ kind, m }): Cell[] => {
      const { widths } = at(intervals, m);
      const p = paired(widths, () => empirical);
      return [
        model.benchmark,
        dimensionText(dimension),
        kind,
        mean(widths),
        empirical,
        empirical > 0 ? mean(widths) / empirical : null,
        p,
        yesNo(p < 1 - paperLevel),
      ];
    });
  });
  const fewest = Math.min(...benchmarks.map(({ experiments }) => experiments.grandMeans.length));
  return {
    title: 'Segment-aware widths against the spread of the grand mean itself',
    source: "Antoch et al., OOPSLA'26, table 5",
    columns: [
      text('benchmark'),
      text('runs x iterations'),
      text('interval'),
      share('mean width'),
      share('spread'),
      ratio('width / spread'),
      number('p'),
      text('differ'),
    ],
    rows: rows.toSorted((left, right) => ((right[5] as number | null) ?? 0) - ((left[5] as number | null) ?? 0)),
    notes: [
      `spread: the middle ${100 * options.confidence} % of the grand means of all experiments`,
      ...(fewest < enoughForQuantiles
        ? [`with fewer than ${enoughForQuantiles} experiments the spread is that of the extremes; raise --experiments`]
        : []),
    ],
  };
}

function spreadOf({ values, bandwidth }: EffectDistribution): number {
  return values.length < 2 ? 0 : Math.hypot(standardDeviation(values), bandwidth);
}

/** What a spread is a share of: the logarithms of ratios are shares already. */
function wholeOf({ unit, mean: centre }: SimulationModel): number {
  return unit === 'ratio' ? 1 : centre;
}

function modelTable(models: readonly SimulationModel[]): StudyTable {
  return {
    title: 'What the artificial recordings are drawn from',
    source: "Antoch et al., OOPSLA'26, equation 1 and figures 4 to 6",
    columns: [
      text('benchmark'),
      count('runs'),
      count('segments'),
      count('measurements'),
      number('mean (ms, ratio)'),
      share('sd of B'),
      share('bandwidth'),
      share('sd of S'),
      share('bandwidth'),
      share('sd of R'),
      share('bandwidth'),
      number('changes in 1 000 iterations'),
      number('penalty'),
    ],
    rows: models.map((model) => [
      model.benchmark,
      model.seen.runs,
      model.seen.segments,
      model.seen.measurements,
      model.unit === 'ratio' ? Math.exp(model.mean) : model.mean / 1e6,
      ...[model.measurementEffect, model.segmentEffect, model.runEffect].flatMap((effect) => [
        spreadOf(effect) / wholeOf(model),
        effect.bandwidth / wholeOf(model),
      ]),
      1000 * model.shiftRate,
      model.penalty,
    ]),
    notes: [
      'B: measurements about their segment, S: segments about their run, R: runs; sd and bandwidth of the kernel as shares of the mean; ' +
        '0: no such effect was found; B / A: the ratios of a duet, as one series of logarithms',
      ...models.flatMap(({ benchmark, warnings }) =>
        warnings.map(({ code, message }) => `${benchmark}: ${code}: ${message}`),
      ),
    ],
  };
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
function modelFigures(models: readonly SimulationModel[], options: SimulationOptions): readonly StudyFigure[] {
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

/**
 * How often intervals miss and how wide they are, in tables.
 *
 * @param benchmarks in the order of the data; at least one, each with at least one experiment.
 * Source: Antoch et al., OOPSLA'26, tables 2 to 5 and 7 to 9.
 */
export function simulationStudy(benchmarks: readonly SimulatedBenchmark[], options: SimulationOptions): Study {
  const kinds = [...new Set(simulatedMethods(options).map(({ kind }) => kind))];
  return {
    kind: 'simulation',
    tables: [
      ...kinds.map((kind) => missTable(benchmarks, { kind, options })),
      widthTable(benchmarks, options),
      modelTable([...new Set(benchmarks.map(({ model }) => model))]),
    ],
    figures: modelFigures([...new Set(benchmarks.map(({ model }) => model))], options),
  };
}
