import type { Interval } from '@deadheat/model';
import { createRandom, studentTQuantile } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { isOpposedByTotal, totalOfPairs } from '../src/compare/total-time.ts';

const each = (count: number): number[][] => Array.from({ length: count }, (_, r) => [r]);

describe('the ratio of total times of pairs', () => {
  it('is that of the means, by the delta method', () => {
    const A = Float64Array.of(10, 12, 11, 13, 10, 12);
    const B = Float64Array.of(11, 12, 14, 13, 12, 40);
    const total = totalOfPairs({ A, B }, { members: each(6), confidence: 0.95 })!;
    expect(total).toMatchObject({ level: 0.95, kind: 't', replicates: 0 });
    expect(total.estimate).toBeCloseTo(102 / 68, 12);
    const influence = Array.from(B, (b, r) => b / 17 - A[r]! / (68 / 6));
    const variance = influence.reduce((sum, value) => sum + value * value, 0) / 5;
    const reach = studentTQuantile(0.975, 5) * Math.sqrt(variance / 6);
    expect(Math.log(total.low)).toBeCloseTo(Math.log(1.5) - reach, 12);
    expect(Math.log(total.high)).toBeCloseTo(Math.log(1.5) + reach, 12);
  });

  it('loses what disturbs both sides of a run alike', () => {
    const random = createRandom('alike');
    const A = Float64Array.from({ length: 30 }, () => 10 * (random.next() < 0.2 ? 3 : 1));
    const total = totalOfPairs({ A, B: A.map((value) => 1.02 * value) }, { members: each(30), confidence: 0.99 })!;
    expect(total.estimate).toBeCloseTo(1.02, 12);
    expect(total.high - total.low).toBeLessThan(1e-12);
  });

  it('is not known where a side uses nothing of a resource', () => {
    const none = new Float64Array(4);
    expect(
      totalOfPairs({ A: none, B: Float64Array.of(1, 0, 1, 0) }, { members: each(4), confidence: 0.99 }),
    ).toBeNull();
  });
});

describe('a verdict of typical runs', () => {
  const interval = (estimate: number, low: number, high: number): Interval => ({
    estimate,
    low,
    high,
    level: 0.99,
    kind: 't',
    replicates: 0,
  });
  const slow = (slower: 'A' | 'B') =>
    ({ strength: 'suspected', slower, count: 2, opposite: 0, units: 20, by: 2 }) as const;

  it('is opposed by a total time on the other side', () => {
    expect(isOpposedByTotal({ verdict: 'faster', total: interval(1.11, 0.9, 1.3), slow: null }, 0)).toBe(true);
    expect(isOpposedByTotal({ verdict: 'slower', total: interval(1.11, 0.9, 1.3), slow: null }, 0)).toBe(false);
    expect(isOpposedByTotal({ verdict: 'slower', total: interval(0.9, 0.8, 1.1), slow: null }, 0)).toBe(true);
    expect(isOpposedByTotal({ verdict: 'dead-heat', total: interval(0.9, 0.8, 1.1), slow: null }, 0)).toBe(false);
  });

  it('is not where that lies within the margin', () => {
    expect(isOpposedByTotal({ verdict: 'faster', total: interval(1.04, 0.9, 1.3), slow: null }, 0.05)).toBe(false);
    expect(isOpposedByTotal({ verdict: 'faster', total: interval(1.06, 0.9, 1.3), slow: null }, 0.05)).toBe(true);
  });

  it('is opposed by the interval where the side that is called faster was slow now and then', () => {
    const total = interval(0.97, 0.8, 1.2);
    expect(isOpposedByTotal({ verdict: 'faster', total, slow: slow('B') }, 0)).toBe(true);
    expect(isOpposedByTotal({ verdict: 'faster', total, slow: slow('A') }, 0)).toBe(false);
    expect(isOpposedByTotal({ verdict: 'faster', total: null, slow: slow('B') }, 0)).toBe(false);
  });
});
