import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { explainedSpread, spreadRemoved, spreadWithin } from '../../src/disturbance/explained-spread.ts';

const uniform = (seed: string, n: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: n }, () => random.next());
};

describe('spread that goes along with a count', () => {
  it('is all of it where the times follow the count, whatever the levels of the groups', () => {
    // Each group: times -0.01, 0, 0.01 around its level. Squares 4 x 1e-4 over 6 - 2 degrees of freedom.
    const groups = [
      { logTimes: [1, 1.01, 1.02], counts: [0, 1, 2] },
      { logTimes: [7.02, 7, 7.01], counts: [12, 10, 11] },
    ];
    const { share, correlation, p, runs } = explainedSpread(groups) ?? {};
    expect(share).toBeCloseTo(0.01, 12);
    expect(correlation).toBeCloseTo(1, 12);
    expect(p).toBeCloseTo(0, 6);
    expect(runs).toBe(6);
  });

  it('agrees with a correlation test worked out by hand', () => {
    // Centred: times -2 -1 0 1 2, counts -1 -2 0 1 2: r = 9 / 10, t = 0.9 sqrt(3 / 0.19) = 3.576 on 3 degrees, p 0.0374.
    const found = explainedSpread([{ logTimes: [0, 1, 2, 3, 4], counts: [1, 0, 2, 3, 4] }]);
    expect(found?.correlation).toBeCloseTo(0.9, 12);
    expect(found?.p).toBeCloseTo(0.0374, 4);
    // Spread of the times: sqrt(10 / 4).
    expect(found?.share).toBeCloseTo(0.9 * Math.sqrt(2.5), 12);
  });

  it('is unknown with too few runs and where nothing varies', () => {
    expect(explainedSpread([])).toBeNull();
    expect(explainedSpread([{ logTimes: [1, 2, 3, 4], counts: [0, 1, 2, 3] }])).toBeNull();
    expect(explainedSpread([{ logTimes: [1, 2, 3, 4, 5], counts: [0, 0, 0, 0, 0] }])).toBeNull();
    expect(explainedSpread([{ logTimes: [1, 1, 1, 1, 1], counts: [0, 1, 2, 3, 4] }])).toBeNull();
  });

  it('of unrelated counts is significant as often as the level says', () => {
    const trials = 2000;
    let alarms = 0;
    for (let trial = 0; trial < trials; trial++) {
      const groups = [8, 5, 4].map((n, g) => ({
        logTimes: uniform(`times ${trial} ${g}`, n),
        counts: uniform(`counts ${trial} ${g}`, n),
      }));
      if ((explainedSpread(groups)?.p ?? 1) < 0.05) alarms++;
    }
    // 5 % +- 4 standard errors of 0.49 %.
    expect(alarms / trials).toBeGreaterThan(0.03);
    expect(alarms / trials).toBeLessThan(0.07);
  });
});

describe('spread that avoiding a disturbance removes', () => {
  it('is the root of the difference of the variances, over groups with levels of their own', () => {
    const of = (size: number): number[][] => [
      [1 - size, 1, 1 + size],
      [5 - size, 5, 5 + size],
    ];
    const removed = spreadRemoved({ with: of(0.05), without: of(0.03) });
    expect(removed?.spread).toBeCloseTo(0.05, 12);
    expect(removed?.without).toBeCloseTo(0.03, 12);
    // 5, 3, 4.
    expect(removed?.share).toBeCloseTo(0.04, 12);
    expect(spreadRemoved({ with: of(0.03), without: of(0.05) })?.share).toBe(0);
    expect(spreadRemoved({ with: of(0.05), without: [] })).toBeNull();
    expect(spreadWithin([[1], []])).toBeNull();
  });

  it('is significant when the spreads differ much, not when they are the same', () => {
    const scaled = (seed: string, factor: number): number[][] => [uniform(seed, 20).map((u) => factor * u)];
    expect(spreadRemoved({ with: scaled('a', 5), without: scaled('b', 1) })?.p).toBeLessThan(0.001);
    expect(spreadRemoved({ with: scaled('a', 1), without: scaled('a', 1) })?.p).toBe(1);
  });
});
