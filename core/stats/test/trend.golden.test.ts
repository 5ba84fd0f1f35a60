import { describe, expect, test } from 'vitest';
import { createRandom, slopeInterval } from '../src/index.ts';
import { close, closeOnAverage, golden } from './golden.ts';

describe('13: trend within runs', () => {
  for (const c of golden('13-trend').cases) {
    test(c.id, () => {
      const runs = c.input.t.map((times: number[], r: number) => ({ times, values: c.input.y[r] }));
      const e = c.expected;
      const random = createRandom(c.id);
      const { level, replicates_B: replicates } = e.interval;
      const intervals = Array.from({ length: 8 }, () => slopeInterval(runs, { level, replicates, random }));
      close(intervals[0]!.slope, e.slope, 1e-10, 1e-13, 'slope');
      close(intervals[0]!.intercept, e.intercept, 1e-10, 0, 'intercept');
      closeOnAverage(
        intervals.map((i) => i.low),
        e.interval.lo,
        'low',
      );
      closeOnAverage(
        intervals.map((i) => i.high),
        e.interval.hi,
        'high',
      );
      if (e.no_trend !== null) expect(intervals[0]!.low <= 0 && intervals[0]!.high >= 0).toBe(e.no_trend);
    });
  }
});
