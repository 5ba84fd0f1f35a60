import type { Method } from '@deadheat/model';
import { coefficientOfVariation, geometricMean, mean, type Random } from '@deadheat/stats';
import {
  at,
  joined,
  shuffledPairsWidth,
  type StudyTimes,
  widthOptions,
  hasRuns,
  studyGroups,
  studyTimes,
  type StudyBenchmark,
  type StudyGroup,
  count,
  ratio,
  share,
  studyRandom,
  text,
  type StudyOptions,
  type StudyTable,
} from '@deadheat/analysis';
import { duetWidth, improvement, standardWidth, widthTriplet, type WidthTriplet } from './widths.ts';
import {
  figurePart,
  missingRuns,
  notItself,
  studyMetrics,
  type FigureSeries,
  type Study,
  type StudyFigure,
} from './study.ts';

/** Of how many runs widths are. */
export interface AccuracyOptions extends StudyOptions {
  /** Runs that are drawn at random of each method, at least 2; absent = as many as the method with the fewest has. The paper has 10. */
  readonly sampleRuns?: number;
}

interface Row {
  readonly group: StudyGroup;
  readonly word: string;
  readonly runs: number;
  readonly iterations: number;
  readonly widths: { readonly [Key in keyof WidthTriplet]: number | null };
  /** Width of a tandem's interval, made as that of a duet. */
  readonly tandem: number | null;
  readonly variation: Readonly<Record<keyof WholeTimes, number | null>>;
}

/** Times of a benchmark in one metric by every method that it was measured with. */
interface WholeTimes {
  readonly tandem: StudyTimes | null;
  readonly duet: StudyTimes | null;
  readonly sequential: StudyTimes | null;
}

/** Runs drawn at random where there are more, and of each the first iterations, so that two methods have as many. */
function cut(times: StudyTimes, { runs, iterations }: Pick<Row, 'runs' | 'iterations'>, random: Random): StudyTimes {
  const drawn = sampleOf(Math.min(times.A.length, times.B.length), runs, random);
  const of = (side: readonly Float64Array[]) => drawn.map((run) => at(side, run).subarray(0, iterations));
  return { A: of(times.A), B: of(times.B) };
}

/** Some of the numbers below `total`, without replacement, ascending; all of them draw nothing. */
function sampleOf(total: number, size: number, random: Random): readonly number[] {
  const places = Array.from({ length: total }, (_, place) => place);
  if (size >= total) return places;
  for (let taken = 0; taken < size; taken++) {
    const other = taken + random.int(total - taken);
    [places[taken], places[other]] = [at(places, other), at(places, taken)];
  }
  return places.slice(0, size).toSorted((a, b) => a - b);
}

function shortest({ A, B }: StudyTimes): number {
  return [...A, ...B].reduce((least, run) => Math.min(least, run.length), Infinity);
}

/** Mean of both sides' coefficients of variation; `null` with one time a side. */
function variation(times: StudyTimes): number | null {
  const sides = [joined(times.A), joined(times.B)];
  return sides.every((side) => side.length > 1) ? mean(sides.map((side) => coefficientOfVariation(side))) : null;
}

function widthsOf(
  { duet, sequential }: { readonly duet: StudyTimes | null; readonly sequential: StudyTimes | null },
  purpose: { readonly options: StudyOptions; readonly of: readonly string[] },
): Row['widths'] {
  const random = studyRandom(purpose.options, 'accuracy', ...purpose.of);
  if (duet !== null && sequential !== null) return widthTriplet({ duet, sequential }, { random });
  if (sequential !== null) return { duet: null, shuffled: null, standard: standardWidth(sequential, { random }) };
  if (duet === null) return { duet: null, shuffled: null, standard: null };
  const members = duet.A.map((_, r) => [r]);
  return {
    duet: duetWidth(duet, { random }),
    shuffled: shuffledPairsWidth(duet, { ...widthOptions({ random }), members }),
    standard: null,
  };
}

