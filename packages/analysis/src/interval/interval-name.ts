import type { IntervalKind, Ratio } from '@deadheat/model';

/** A kind of interval of a mean. */
export type MeanIntervalKind = Exclude<IntervalKind, 'rank'>;

/** What a kind of interval is called in a result. */
export const intervalName = (kind: MeanIntervalKind): Ratio['interval'] =>
  kind === 'expanded' ? 'expanded-percentile' : kind;
