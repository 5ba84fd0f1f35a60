import { createRandom, type Random } from '@deadheat/stats';
import type { StudyFigure } from './study-figures.ts';

/** Which of the papers' evaluations of the methods of measuring. */
export type StudyKind = 'accuracy' | 'overlap' | 'mds' | 'asymmetry';

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

/** An evaluation of a method over recorded benchmarks. */
export interface Study {
  readonly kind: StudyKind | 'steady' | 'stopping' | 'simulation';
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

/** What the figures of a study depend on besides the measurements. */
export interface StudyOptions {
  /** All resampling is drawn from it; the same measurements and seed give the same study on every machine. */
  readonly seed: string;
}

/** The random stream of one figure of a study. */
export function studyRandom({ seed }: StudyOptions, ...purpose: readonly string[]): Random {
  return createRandom(JSON.stringify(['study', seed, ...purpose]));
}
