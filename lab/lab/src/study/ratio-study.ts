import { methodFacts, type Method } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import {
  at,
  meanInterval,
  sequentialRatioInterval,
  type StudyTimes,
  widthOptions,
  hasRuns,
  labelOf,
  studyGroups,
  studyLogRatios,
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
import { underestimationBound } from './costs.ts';
import { missingRuns, studyMetrics, type Study, type StudyFigure } from './study.ts';

/** The parameter of a benchmark that tells how many times as much work B does as A. */
export const ratioParameter = 'ratio';

/** Result for a known ratio. */
interface Row {
  readonly group: StudyGroup;
  readonly method: Method;
  readonly word: string;
  /** `null` = nobody says. */
  readonly known: number | null;
  /** B / A of each run. */
  readonly ofRuns: readonly number[];
  readonly estimate: number;
  readonly ends: Readonly<Record<'low' | 'high', number>>;
  /** What a duet whose shorter side stops may show at worst; `null` where A was not measured alone, and of other methods. */
  readonly bound: number | null;
}

/** What the parameter says, a number above 0; `null` = nothing. */
function knownRatio({ benchmark: { params } }: StudyBenchmark): number | null {
  const known = Number(params[ratioParameter]);
  return known > 0 && known < Infinity ? known : null;
}

function ratioOf({ low, high }: Row['ends']): Row['ends'] {
  return { low: Math.exp(low), high: Math.exp(high) };
}

function meansOf(runs: StudyTimes['A']): Float64Array {
  return Float64Array.from(runs, (run) => mean(run));
}

function rowsOf(group: StudyGroup, known: number | null, options: StudyOptions): readonly Row[] {
  return studyMetrics.flatMap(({ metric, word }) => {
    const timesOf = (method: Method): StudyTimes | null => {
      const runs = group.methods.get(method);
      // On one core the wall time of a side is that of others as well.
      if (runs === undefined || !hasRuns(group, method) || (methodFacts[method].ownTime === 'cpu' && metric === 'time'))
        return null;
      return studyTimes(runs, metric);
    };
    const alone = timesOf('sequential');
    return [...group.methods].flatMap(([method, runs]): readonly Row[] => {
      const times = timesOf(method);
      if (times === null) return [];
      const how = widthOptions({ random: studyRandom(options, 'ratio', group.label, method, word) });
      const logRatios = studyLogRatios(runs, times);
      const isDuet = methodFacts[method].together && methodFacts[method].cpus === 'one-each';
      const [a, b] = [meansOf(times.A), meansOf(times.B)];
      const ends =
        methodFacts[method].pairs === 'none'
          ? sequentialRatioInterval(a, b, how).ratio
          : ratioOf(meanInterval(logRatios, how));
      const shorter = (known ?? 1) < 1 ? 'B' : 'A';
      const bound =
        !isDuet || known === null || alone === null || runs.config.fill
          ? null
          : underestimationBound(known, { concurrency: mean(meansOf(times[shorter])) / mean(meansOf(alone[shorter])) });
      const estimate = methodFacts[method].pairs === 'none' ? mean(b) / mean(a) : Math.exp(mean(logRatios));
      return [{ group, method, word, known, ofRuns: Array.from(logRatios, Math.exp), estimate, ends, bound }];
    });
  });
}

function ratioTable(rows: readonly Row[], notes: readonly string[]): StudyTable {
  return {
    title: 'B / A that is known, and as it is measured',
    source: "Bulej et al., ICPE'20, section 4.4, figure 6",
    columns: [
      text('benchmark'),
      text('method'),
      text('metric'),
      count('runs'),
      ratio('known'),
      ratio('measured'),
      ratio('at least'),
      ratio('at most'),
      share('off by'),
      ratio('bound'),
    ],
    rows: rows.map(({ group, method, word, known, ofRuns, estimate, ends: { low, high }, bound }) => [
      group.label,
      method,
      word,
      ofRuns.length,
      known,
      estimate,
      low,
      high,
      known === null ? null : estimate / known - 1,
      bound,
    ]),
    notes,
  };
}

function figureOf(rows: readonly Row[]): StudyFigure {
  return {
    name: 'icpe20-figure-6-ratios',
    title: 'Ratios of mean iteration times of workloads whose ratio is known',
    source: "Bulej et al., ICPE'20, figure 6",
    kind: 'boxes',
    value: 'B / A of a run',
    unit: 'ratio',
    place: null,
    series: rows
      .filter(({ word }) => word === at(rows, 0).word)
      .map(({ group, method, ofRuns }) => ({ name: `${group.label} ${method}`, x: null, values: ofRuns })),
  };
}

/**
 * How well a method measures a difference whose size is known: B / A as it is measured beside the value of the parameter `ratio`.
 * The interval is a percentile interval of 99 % with 10 000 replicates, of a duet over the geometric means of runs, of `sequential`
 * over the runs of each side. In a duet whose shorter side stops the longer one ends its iteration alone; the worst that this can do is
 * the bound, from how many times as long the shorter side takes beside the other as alone.
 *
 * @param benchmarks runs whose sides differ by known amounts of work, of any method.
 * @throws AnalysisError as `overlaps`.
 * Source: Bulej et al., ICPE'20, section 4.4, RQ4.
 */
export function ratioStudy(benchmarks: readonly StudyBenchmark[], options: StudyOptions): Study {
  const groups = studyGroups(benchmarks);
  const known = new Map(benchmarks.map((one) => [labelOf(one.benchmark), knownRatio(one)]));
  const rows = groups.flatMap((group) => rowsOf(group, known.get(group.label) ?? null, options));
  const unknown = groups.filter(({ label }) => (known.get(label) ?? null) === null).map(({ label }) => label);
  const notes = [
    'bound: what section 4.4 allows a duet to show at worst where the shorter side stops; with --fill it works on, and there is none',
    ...(unknown.length === 0
      ? []
      : [`no parameter ${ratioParameter} says how many times as much B does: ${unknown.join(', ')}`]),
    ...missingRuns(groups, 'sync-duet'),
    ...missingRuns(groups, 'sequential'),
  ];
  return {
    kind: 'ratio',
    tables: [ratioTable(rows, notes)],
    ...(rows.length === 0 ? {} : { figures: [figureOf(rows)] }),
  };
}
