import type { Method, Side } from '@deadheat/model';
import type { MeasuredIterations } from '../columns/measured-iterations.ts';
import { overlappingRows } from './overlapping-rows.ts';
import type { PairedRows } from './overlapping-rows.ts';

const noPairs: PairedRows = { length: 0, a: new Int32Array(0), b: new Int32Array(0) };

const pairByIndex = (a: Float64Array, b: Float64Array): PairedRows => {
  const most = Math.min(a.length, b.length);
  const found = { a: new Int32Array(most), b: new Int32Array(most) };
  let length = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    const distance = a[i]! - b[k]!;
    if (distance === 0) {
      found.a[length] = i;
      found.b[length++] = k;
    }
    if (distance <= 0) i++;
    if (distance >= 0) k++;
  }
  return { length, a: found.a.subarray(0, length), b: found.b.subarray(0, length) };
};

/**
 * The pairs of one run: by iteration index where the sides started together, by overlap where each went on by itself, none
 * where they never ran at the same time. An index that only one side has is in no pair. O(rows).
 *
 * @throws AnalysisError as `overlaps`.
 */
export const pairIterations = (
  { A, B }: Readonly<Record<Side, MeasuredIterations>>,
  options: { readonly method: Method; readonly minimumOverlapRate: number },
): PairedRows => {
  switch (options.method) {
    case 'sequential':
      return noPairs;
    case 'async-duet':
      return overlappingRows(A, B, options.minimumOverlapRate);
    case 'tandem':
    case 'sync-duet':
      return pairByIndex(A.indices, B.indices);
  }
};
