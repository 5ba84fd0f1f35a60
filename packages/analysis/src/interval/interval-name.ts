import type { IntervalKind, Ratio } from '@deadheat/model';

/** What a kind of interval is called in a result. */
export const intervalName = (kind: IntervalKind): Ratio['interval'] =>
  kind === 'expanded' ? 'expanded-percentile' : kind;
