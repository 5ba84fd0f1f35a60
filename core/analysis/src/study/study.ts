import { createRandom, type Random } from '@deadheat/stats';

/** Which of the papers' evaluations of the methods of measuring. */
export type StudyKind = 'accuracy' | 'overlap' | 'mds' | 'asymmetry' | 'ratio';

/**
 * Unit of a column. `share`: 0.01 = 1 %; `ratio`: 1.01 = 1 % longer, or a factor; `count`: a whole number;
 * `number`: any other, its unit in the column's name; `text`: words.
 */
export type StudyUnit = 'text' | 'count' | 'number' | 'share' | 'ratio';

export interface StudyColumn {
  readonly name: string;
  readonly unit: StudyUnit;
}

/** Figures in rows; every row has a cell for each column, `null` where there is nothing to report. */
export interface StudyTable {
  readonly title: string;
  /** The section, figure or table of a paper that shows the same. */
  readonly source: string;
  readonly columns: readonly StudyColumn[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** How to read it, and what is missing and what to run for it. */
  readonly notes: readonly string[];
}

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
 * values to `highs` over places; `areas`: values over places, stacked upon each other.
 */
export interface StudyFigure {
  /** Of its files, such as `icpe20-figure-2`. */
  readonly name: string;
  readonly title: string;
  /** The figure of a paper that shows the same. */
  readonly source: string;
  readonly kind: 'boxes' | 'bars' | 'lines' | 'points' | 'densities' | 'ranges' | 'areas';
  /** What the axis of the values is, and in which unit. */
  readonly value: string;
  readonly unit: Exclude<StudyUnit, 'text'>;
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

/** A column of words. */
export function text(name: string): StudyColumn {
  return { name, unit: 'text' };
}
export function count(name: string): StudyColumn {
  return { name, unit: 'count' };
}
export function share(name: string): StudyColumn {
  return { name, unit: 'share' };
}
export function ratio(name: string): StudyColumn {
  return { name, unit: 'ratio' };
}
export function number(name: string): StudyColumn {
  return { name, unit: 'number' };
}

/** Columns by name and unit (`duet [share]`, words by their name), the second of the same in a table with a 2 behind its name. */
export function columnHeads(columns: readonly StudyColumn[]): readonly string[] {
  const seen = new Map<string, number>();
  return columns.map(({ name, unit }) => {
    const key = `${unit} ${name}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const own = times === 1 ? name : `${name} ${times}`;
    return unit === 'text' ? own : `${own} [${unit}]`;
  });
}

/** What the figures of a study depend on besides the measurements. */
export interface StudyOptions {
  /** All resampling is drawn from it; the same measurements and seed give the same study on every machine. */
  readonly seed: string;
}

/** The random stream of one figure of a study. */
export function studyRandom({ seed }: StudyOptions, ...purpose: readonly string[]): Random {
  return createRandom(JSON.stringify(['study', seed, ...purpose]));
}
