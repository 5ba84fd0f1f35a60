import type { Disturbances, ExplainedSpread } from '@deadheat/analysis';
import { formatShare } from '@deadheat/report';
import type { CountName } from './doctor-facts.ts';
import type { Effect } from './finding.ts';

/** Several disturbances are held against the same times: one in a hundred may look like one by chance. */
const level = 0.01;
/** A smaller effect hides nothing that anybody looks for. */
export const leastShare = 0.001;

/** Of a count: its mean over the runs, 0 where none was told. */
export function meanOf(disturbances: Disturbances<CountName> | null, name: CountName): number {
  return disturbances?.counts.find((count) => count.name === name)?.mean ?? 0;
}

/** The effect of what was counted, when the times went along with it. */
export function effectOfCount(
  disturbances: Disturbances<CountName> | null,
  { name, sign }: { readonly name: CountName; readonly sign: Sign },
): Effect | null {
  return effectOf(disturbances?.counts.find((count) => count.name === name)?.explained ?? null, sign);
}

/** Whether more of it makes times longer, shorter, or either. */
export type Sign = 'longer' | 'shorter' | 'either';

/** The effect of something that times go along with; `null` when they do not, or not in the direction expected. */
export function effectOf(explained: ExplainedSpread | null, sign: Sign): Effect | null {
  if (explained === null || explained.p >= level || explained.share < leastShare) return null;
  const { share, correlation, runs } = explained;
  if ((sign === 'longer' && correlation < 0) || (sign === 'shorter' && correlation > 0)) return null;
  return {
    kind: 'spread',
    share,
    how: `the times of ${runs} runs go along with it (correlation ${correlation.toFixed(2)})`,
  };
}

/** Whether a p value counts here. */
export function isSignificant(p: number): boolean {
  return p < level;
}

/** A share as a percentage, and what is too small for one in words. */
export function percentOf(share: number): string {
  return share < 0.00005 ? '0 %' : formatShare(share);
}
