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
  /** Notes below the table: how to read it, what is missing, and what to run for it. */
  readonly notes: readonly string[];
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
