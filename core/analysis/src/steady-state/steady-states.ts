import { sides, type Comparison, type SteadyState } from '@deadheat/model';
import { mean, slidingRangeFilter } from '@deadheat/stats';
import { findSegments, type FindSegmentsOptions } from '../segments/find-segments.ts';
import { labelOf } from '../disturbance/study-group.ts';
import { count, share, text, type StudyTable } from '../table.ts';
import {
  classifyBenchmark,
  classifyRun,
  classNames,
  type ClassifiedRun,
  type ClassifyRunOptions,
  type RunClass,
} from './classify-run.ts';

/** Options for cleaning and cutting a run before it is classified. */
export interface SteadyStateOptions extends ClassifyRunOptions, FindSegmentsOptions {
  /** Values in the window of the outlier filter, default 200; null keeps outliers. */
  readonly outlierWindow?: number | null;
  /** Invocations that an iteration held, on average, > 0; default 1. */
  readonly invocations?: number;
  /** Index of the first value that may be an outlier, default `sparedIterations(invocations)`. */
  readonly skip?: number;
}

/**
 * Number of iterations at the beginning of a run that are never outliers, so that a short warm-up stays visible: 200 / ln(1 + invocations),
 * rounded up. Without it classes of 73 of 80 published forks are found again instead of 80.
 *
 * @param invocations that an iteration held, on average, > 0
 * @throws RangeError for invocations that are not above 0
 * Source: the replication package of Traini et al., EMSE 28:13 (2022), `filter_outliers.py`.
 */
export function sparedIterations(invocations: number): number {
  if (!(invocations > 0)) throw new RangeError(`invocations must be above 0, got ${invocations}`);
  return Math.ceil(200 / Math.log1p(invocations));
}

/** One run with its change points, classified. */
export interface SteadyStateOfRun extends ClassifiedRun {
  /** 0-based index, in the run as it was measured, of the last value of every segment but the final one. */
  readonly changepoints: Int32Array;
  /** Cost of one change point; at a knee the segmentation with more change points costs the same as the one taken (`findSegments`). */
  readonly penalty: number;
  /** Indices of what was left out of the search for changes. */
  readonly outliers: Int32Array;
  /** The change points of the other segmentation at a knee; absent = there is none. */
  readonly tied?: Int32Array;
}

/**
 * From the times of a whole run to its class: outliers are left out of the search for changes (`slidingRangeFilter`), PELT finds the
 * segments (`findSegments`), and `classifyRun` compares them, outliers included.
 *
 * @throws RangeError as the three.
 * Source: Traini et al., EMSE 28:13 (2022); its replication package works in seconds and counts equal values as a variance of 1e-11;
 * the bound at the resolution of the times, which is the default here, comes nearer to its published change points than that rule alone.
 */
export function steadyStateOfRun(series: ArrayLike<number>, options: SteadyStateOptions): SteadyStateOfRun {
  const { outlierWindow = 200, invocations = 1, skip = sparedIterations(invocations) } = options;
  const outliers = outlierWindow === null ? [] : slidingRangeFilter(series, { window: outlierWindow, skip });
  const dropped = new Set(outliers);
  const indices = Int32Array.from({ length: series.length }, (_, i) => i).filter((i) => !dropped.has(i));
  const found = findSegments(
    Float64Array.from(indices, (i) => series[i]!),
    options,
  );
  const placed = (places: Int32Array): Int32Array => places.map((place) => indices[place]!);
  const changepoints = placed(found.changepoints);
  return {
    ...classifyRun(series, changepoints, options),
    changepoints,
    penalty: found.penalty,
    outliers: Int32Array.from(outliers),
    ...(found.tied === undefined ? {} : { tied: placed(found.tied) }),
  };
}

/** The classes of every comparison and side whose runs have the window, by what `analyse --segments` found; none where it was not asked for. */
export function steadyStatesOf(comparisons: readonly Comparison[]): SteadyState[] {
  return comparisons.flatMap(({ benchmark, params, segments }) =>
    segments === undefined
      ? []
      : sides.flatMap((side) => {
          const runs = segments.sides[side].runs.flatMap(({ class: found, steadyFromIteration, repetitions }) =>
            found === null ? [] : [{ class: found, steadyFrom: steadyFromIteration, repetitions }],
          );
          const name = `${labelOf({ name: benchmark, params })} ${side}`;
          return runs.length === 0 ? [] : [steadyStateOf({ name, runs })];
        }),
  );
}

/** One benchmark's classified runs. */
interface ClassifiedBenchmark {
  readonly name: string;
  readonly runs: readonly (ClassifiedRun & {
    /** Repetitions of the run. */
    readonly repetitions: number;
  })[];
}

const columns: StudyTable['columns'] = [
  text('benchmark'),
  count('runs'),
  count('repetitions'),
  count('steady from'),
  share('flat'),
  share('warm-up'),
  share('slowdown'),
  share('not steady'),
  text('overall'),
];

/**
 * The classes of one benchmark's runs: repetitions a run and the repetition at which the steady state was reached (mean over the runs that
 * reached it), both rounded, the share of runs in each class and the class of the benchmark.
 *
 * @throws RangeError for a benchmark without runs.
 */
function steadyStateOf({ name, runs }: ClassifiedBenchmark): SteadyState {
  const steady = runs.flatMap(({ steadyFrom }) => (steadyFrom === null ? [] : [steadyFrom]));
  const shareOf = (wanted: RunClass): number => runs.filter((run) => run.class === wanted).length / runs.length;
  return {
    name,
    class: classifyBenchmark(runs.map((run) => run.class)),
    runs: runs.length,
    repetitions: Math.round(mean(runs.map(({ repetitions }) => repetitions))),
    steadyFrom: steady.length === 0 ? null : Math.round(mean(steady)),
    shares: {
      flat: shareOf('flat'),
      'warm-up': shareOf('warm-up'),
      slowdown: shareOf('slowdown'),
      'no-steady-state': shareOf('no-steady-state'),
    },
  };
}

/** Table of `steadyStateOf`, a row a benchmark. Source: Antoch et al., OOPSLA'26, table 1. */
export function tableOfSteadyStates(states: readonly SteadyState[], window: number): StudyTable {
  return {
    title: 'Which runs reach a steady state',
    source: "Antoch et al., OOPSLA'26, table 1",
    columns,
    rows: states.map(({ name, runs, repetitions, steadyFrom, shares, class: found }) => [
      name,
      runs,
      repetitions,
      steadyFrom,
      shares.flat,
      shares['warm-up'],
      shares.slowdown,
      shares['no-steady-state'],
      classNames[found],
    ]),
    notes: [`steady: nothing differs in the last ${window} repetitions by 5 % or more`],
  };
}

/**
 * The classes of benchmarks as a table, a row for each (`steadyStateOf`).
 *
 * @throws RangeError for a benchmark without runs.
 * Source: Antoch et al., OOPSLA'26, table 1.
 */
export function steadyStateTable(benchmarks: readonly ClassifiedBenchmark[], window: number): StudyTable {
  return tableOfSteadyStates(benchmarks.map(steadyStateOf), window);
}
