import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { intervalTest, rankTest, type DetectionTest } from '../../src/study/change-tests.ts';
import { falseAlarmRate } from '../../src/study/detection-curve.ts';
import { pairSpans, pairTimes } from '../../src/study/paired-run.ts';
import { simulatedRuns } from './simulated-runs.ts';

const recipe = { runs: 20, iterations: 5, ofSide: 0.02, ofIteration: 0.01 };
const runs = simulatedRuns(recipe, createRandom(5)).map((run) => pairSpans(run, { by: 'place' }));

const byInterval: DetectionTest = (drawn, random) => intervalTest(drawn, { replicates: 400, random });
const byRanksOfMeans: DetectionTest = (drawn) => rankTest(drawn, { sample: 'run-means' });
const byRanks: DetectionTest = (drawn) => rankTest(drawn);

describe('the false alarm rate', () => {
  // A rate of 5 % over 400 splits has a standard error of 1.1 %; BCa with 20 runs misses about 6 to 7 %.
  it('of the interval test is near its 5 %', () => {
    const found = falseAlarmRate(runs, { test: byInterval, splits: 400, random: createRandom(1) });
    expect(found.rate).toBeGreaterThan(0.02);
    expect(found.rate).toBeLessThan(0.11);
    expect(found.rate).toBe(found.alarms / found.splits);
    expect(found.low).toBeLessThan(found.rate);
    expect(found.high).toBeGreaterThan(found.rate);
  });

  it.each(['swap', 'regroup'] as const)('of ranks of run means is near 5 % by %s', (by) => {
    const found = falseAlarmRate(runs, { test: byRanksOfMeans, splits: 400, by, random: createRandom(2) });
    expect(found.rate).toBeGreaterThan(0.01);
    expect(found.rate).toBeLessThan(0.1);
  });

  it('of ranks of pooled iterations is far above it when runs differ', () => {
    const found = falseAlarmRate(runs, { test: byRanks, splits: 400, random: createRandom(2) });
    expect(found.low).toBeGreaterThan(0.15);
  });

  it('of the interval test does not grow with a side that is always slower, which shows in the sides as measured', () => {
    const lopsided = runs.map(({ A, B }) => pairTimes({ A, B: Array.from(B, (time) => 1.2 * time) }));
    const found = falseAlarmRate(lopsided, { test: byInterval, splits: 400, random: createRandom(3) });
    expect(found.asMeasured).toMatchObject({ detected: true, direction: 'slower' });
    expect(found.rate).toBeLessThan(0.11);
  });

  it('is that of the test: none for one that never speaks, all for one that always does', () => {
    const never = falseAlarmRate(runs, {
      test: () => ({ detected: false, direction: 'none' }),
      random: createRandom(1),
    });
    expect(never).toMatchObject({ rate: 0, alarms: 0, low: 0, splits: 200 });
    const always = falseAlarmRate(runs, {
      test: () => ({ detected: true, direction: 'faster' }),
      random: createRandom(1),
    });
    expect(always).toMatchObject({ rate: 1, high: 1 });
  });

  it('deals every side of every run to one place when it regroups', () => {
    const all = (list: readonly { readonly A: ArrayLike<number>; readonly B: ArrayLike<number> }[]): number[] =>
      list.flatMap(({ A, B }) => [...Array.from(A), ...Array.from(B)]).toSorted((x, y) => x - y);
    const expected = all(runs);
    const test: DetectionTest = (drawn) => {
      expect(all(drawn)).toEqual(expected);
      return { detected: false, direction: 'none' };
    };
    expect(falseAlarmRate(runs, { test, by: 'regroup', splits: 5, random: createRandom(1) }).alarms).toBe(0);
  });

  it.each([0, 1.5, -1])('refuses %s splits', (splits) => {
    expect(() => falseAlarmRate(runs, { test: byRanks, splits, random: createRandom(1) })).toThrow(RangeError);
  });
});
