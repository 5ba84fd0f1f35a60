import { coefficientOfVariation, mean } from '@deadheat/stats';
import { joined } from '../internal/joined.ts';
import { shuffledPairsWidth } from '../interval/shuffled-pairs-width.ts';
import type { PairedTimes } from '../metric/paired-times.ts';
import { duetWidth } from '../procedures/duet-width.ts';
import { improvement } from '../procedures/improvement.ts';
import { standardWidth } from '../procedures/standard-width.ts';
import { widthOptions } from '../procedures/width-options.ts';
import { widthTriplet } from '../procedures/width-triplet.ts';
import type { WidthTriplet } from '../procedures/width-triplet.ts';
import { count, ratio, share, text } from './study.ts';
import type { Study, StudyTable } from './study.ts';
import { hasRuns, missingRuns, notItself } from './study-notes.ts';
import { studyGroups } from './study-group.ts';
import type { StudyBenchmark, StudyGroup } from './study-group.ts';
import { studyRandom } from './study-options.ts';
import type { StudyOptions } from './study-options.ts';
import { studyMetrics, studyTimes } from './study-times.ts';

interface Row {
  readonly group: StudyGroup;
  readonly word: string;
  readonly runs: number;
  readonly iterations: number;
  readonly widths: { readonly [Key in keyof WidthTriplet]: number | null };
  readonly variation: { readonly duet: number | null; readonly sequential: number | null };
}

/** The first runs, and of each the first iterations, so that two methods have as many. */
const cut = (times: PairedTimes, { runs, iterations }: Pick<Row, 'runs' | 'iterations'>): PairedTimes => {
  const first = (side: readonly Float64Array[]) => side.slice(0, runs).map((run) => run.subarray(0, iterations));
  return { A: first(times.A), B: first(times.B) };
};

const shortest = ({ A, B }: PairedTimes): number =>
  [...A, ...B].reduce((least, run) => Math.min(least, run.length), Infinity);

/** Mean of both sides' coefficients of variation; `null` with one time a side. */
const variation = (times: PairedTimes): number | null => {
  const sides = [joined(times.A), joined(times.B)];
  return sides.every((side) => side.length > 1) ? mean(sides.map((side) => coefficientOfVariation(side))) : null;
};

const widthsOf = (
  { duet, sequential }: { readonly duet: PairedTimes | null; readonly sequential: PairedTimes | null },
  purpose: { readonly options: StudyOptions; readonly of: readonly string[] },
): Row['widths'] => {
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
};

const rowsOf = (group: StudyGroup, options: StudyOptions): Row[] =>
  studyMetrics.flatMap(({ metric, word }) => {
    const timesOf = (method: 'sync-duet' | 'sequential'): PairedTimes | null => {
      const runs = group.methods.get(method);
      return runs === undefined || !hasRuns(group, method) ? null : studyTimes(runs, metric);
    };
    const whole = { duet: timesOf('sync-duet'), sequential: timesOf('sequential') };
    const there = [whole.duet, whole.sequential].filter((times) => times !== null);
    if (there.length === 0) return [];
    const size = {
      runs: Math.min(...there.map(({ A }) => A.length)),
      iterations: Math.min(...there.map((times) => shortest(times))),
    };
    const duet = whole.duet === null ? null : cut(whole.duet, size);
    const sequential = whole.sequential === null ? null : cut(whole.sequential, size);
    return [
      {
        group,
        word,
        ...size,
        widths: widthsOf({ duet, sequential }, { options, of: [group.label, word] }),
        variation: {
          duet: duet === null ? null : variation(duet),
          sequential: sequential === null ? null : variation(sequential),
        },
      },
    ];
  });

const over = (above: number | null, below: number | null): number | null =>
  above === null || below === null || !(below > 0) ? null : above / below;

const widthTable = (rows: readonly Row[], notes: readonly string[]): StudyTable => ({
  title: 'Relative width of the 99 % interval, duet : shuffled : standard',
  source: "Bulej et al., ICPE'20, sections 4.1, 4.2 and 7.2, figures 2 and 4",
  columns: [
    text('benchmark'),
    text('metric'),
    count('runs'),
    count('iterations a run'),
    share('duet'),
    share('shuffled'),
    share('standard'),
    ratio('standard / duet'),
    ratio('shuffled / duet'),
    share('CV duet'),
    share('CV sequential'),
  ],
  rows: rows.map(({ group, word, runs, iterations, widths, variation: { duet, sequential } }) => [
    group.label,
    word,
    runs,
    iterations,
    widths.duet,
    widths.shuffled,
    widths.standard,
    over(widths.standard, widths.duet),
    over(widths.shuffled, widths.duet),
    duet,
    sequential,
  ]),
  notes,
});

const isTriplet = (widths: Row['widths']): widths is WidthTriplet =>
  widths.duet !== null && widths.shuffled !== null && widths.standard !== null;

const meanTable = (rows: readonly Row[]): StudyTable => ({
  title: 'How many times narrower than the standard interval, geometric mean over benchmarks',
  source: "Bulej et al., ICPE'20, table 1",
  columns: [text('metric'), ratio('duet'), ratio('shuffled'), count('benchmarks'), count('left out')],
  rows: studyMetrics.flatMap(({ word }) => {
    const triplets = rows.filter((row) => row.word === word).map(({ widths }) => widths);
    const { duet, shuffled, benchmarks, leftOut } = improvement(triplets.filter(isTriplet));
    return benchmarks === 0 ? [] : [[word, duet, shuffled, benchmarks, leftOut]];
  }),
  notes: ['left out: a width of 0 has no ratio'],
});

/**
 * How narrow the intervals of a duet are beside those of the standard method, with as many runs and iterations of either: the
 * method with more is cut to its first ones. Percentile intervals of 99 %, 10 000 replicates.
 *
 * @param benchmarks A/A runs of `sync-duet` and `sequential`; what is missing is said in the notes.
 * @throws AnalysisError as `overlaps`.
 * Source: Bulej et al., ICPE'20, sections 4.1, 4.2 and 7.2.
 */
export const accuracyStudy = (benchmarks: readonly StudyBenchmark[], options: StudyOptions): Study => {
  const groups = studyGroups(benchmarks);
  const rows = groups.flatMap((group) => rowsOf(group, options));
  const noCpu = rows.every(({ word }) => word !== 'cpu') ? ['CPU time was not measured for every iteration'] : [];
  const notes = [
    'with as many runs and iterations of both methods; shuffled far above duet: both sides were disturbed together',
    ...missingRuns(groups, 'sync-duet'),
    ...missingRuns(groups, 'sequential'),
    ...notItself(groups),
    ...noCpu,
  ];
  const means = meanTable(rows);
  return { kind: 'accuracy', tables: [widthTable(rows, notes), ...(means.rows.length === 0 ? [] : [means])] };
};
