import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { intervalTest, rankTest, type DetectionTest } from '../../src/study/change-tests.ts';
import { detectionCurve, minimalDetectableSlowdownOf, type DetectionPoint } from '../../src/study/detection-curve.ts';
import { simulatedRuns } from './simulated-runs.ts';

const quick: DetectionTest = (drawn, random) => intervalTest(drawn, { replicates: 300, random });
const byPlace = { by: 'place' } as const;
const noisy = simulatedRuns({ runs: 20, iterations: 4, ofSide: 0.0141, ofIteration: 0 }, createRandom(11));

describe('a detection curve', () => {
  it('goes from 0 to 15 % in steps of 1 % by default', () => {
    const curve = detectionCurve(noisy, { pairing: byPlace, test: quick, sets: 2, random: createRandom(1) });
    expect(curve.points.map(({ slowdown }) => slowdown)).toEqual(Array.from({ length: 16 }, (_, k) => k / 100));
    expect(curve).toMatchObject({ runs: 20, sets: 2 });
  });

  it('jumps from nothing to everything without noise', () => {
    const still = simulatedRuns({ runs: 6, iterations: 3, ofSide: 0, ofIteration: 0 }, createRandom(1));
    const options = { slowdowns: [0, 0.001, 0.01], test: quick, sets: 20 };
    for (const pairing of [byPlace, { by: 'overlap' } as const]) {
      const { points } = detectionCurve(still, { ...options, pairing, random: createRandom(1) });
      expect(points.map(({ detected, slower }) => [detected, slower])).toEqual([
        [0, 0],
        [1, 1],
        [1, 1],
      ]);
      expect(points.map(({ asMeasured }) => asMeasured)).toEqual([false, true, true]);
      expect(minimalDetectableSlowdownOf({ points })).toBe(0.001);
    }
  });

  // Differences of run means have a standard deviation of 2 % (1.41 % a side, times root 2). With 20 runs their mean has
  // 0.447 %, so a slowdown of 1 % lies 2.24 standard errors off: a 5 % t test sees it with a power of 0.56, 2 % with 0.99.
  // A sample of 20 knows its own standard deviation to about 16 %, which moves 0.56 to between 0.43 and 0.70.
  it('follows the power of a t test on normal runs', () => {
    const curve = detectionCurve(noisy, {
      pairing: byPlace,
      slowdowns: [0, 0.01, 0.02, 0.04],
      test: quick,
      sets: 200,
      random: createRandom(7),
    });
    const [none, one, two, four] = curve.points;
    expect(none?.detected).toBeLessThan(0.14);
    expect(one?.slower).toBeGreaterThan(0.35);
    expect(one?.slower).toBeLessThan(0.8);
    expect(two?.slower).toBeGreaterThan(0.9);
    expect(four?.slower).toBe(1);
    expect(minimalDetectableSlowdownOf(curve)).toBe(0.02);
  });

  it('never falls with the slowdown for the ranks of run means', () => {
    const test: DetectionTest = (drawn) => rankTest(drawn, { sample: 'run-means' });
    const { points } = detectionCurve(noisy, { pairing: byPlace, test, sets: 100, random: createRandom(3) });
    for (let k = 1; k < points.length; k++) {
      expect(at(points, k).slower).toBeGreaterThanOrEqual(at(points, k - 1).slower);
    }
    expect(points.at(-1)?.slower).toBe(1);
    for (const { low, high, slower, detected } of points) {
      expect(low <= slower && slower <= high && slower <= detected).toBe(true);
    }
  });

  it('rises with the number of runs in a set', () => {
    const shareFor = (setSize: number): number =>
      at(
        detectionCurve(noisy, {
          pairing: byPlace,
          slowdowns: [0.01],
          test: quick,
          setSize,
          random: createRandom(2),
        }).points,
        0,
      ).slower;
    expect(shareFor(60)).toBeGreaterThan(shareFor(10) + 0.2);
  });

  it('is the same for the same seed', () => {
    const curve = () =>
      detectionCurve(noisy, {
        pairing: { by: 'overlap', minimumRate: 0.2 },
        slowdowns: [0, 0.01],
        test: quick,
        sets: 20,
        random: createRandom('again'),
      });
    expect(curve()).toEqual(curve());
  });

  it('leaves out runs that have no pairs, and says when too few have', () => {
    const apart = { A: [{ s: 0, e: 10 }], B: [{ s: 10, e: 20 }] };
    const options = { pairing: { by: 'overlap' }, slowdowns: [0], test: quick, sets: 2 } as const;
    expect(detectionCurve([...noisy, apart], { ...options, random: createRandom(1) }).runs).toBe(20);
    expect(() => detectionCurve([apart, apart], { ...options, random: createRandom(1) })).toThrow(
      /0 of 2 runs have pairs/,
    );
  });
});

describe('the minimal detectable slowdown of a curve', () => {
  const curveOf = (slower: Readonly<Record<number, number>>): { readonly points: readonly DetectionPoint[] } => ({
    points: Object.entries(slower).map(([slowdown, share]) => ({
      slowdown: Number(slowdown),
      detected: share,
      slower: share,
      low: share,
      high: share,
      asMeasured: share > 0.5,
    })),
  });

  it('is the first that is seen often enough with all larger ones', () => {
    expect(minimalDetectableSlowdownOf(curveOf({ 0: 0.03, 0.01: 0.5, 0.02: 0.8, 0.03: 1 }))).toBe(0.02);
    expect(minimalDetectableSlowdownOf(curveOf({ 0: 0.03, 0.01: 0.9, 0.02: 0.7, 0.03: 1 }))).toBe(0.03);
  });

  it('follows the power', () => {
    const curve = curveOf({ 0.01: 0.5, 0.02: 0.8, 0.03: 1 });
    expect(minimalDetectableSlowdownOf(curve, { power: 0.5 })).toBe(0.01);
    expect(minimalDetectableSlowdownOf(curve, { power: 1 })).toBe(0.03);
    expect(() => minimalDetectableSlowdownOf(curve, { power: 0 })).toThrow(RangeError);
  });

  it('is not there when the largest slowdown is missed, and never 0', () => {
    expect(minimalDetectableSlowdownOf(curveOf({ 0: 0.9, 0.01: 0.9, 0.02: 0.7 }))).toBeNull();
    expect(minimalDetectableSlowdownOf(curveOf({ 0: 1, 0.01: 1 }))).toBe(0.01);
    expect(minimalDetectableSlowdownOf({ points: [] })).toBeNull();
  });
});
