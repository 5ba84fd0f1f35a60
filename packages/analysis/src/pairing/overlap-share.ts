import { at } from '../internal/at.ts';
import { overlapOfPair, overlappingRows } from './overlapping-rows.ts';
import type { SpanColumns } from './overlapping-rows.ts';

/**
 * What `relativeOverlapTime` gives, of columns.
 *
 * @throws AnalysisError as `overlaps`.
 */
export const overlapShare = (
  runs: readonly { readonly A: SpanColumns; readonly B: SpanColumns }[],
  options: { readonly minimumRate?: number } = {},
): number => {
  let both = 0;
  let all = 0;
  for (const sides of runs) {
    const pairs = overlappingRows(sides.A, sides.B, options.minimumRate ?? 0);
    for (let k = 0; k < pairs.length; k++) both += 2 * overlapOfPair(sides, [at(pairs.a, k), at(pairs.b, k)]);
    for (const { startsNs, endsNs } of [sides.A, sides.B]) {
      for (let row = 0; row < startsNs.length; row++) all += at(endsNs, row) - at(startsNs, row);
    }
  }
  return all > 0 ? both / all : 0;
};
