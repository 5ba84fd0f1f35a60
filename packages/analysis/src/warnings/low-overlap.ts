import type { Warning } from '@deadheat/model';
import { overlapShare, type PairedSpans } from '../pairing/overlaps.ts';

/** The thesis found 0.6 to 0.8 of the time in pairs with these minimum rates (section 5.2.2). */
const ENOUGH = 0.5;

/** LOW_OVERLAP: less than half of the iteration time of an `async-duet` was spent in pairs. */
export const lowOverlap = (runs: readonly PairedSpans[], minimumRate: number): Warning[] => {
  const share = overlapShare(runs);
  if (share >= ENOUGH) return [];
  return [
    {
      code: 'LOW_OVERLAP',
      message:
        `only ${Math.round(100 * share)} % of the time ran in pairs that overlap by more than ${minimumRate}, so the sides ` +
        'hardly shared what disturbed them; use --method sync-duet, which starts them together',
    },
  ];
};