function rowsOf(group: StudyGroup, options: AccuracyOptions): Row[] {
  return studyMetrics.flatMap(({ metric, word }) => {
    const timesOf = (method: Method): StudyTimes | null => {
      const runs = group.methods.get(method);
      return runs === undefined || !hasRuns(group, method) ? null : studyTimes(runs, metric);
    };
    const whole: WholeTimes = {
      // The wall time of a side in a tandem is that of both.
      tandem: metric === 'time' ? null : timesOf('tandem'),
      duet: timesOf('sync-duet'),
      sequential: timesOf('sequential'),
    };
    const there = Object.values(whole).filter((times: StudyTimes | null) => times !== null);
    if (there.length === 0) return [];
    const size = {
      runs: Math.min(options.sampleRuns ?? Infinity, ...there.map(({ A }) => A.length)),
      iterations: Math.min(...there.map((times) => shortest(times))),
    };
    const random = studyRandom(options, 'accuracy', group.label, word, 'runs');
    const cutOf = (times: StudyTimes | null): StudyTimes | null => (times === null ? null : cut(times, size, random));
    const [tandem, duet, sequential] = [cutOf(whole.tandem), cutOf(whole.duet), cutOf(whole.sequential)];
    const variationOf = (times: StudyTimes | null): number | null => (times === null ? null : variation(times));
    return [
      {
        group,
        word,
        ...size,
        widths: widthsOf({ duet, sequential }, { options, of: [group.label, word] }),
        tandem:
          tandem === null
            ? null
            : duetWidth(tandem, { random: studyRandom(options, 'accuracy', group.label, word, 'tandem') }),
        variation: { tandem: variationOf(tandem), duet: variationOf(duet), sequential: variationOf(sequential) },
      },
    ];
  });
}

function over(above: number | null, below: number | null): number | null {
  return above === null || below === null || !(below > 0) ? null : above / below;
}

/** Of tandems nothing is said where there are none. */
function hasTandem(rows: readonly Row[]): boolean {
  return rows.some(({ tandem }) => tandem !== null);
}

function widthTable(rows: readonly Row[], notes: readonly string[]): StudyTable {
  const told = <Item>(...items: readonly Item[]): readonly Item[] => (hasTandem(rows) ? items : []);
  return {
    title: `Relative width of the 99 % interval, ${hasTandem(rows) ? 'tandem : ' : ''}duet : shuffled : standard`,
    source: "Bulej et al., ICPE'20, sections 4.1, 4.2 and 7.2, figures 2 and 4",
    columns: [
      text('benchmark'),
      text('metric'),
      count('runs'),
      count('iterations a run'),
      ...told(share('tandem')),
      share('duet'),
      share('shuffled'),
      share('standard'),
      ...told(ratio('standard / tandem')),
      ratio('standard / duet'),
      ratio('shuffled / duet'),
      ...told(share('CV tandem')),
      share('CV duet'),
      share('CV sequential'),
    ],
    rows: rows.map(({ group, word, runs, iterations, widths, tandem, variation: cv }) => [
      group.label,
      word,
      runs,
      iterations,
      ...told(tandem),
      widths.duet,
      widths.shuffled,
      widths.standard,
      ...told(over(widths.standard, tandem)),
      over(widths.standard, widths.duet),
      over(widths.shuffled, widths.duet),
      ...told(cv.tandem),
      cv.duet,
      cv.sequential,
    ]),
    notes,
  };
}

function isTriplet(widths: Row['widths']): widths is WidthTriplet {
  return widths.duet !== null && widths.shuffled !== null && widths.standard !== null;
}

/** Geometric mean of standard / tandem over the benchmarks that have both. */
function tandemMean(rows: readonly Row[]): number | null {
  const ratios = rows.flatMap(({ widths, tandem }) => over(widths.standard, tandem) || []);
  return ratios.length === 0 ? null : geometricMean(ratios);
}

function meanTable(rows: readonly Row[]): StudyTable {
  const told = <Item>(item: Item): readonly Item[] => (hasTandem(rows) ? [item] : []);
  return {
    title: 'How many times narrower than the standard interval, geometric mean over benchmarks',
    source: "Bulej et al., ICPE'20, table 1",
    columns: [
      text('metric'),
      ...told(ratio('tandem')),
      ratio('duet'),
      ratio('shuffled'),
      count('benchmarks'),
      count('left out'),
    ],
    rows: studyMetrics.flatMap(({ word }) => {
      const own = rows.filter((row) => row.word === word);
      const { duet, shuffled, benchmarks, leftOut } = improvement(own.map(({ widths }) => widths).filter(isTriplet));
      const tandem = tandemMean(own);
      return benchmarks === 0 && tandem === null ? [] : [[word, ...told(tandem), duet, shuffled, benchmarks, leftOut]];
    }),
    notes: [
      'left out: a width of 0 has no ratio',
      ...told('benchmarks: those of the duet; a tandem has no row of wall time, which is that of both its sides'),
    ],
  };
}

