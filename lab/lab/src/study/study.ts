import { fewestStudyRuns, hasRuns, type studyTimes, type StudyGroup, type StudyTable } from '@deadheat/analysis';
import type { Method } from '@deadheat/model';
import { slug } from 'deadheat/internals';

/** Which of the papers' evaluations of the methods of measuring. */
export type StudyKind = 'accuracy' | 'overlap' | 'mds' | 'asymmetry' | 'ratio';

/** Values of one group of a figure. */
export interface FigureSeries {
  readonly name: string;
  /** Places on the horizontal axis, as many as values, ascending; `null` where the figure has none. */
  readonly x: readonly number[] | null;
  readonly values: readonly number[];
  /** Of `ranges`, as many as values: their upper ends. */
  readonly highs?: readonly number[];
}

/**
 * A figure of a paper, from the figures of a study. `boxes`: a box plot for each series; `bars`: a bar for each, of its only value;
 * `lines`: values over places; `points`: the same without lines; `densities`: a smoothed distribution for each series; `ranges`: from
 * values to `highs` over places; `intervals`: from the first to the second value of each series, beside 0; `areas`: values over places, stacked upon each other.
 */
export interface StudyFigure {
  /** Of its files, such as `icpe20-figure-2`. */
  readonly name: string;
  readonly title: string;
  /** The figure of a paper that shows the same. */
  readonly source: string;
  readonly kind: 'boxes' | 'bars' | 'lines' | 'points' | 'densities' | 'ranges' | 'intervals' | 'areas';
  /** What the axis of the values is, and in which unit. */
  readonly value: string;
  readonly unit: Exclude<StudyTable['columns'][0]['unit'], 'text'>;
  /** What the horizontal axis of lines and points is; `null` = there is none. */
  readonly place: string | null;
  /** Whether places, which are above 0, are on a logarithmic axis; absent = no. */
  readonly isLogarithmic?: boolean;
  /** Places of vertical lines. */
  readonly marks?: readonly { readonly name: string; readonly x: number }[];
  readonly series: readonly FigureSeries[];
}

/** An evaluation of a method over recorded benchmarks. */
export interface Study {
  readonly kind: StudyKind | 'steady' | 'stopping' | 'simulation' | 'warmup';
  readonly tables: readonly StudyTable[];
  /** Figures that the tables do not hold; absent = none. `figuresOf` has all. */
  readonly figures?: readonly StudyFigure[];
}

function list(groups: readonly StudyGroup[]): string {
  return groups.map(({ label }) => label).join(', ');
}

/** The end of a benchmark's name, as a part of the name of its figure. */
export function figurePart(label: string): string {
  return slug(slug(label).slice(-60));
}

/** Says which benchmarks lack runs of a method, and what to run. */
export function missingRuns(groups: readonly StudyGroup[], method: Method): string[] {
  const without = groups.filter((group) => !hasRuns(group, method));
  if (without.length === 0) return [];
  return [
    `fewer than ${fewestStudyRuns} usable runs of ${method}: ${list(without)}; measure the same commands under the same name ` +
      `with --method ${method} and name that recording as well`,
  ];
}

/** Says which benchmarks compare two programs where the question is about one and the same. */
export function notItself(groups: readonly StudyGroup[]): string[] {
  const different = groups.filter(({ isSelf }) => !isSelf);
  if (different.length === 0) return [];
  return [
    `the sides differ: ${list(different)}; the figures are meant for A/A runs, so measure one program on both sides ` +
      '(give the tool one command)',
  ];
}

/** All metrics with the words for them. */
export const studyMetrics: readonly { readonly metric: Parameters<typeof studyTimes>[1]; readonly word: string }[] = [
  { metric: 'time', word: 'wall' },
  { metric: 'cpu', word: 'cpu' },
  { metric: 'thread', word: 'thread' },
];
