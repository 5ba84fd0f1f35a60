import type { CommitRef } from '@deadheat/model';

/**
 * The quantity that is followed over the commits: B's share of the one A, what pairs of commits say of each other, B's own time, or B's own
 * value of a metric that is no time.
 */
export type SeriesQuantity = 'ratio' | 'pairs' | 'time' | 'value';

/** The level of a series changed between two neighbouring points. */
export interface LevelChange {
  /** Index of the first point of the new level. */
  readonly at: number;
  /** The commit before the change and the one with it, both of side B; `null` = not known. */
  readonly after: CommitRef | null;
  readonly until: CommitRef | null;
  /** New level / old level; 1.02 = 2 % slower than before. */
  readonly ratio: number;
  /** Ends of the interval of `ratio`, given where the change lies. */
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  /** `levels` = several comparisons on either side; `pair` = one comparison of both commits, `confirmed` = several of them. */
  readonly basis: 'levels' | 'pair' | 'confirmed';
}

/** A series cut into levels. */
export interface SeriesLevels {
  readonly quantity: SeriesQuantity;
  /** The quantity at every point: a ratio, ns, or a value in the unit of the metric. */
  readonly values: readonly number[];
  /** The level at every point: the geometric mean of the values between two changes, spikes cut off. */
  readonly levels: readonly number[];
  readonly changes: readonly LevelChange[];
}
