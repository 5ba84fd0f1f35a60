import { createRandom, studentTQuantile, studentTSf } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { oppositionOf, totalOfPairs } from '../src/compare/total-time.ts';
import { slowOnce } from '../src/warnings/slow-now-and-then.ts';

const each = (count: number): number[][] => Array.from({ length: count }, (_, r) => [r]);

describe('the ratio of total times of pairs', () => {
  it('is that of the means, by the delta method', () => {
    const A = Float64Array.of(10, 12, 11, 13, 10, 12);
    const B = Float64Array.of(11, 12, 14, 13, 12, 40);
    const total = totalOfPairs({ A, B }, { members: each(6), confidence: 0.95 })!;
    expect(total).toMatchObject({ kind: 't', replicates: 0 });
    expect(total.estimate).toBeCloseTo(Math.log(102 / 68), 12);
    const influence = Array.from(B, (b, r) => b / 17 - A[r]! / (68 / 6));
    const variance = influence.reduce((sum, value) => sum + value * value, 0) / 5;
    const reach = studentTQuantile(0.975, 5) * Math.sqrt(variance / 6);
    expect(total.low).toBeCloseTo(Math.log(1.5) - reach, 12);
    expect(total.high).toBeCloseTo(Math.log(1.5) + reach, 12);
  });

  it('loses what disturbs both sides of a run alike', () => {
    const random = createRandom('alike');
    const A = Float64Array.from({ length: 30 }, () => 10 * (random.next() < 0.2 ? 3 : 1));
    const total = totalOfPairs({ A, B: A.map((value) => 1.02 * value) }, { members: each(30), confidence: 0.99 })!;
    expect(total.estimate).toBeCloseTo(Math.log(1.02), 12);
    expect(total.high - total.low).toBeLessThan(1e-12);
  });

  it('is not known where a side uses nothing of a resource', () => {
    const none = new Float64Array(4);
    expect(
      totalOfPairs({ A: none, B: Float64Array.of(1, 0, 1, 0) }, { members: each(4), confidence: 0.99 }),
    ).toBeNull();
  });
});

const near = (ratio: number): unknown => expect.closeTo(ratio, 12);

it('a side is slow once where one unit alone lies 60 % apart', () => {
  const logs = (...ratios: number[]) => Float64Array.from(ratios, Math.log);
  expect(slowOnce(logs(0.9, 0.91, 0.9, 0.89, 2.7))).toBe('B');
  expect(slowOnce(logs(1.1, 1.1, 0.4, 1.11, 1.1))).toBe('A');
  expect(slowOnce(logs(0.9, 0.91, 0.9, 0.89, 1.3))).toBeNull();
  expect(slowOnce(logs(0.9, 2.7, 0.9, 0.89, 0.9, 2.7))).toBeNull();
  expect(slowOnce(logs(0.9, 2.7, 0.9, 0.89, 0.9, 0.3))).toBeNull();
});

describe('a verdict of typical runs', () => {
  const interval = (...ends: [estimate: number, low: number, high: number]) => {
    const [estimate, low, high] = ends.map(Math.log) as [number, number, number];
    const error = (high - low) / 2 / studentTQuantile(0.995, 30);
    const pAtMost = (edge: number) => studentTSf((estimate - edge) / error, 30);
    return { estimate, low, high, pAtMost, pAtLeast: (edge: number) => 1 - pAtMost(edge) };
  };
  const slow = (slower: 'A' | 'B') =>
    ({ strength: 'suspected', slower, count: 2, opposite: 0, units: 20, by: 2 }) as const;

  type Judged = Parameters<typeof oppositionOf>[0];
  const opposed = (
    verdict: Judged['verdict'],
    other: Judged['other'],
    { margin = 0, slowOnce = null, ...facts }: { margin?: number; slow?: 'A' | 'B'; slowOnce?: 'A' | 'B' | null } = {},
  ) => oppositionOf({ verdict, other, slow: facts.slow === undefined ? null : slow(facts.slow), slowOnce }, margin);

  it('is opposed by a total time on the other side', () => {
    const longer = interval(1.11, 0.9, 1.3);
    expect(opposed('faster', longer)).toEqual({ found: 'faster', other: 'slower', by: 'estimate', ratio: near(1.11) });
    expect(opposed('slower', longer)).toBeNull();
    const shorter = interval(0.9, 0.8, 1.1);
    expect(opposed('slower', shorter)).toEqual({ found: 'slower', other: 'faster', by: 'estimate', ratio: near(0.9) });
    expect(opposed('undecided', shorter)).toBeNull();
  });

  it('is not where that lies within the margin', () => {
    expect(opposed('faster', interval(1.04, 0.9, 1.3), { margin: 0.05 })).toBeNull();
    expect(opposed('faster', interval(1.06, 0.9, 1.3), { margin: 0.05 })).not.toBeNull();
  });

  it('is opposed by the interval where the side that is called faster was slow now and then', () => {
    const total = interval(0.97, 0.8, 1.2);
    expect(opposed('faster', total, { slow: 'B' })).toMatchObject({ by: 'interval', ratio: near(1.2) });
    expect(opposed('faster', total, { slow: 'A' })).toBeNull();
    expect(opposed('faster', null, { slow: 'B' })).toBeNull();
    expect(opposed('faster', total, { slowOnce: 'B' })).toMatchObject({ by: 'interval' });
    expect(opposed('faster', total, { slowOnce: 'A' })).toBeNull();
    expect(opposed('faster', interval(0.9, 0.85, 0.95), { slowOnce: 'B' })).toBeNull();
    const turned = interval(1 / 0.97, 1 / 1.2, 1.25);
    expect(opposed('slower', turned, { slow: 'A' })).toMatchObject({
      other: 'faster',
      by: 'interval',
      ratio: near(1 / 1.2),
    });
  });

  it('of a dead heat is opposed by a total time beyond its bound, which is 2 % without a margin', () => {
    expect(opposed('dead-heat', interval(1.019, 0.9, 1.1))).toBeNull();
    expect(opposed('dead-heat', interval(1.021, 1.01, 1.1))).toMatchObject({
      other: 'slower',
      by: 'estimate',
      ratio: 1.021,
    });
    expect(opposed('dead-heat', interval(1.1, 0.99, 1.2))).toMatchObject({
      other: 'slower',
      by: 'interval',
      ratio: near(1.2),
    });
    expect(opposed('dead-heat', interval(0.9, 0.8, 1.01))).toMatchObject({
      other: 'faster',
      by: 'interval',
      ratio: near(0.8),
    });
    // No more than a single far run makes of it.
    expect(opposed('dead-heat', interval(1.03, 0.95, 1.12))).toBeNull();
    expect(opposed('dead-heat', interval(1.04, 0.9, 1.1), { margin: 0.05 })).toBeNull();
  });
});
