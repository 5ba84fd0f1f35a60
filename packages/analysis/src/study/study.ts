import { createRandom, type Random } from '@deadheat/stats';

/** Which of the papers' evaluations of the methods of measuring. */
export type StudyKind = 'accuracy' | 'overlap' | 'mds' | 'asymmetry';

/**
 * Unit of a column. `share`: 0.01 = 1 %; `ratio`: 1.01 = 1 % longer, or so many times as much; `count`: a whole number;
 * `number`: any other, its unit in the column's name; `text`: words.
 */
export type StudyUnit = 'text' | 'count' | 'number' | 'share' | 'ratio';

export interface StudyColumn {
  readonly name: string;
  readonly unit: StudyUnit;
}

/** Figures in rows; every row has a cell for each column, `null` where there is nothing to tell. */
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
  readonly kind: StudyKind | 'stopping' | 'simulation';
  readonly tables: readonly StudyTable[];
}

/** A column of words. */
export const text = (name: string): StudyColumn => ({ name, unit: 'text' });
export const count = (name: string): StudyColumn => ({ name, unit: 'count' });
export const share = (name: string): StudyColumn => ({ name, unit: 'share' });
export const ratio = (name: string): StudyColumn => ({ name, unit: 'ratio' });
export const number = (name: string): StudyColumn => ({ name, unit: 'number' });

/** What the figures of a study depend on besides the measurements. */
export interface StudyOptions {
  /** All resampling is drawn from it; the same measurements and seed give the same study on every machine. */
  readonly seed: string;
}

/** The random stream of one figure of a study. */
export const studyRandom = ({ seed }: StudyOptions, ...purpose: readonly string[]): Random =>
  createRandom(JSON.stringify(['study', seed, ...purpose]));
