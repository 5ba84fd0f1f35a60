import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { overlaps, relativeOverlapTime } from '../../../../core/analysis/src/pairing/overlaps.ts';
import { pairSpans, slowDown } from '../../src/study/paired-run.ts';
import { goldenOverlaps, spans } from '../../../../core/analysis/test/helpers/golden-overlaps.ts';

const cases = goldenOverlaps.mds_shift;

/** The file's tolerance for times: 1e-12 relative. */
const expectTime = (ours: number, theirs: number): void => {
  expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-12 * Math.abs(theirs));
};

describe('B slowed down', () => {
  it.each(cases)('by $s runs at the expected times in $id', ({ s, input, expected }) => {
    const moved = slowDown(spans(input.B), s);
    expect(moved).toHaveLength(expected.B_shifted.length);
    for (const [i, [start, end]] of expected.B_shifted.entries()) {
      expectTime(at(moved, i).s, start);
      expectTime(at(moved, i).e, end);
    }
  });

  it.each(cases)('by $s pairs and overlaps as expected in $id', ({ s, input, expected }) => {
    const run = { A: spans(input.A), B: slowDown(spans(input.B), s) };
    const pairs = overlaps(run.A, run.B, { minimumRate: 0.4 }).map(({ a, b }) => [a, b]);
    expect(pairs).toEqual(expected['pairs_at_0.4']);
    expect(pairSpans(run, { by: 'overlap' }).pairs.map(({ a, b }) => [a, b])).toEqual(pairs);
    expect(relativeOverlapTime([run], { minimumRate: 0.4 })).toBeCloseTo(expected['relative_overlap_time_0.4'], 12);
  });
});
