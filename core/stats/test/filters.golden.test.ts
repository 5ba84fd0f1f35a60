import { describe, expect, test } from 'vitest';
import { mean, slidingQuantileFilter, slidingRangeFilter } from '../src/index.ts';
import { golden } from './golden.ts';

const file = golden('12-filters-overlaps');

describe('12: outlier filters', () => {
  for (const c of file.window_filter) {
    for (const e of c.expected) {
      test(`${c.id}: window ${e.window}, ${e.mode}`, () => {
        expect(slidingQuantileFilter(c.input.x, { window: e.window, placement: e.mode })).toEqual(e.dropped);
      });
    }
  }
  test('filter of the steady-state study', () => {
    const { input, expected } = file.steady_state_filter;
    const noops = Math.ceil(0.1 / mean(input.x));
    const skip = Math.ceil(200 / Math.log(1 + noops));
    expect(skip).toBe(expected.skip);
    expect(slidingRangeFilter(input.x, { skip })).toEqual(expected.dropped);
  });
});
