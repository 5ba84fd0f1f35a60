import { describe, expect, it } from 'vitest';
import { overlapStudy } from '../../src/study/overlap-study.ts';
import { goldenOverlaps } from '../../../../core/analysis/test/helpers/golden-overlaps.ts';
import { column, spansOf, studied } from './study-support.ts';

describe('the study of overlaps agrees with the reference', () => {
  it.each(goldenOverlaps.mds_shift)('in $id by $s', ({ input, expected }) => {
    const run = [input.A, expected.B_shifted] as const;
    const [pairs, rates] = overlapStudy([studied('async-duet', spansOf([run, run]))]).tables;
    expect(column(pairs, 'pairs')).toEqual([2 * expected['pairs_at_0.4'].length]);
    expect(column(pairs, 'relative overlap time')[0]).toBeCloseTo(expected['relative_overlap_time_0.4'], 12);
    expect(column(rates, 'above 0.4')[0]).toBeCloseTo(expected['relative_overlap_time_0.4'], 12);
  });
});
