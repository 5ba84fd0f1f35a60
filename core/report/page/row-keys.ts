/** Keys by which a row of the table of verdicts is sorted and filtered. */
export interface RowKeys {
  readonly place: number;
  readonly verdict: string;
  readonly ratio: number;
  readonly seen: number;
  readonly runs: number;
}

/** The worst first. */
const verdicts = ['slower', 'undecided', 'faster', 'dead-heat'];

export function readKeys({ dataset }: HTMLTableRowElement): RowKeys {
  const [place = 0, ratio = 0, seen = 0, runs = 0] = (dataset['k'] ?? '').split(' ').map(Number);
  return { place, verdict: dataset['v'] ?? '', ratio, seen, runs };
}

/** Compares two rows by one column, ascending; verdicts from the worst on. */
export function compareKeys(one: RowKeys, other: RowKeys, by: keyof RowKeys): number {
  const order =
    by === 'verdict'
      ? verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict) || other.ratio - one.ratio
      : one[by] - other[by];
  return order || one.place - other.place;
}
