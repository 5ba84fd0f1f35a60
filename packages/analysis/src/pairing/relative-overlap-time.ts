import { overlappingRows } from './overlapping-rows.ts';
import { overlapShare } from './overlap-share.ts';
import { spanColumnsOf } from './span-columns-of.ts';
import type { TimeSpan } from './time-span.ts';

/**
 * The share of all iteration time that was spent in pairs: twice the overlapping time over the summed time of both sides,
 * over all runs; in [0, 1], and 0 when nothing ran.
 *
 * @param runs both sides' iterations of every run.
 * @param options.minimumRate only pairs with a higher overlap rate count; default 0.
 * @throws AnalysisError as `overlaps`.
 * Source: Drozdik 2023, equation 5.2.
 */
export const relativeOverlapTime = (
  runs: readonly { readonly A: readonly TimeSpan[]; readonly B: readonly TimeSpan[] }[],
  options: { readonly minimumRate?: number } = {},
): number =>
  overlapShare(
    runs.map((run) => {
      const [A, B] = [spanColumnsOf(run.A), spanColumnsOf(run.B)];
      return { A, B, pairs: overlappingRows(A, B, options.minimumRate ?? 0) };
    }),
  );
