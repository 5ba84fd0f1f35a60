import { mean, twoProportionsTest, wilcoxonSignedRank, wilsonInterval } from '@deadheat/stats';
import { at, type IntervalMethod, count, number, ratio, share, text, type StudyTable } from '@deadheat/analysis';
import { type Study } from '../study/study.ts';
import { simulatedMethods, type SimulatedIntervals, type SimulationOptions } from './simulate-experiments.ts';
import {
  modelFigures,
  type SimulatedBenchmark,
  simulationFigures,
  spreadOf,
  spreadOfMeans,
  wholeOf,
} from './simulation-figures.ts';
import { dimensionText, type EffectDistribution, type SimulationModel } from './simulation-model.ts';

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
  const rows = benchmarks.flatMap(({ model, dimension, experiments: { intervals, grandMeans } }) => {
    const empirical = spreadOfMeans(grandMeans, options);
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
      number('skewness of S'),
      number('skewness of R'),
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
      skewnessOf(model.segmentEffect),
      skewnessOf(model.runEffect),
      1000 * model.shiftRate,
      model.penalty,
    ]),
    notes: [
      'B: measurements about their segment, S: segments about their run, R: runs; sd and bandwidth of the kernel as shares of the mean; ' +
        '0: no such effect was found; B / A: the ratios of a duet, as one series of logarithms',
      'where S or R is skewed or has several modes, take intervals by resampling (section 7); --figures draws the distributions',
      ...negativeNotes(models),
      ...models.flatMap(({ benchmark, warnings }) =>
        warnings.map(({ code, message }) => `${benchmark}: ${code}: ${message}`),
      ),
    ],
  };
}

/** A kernel reaches below its value by more than this many bandwidths once in 740 draws. */
const lowBandwidths = 3;

/** Effects add up in the model of the paper, so that the rarest of them together may make a time below 0; its mean stays that of the times. */
function negativeNotes(models: readonly SimulationModel[]): readonly string[] {
  const lowest = ({ values, bandwidth }: EffectDistribution): number =>
    values.reduce((low, value) => Math.min(low, value)) - lowBandwidths * bandwidth;
  const names = models
    .filter(({ unit, mean: centre, measurementEffect, segmentEffect, runEffect }) => {
      const sum = [measurementEffect, segmentEffect, runEffect].reduce((low, effect) => low + lowest(effect), centre);
      return unit === 'ns' && sum < 0;
    })
    .map(({ benchmark }) => benchmark);
  if (names.length === 0) return [];
  return [
    `artificial times below 0 are possible for ${names.join(', ')}: the effects of measurements, segments and runs add up, and are together as large as the mean`,
  ];
}

/** Third central moment over the cube of the standard deviation, 0 = symmetric; `null` without an effect. */
function skewnessOf({ values }: EffectDistribution): number | null {
  if (values.length < 3) return null;
  const centre = mean(values);
  const moment = (power: number): number => mean(values.map((value) => (value - centre) ** power));
  const variance = moment(2);
  return variance > 0 ? moment(3) / variance ** 1.5 : null;
}

/**
 * What artificial recordings would be drawn from, without any: the distributions of B, S and R, which say whether intervals are to be
 * computed by resampling.
 *
 * Source: Antoch et al., OOPSLA'26, section 7 and figures 4 to 7.
 */
export function distributionStudy(models: readonly SimulationModel[], options: SimulationOptions): Study {
  return { kind: 'simulation', tables: [modelTable(models)], figures: modelFigures(models, options) };
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
    figures: simulationFigures(benchmarks, options),
  };
}
