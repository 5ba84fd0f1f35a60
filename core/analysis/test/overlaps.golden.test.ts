import { describe, expect, it } from 'vitest';
import { overlaps, relativeOverlapTime } from '../src/pairing/overlaps.ts';
import { goldenOverlaps as golden, spans } from './helpers/golden-overlaps.ts';
import { at } from '../src/internal/lists.ts';

type Spans = Parameters<typeof spans>[0];

const pairsOf = (A: Spans, B: Spans, minimumRate: number): number[][] =>
  overlaps(spans(A), spans(B), { minimumRate }).map(({ a, b }) => [a, b]);

describe('the overlaps of one run', () => {
  it.each(golden.overlaps)('are those of the definition for $id', ({ input, expected }) => {
    const found = overlaps(spans(input.A), spans(input.B));
    expect(found.map(({ a, b }) => [a, b])).toEqual(expected.overlaps.map((row) => row.slice(0, 2)));
    for (const [row, { time, rateA, rateB, rate }] of found.entries()) {
      const theirs = at(at(expected.overlaps, row), 2);
      expect(Math.abs(time - theirs)).toBeLessThanOrEqual(1e-12 * theirs);
      expect(rateA).toBeCloseTo(at(at(expected.overlaps, row), 3), 12);
      expect(rateB).toBeCloseTo(at(at(expected.overlaps, row), 4), 12);
      expect(rate).toBeCloseTo(at(at(expected.overlaps, row), 5), 12);
    }
  });

  it.each(golden.overlaps)('are filtered by the minimum rate for $id', ({ input, expected }) => {
    for (const [rate, pairs] of Object.entries(expected.filtered_pairs)) {
      expect(pairsOf(input.A, input.B, Number(rate))).toEqual(pairs);
    }
  });

  it.each(golden.overlaps)('fill the expected share of the time for $id', ({ input, expected }) => {
    const run = { A: spans(input.A), B: spans(input.B) };
    for (const [rate, share] of Object.entries(expected.relative_overlap_time)) {
      expect(relativeOverlapTime([run], { minimumRate: Number(rate) })).toBeCloseTo(share, 12);
    }
  });

  it.each(golden.mds_shift)('are right for $id with B slowed down by $s', ({ input, expected }) => {
    expect(pairsOf(input.A, expected.B_shifted, 0.4)).toEqual(expected['pairs_at_0.4']);
    const run = { A: spans(input.A), B: spans(expected.B_shifted) };
    expect(relativeOverlapTime([run], { minimumRate: 0.4 })).toBeCloseTo(expected['relative_overlap_time_0.4'], 12);
  });
});

it('the share of overlapping time pools the times of several runs', () => {
  const { runs, relative_overlap_time: shares } = golden.overlaps_pooled;
  const inputs = golden.overlaps.filter(({ id }) => runs.includes(id)).map(({ input }) => input);
  expect(inputs).toHaveLength(runs.length);
  for (const [rate, share] of Object.entries(shares)) {
    const pooled = relativeOverlapTime(
      inputs.map(({ A, B }) => ({ A: spans(A), B: spans(B) })),
      { minimumRate: Number(rate) },
    );
    expect(pooled).toBeCloseTo(share, 12);
  }
});