/** Most times of a benchmark in a figure; those in between are left out evenly. */
const mostShown = 2000;
/** The same of a method in the figure of single samples. */
const mostSamples = 400;

/** How the times of the standard method are spread around their mean, a distribution for each benchmark. */
function timesFigure(groups: readonly StudyGroup[]): StudyFigure {
  return {
    name: 'icpe20-figure-1-times',
    title: 'Iteration times of the standard method over their mean',
    source: "Bulej et al., ICPE'20, figure 1",
    kind: 'densities',
    value: 'wall time over the mean',
    unit: 'ratio',
    place: null,
    series: groups.flatMap(({ label, methods }) => {
      const runs = methods.get('sequential');
      const times = runs === undefined ? null : studyTimes(runs, 'time');
      if (times === null) return [];
      const all = joined([...times.A, ...times.B]);
      if (all.length === 0) return [];
      const [centre, step] = [mean(all), Math.ceil(all.length / mostShown)];
      const values = Array.from({ length: Math.ceil(all.length / step) }, (_, place) => at(all, place * step) / centre);
      return [{ name: label, x: null, values }];
    }),
  };
}

/** Samples in the order in which they were measured, those of a duet in colours by their side. */
function samplesFigure({ label, methods }: StudyGroup): readonly StudyFigure[] {
  const seriesOf = (method: Method, side: 'A' | 'B', name: string): readonly FigureSeries[] => {
    const runs = methods.get(method);
    const times = runs === undefined ? null : studyTimes(runs, 'time');
    if (times === null) return [];
    const all = joined(times[side]);
    const step = Math.ceil(all.length / mostSamples);
    const x = Array.from(all.keys()).filter((k) => k % step === 0);
    return x.length === 0
      ? []
      : [{ name, x: x.map((k) => (k + 0.5) / all.length), values: x.map((k) => at(all, k) / mean(all)) }];
  };
  const series = [
    ...seriesOf('sync-duet', 'A', 'duet A'),
    ...seriesOf('sync-duet', 'B', 'duet B'),
    ...seriesOf('sequential', 'A', 'standard'),
  ];
  if (series.length === 0) return [];
  return [
    {
      name: `icpe20-figure-3-samples-${figurePart(label)}`,
      title: `Single samples by method: ${label}`,
      source: "Bulej et al., ICPE'20, figure 3",
      kind: 'points',
      value: 'wall time over the mean',
      unit: 'ratio',
      place: 'part of the samples, in the order of runs',
      series,
    },
  ];
}

/**
 * How narrow the intervals of a duet, and of a tandem, are beside those of the standard method, with as many runs and iterations of
 * each: of methods with more runs as many are drawn at random, as in the paper, or as many of all as `sampleRuns` says, and runs are cut to their first iterations. Percentile intervals of 99 %, 10 000 replicates.
 *
 * @param benchmarks A/A runs of `sync-duet` and `sequential`, and of `tandem` where there are any; what is missing is said in the
 *   notes.
 * @throws AnalysisError as `overlaps`.
 * Source: Bulej et al., ICPE'20, sections 4.1, 4.2 and 7.2. The tandem beside them is ours.
 */
export function accuracyStudy(benchmarks: readonly StudyBenchmark[], options: AccuracyOptions): Study {
  const groups = studyGroups(benchmarks);
  const rows = groups.flatMap((group) => rowsOf(group, options));
  const noCpu = rows.every(({ word }) => word !== 'cpu') ? ['CPU time was not measured for every iteration'] : [];
  const notes = [
    'with as many runs and iterations of every method; shuffled far above duet: both sides were disturbed together',
    ...(hasTandem(rows) ? missingRuns(groups, 'tandem') : []),
    ...missingRuns(groups, 'sync-duet'),
    ...missingRuns(groups, 'sequential'),
    ...notItself(groups),
    ...noCpu,
  ];
  const means = meanTable(rows);
  return {
    kind: 'accuracy',
    tables: [widthTable(rows, notes), ...(means.rows.length === 0 ? [] : [means])],
    figures: [timesFigure(groups), ...groups.flatMap((group) => samplesFigure(group))],
  };
}
