import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { intervalTest, rankTest } from '../../src/study/change-tests.ts';
import { pairSpans, pairTimes, swapSides, type PairedRun } from '../../src/study/paired-run.ts';
import { readGolden, type GoldenInterval } from '../../../../core/analysis/test/helpers/golden.ts';

const oneIteration = (A: readonly number[], B: readonly number[]): PairedRun[] =>
  A.map((a, r) => pairTimes({ A: [a], B: [B[r] ?? Number.NaN] }));

interface GoldenBca {
  readonly cases: readonly {
    readonly id: string;
    readonly input: { readonly x: readonly number[] };
    readonly expected: { readonly mean: number };
    readonly ci?: readonly GoldenInterval[];
  }[];
}

const { cases } = readGolden('02-bca.json') as GoldenBca;

describe('the interval test', () => {
  it.each(cases.filter(({ ci }) => ci !== undefined))('gives the interval of the reference for $id', (golden) => {
    const { x } = golden.input;
    // Times are above 0, so the values become differences from a time that is larger than all of them.
    const base = 1 + 2 * x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const runs = oneIteration(
      x.map(() => base),
      x.map((value) => base + value),
    );
    for (const { lo, hi, level, replicates_B: replicates } of golden.ci ?? []) {
      const found = intervalTest(runs, { confidence: level, replicates, random: createRandom(golden.id) });
      expect(Math.abs(found.estimate - golden.expected.mean)).toBeLessThan(1e-12 * base);
      expect(Math.abs(found.low - lo.mean)).toBeLessThanOrEqual(lo.tol + 1e-12 * base);
      expect(Math.abs(found.high - hi.mean)).toBeLessThanOrEqual(hi.tol + 1e-12 * base);
    }
  });

  // Differences of 2, 1, 3, 2, 2: every resample has a mean of at least 1, so the interval lies above 0.
  const slower = oneIteration([100, 101, 99, 100, 102], [102, 102, 102, 102, 104]);

  it('says slower when every run of B took longer, and faster with the sides exchanged', () => {
    expect(intervalTest(slower, { random: createRandom(1) })).toMatchObject({
      detected: true,
      direction: 'slower',
      estimate: 2,
      confidence: 0.95,
      runs: 5,
    });
    expect(intervalTest(slower.map(swapSides), { random: createRandom(1) })).toMatchObject({
      detected: true,
      direction: 'faster',
      estimate: -2,
    });
  });

  it('says nothing when runs differ both ways', () => {
    const both = oneIteration([100, 102, 99, 101], [102, 100, 101, 99]);
    expect(intervalTest(both, { random: createRandom(1) })).toMatchObject({ detected: false, direction: 'none' });
  });

  it('finds the same in another unit of time', () => {
    const scaled = slower.map(({ A, B, pairs }) => ({
      A: Array.from(A, (time) => 1024 * time),
      B: Array.from(B, (time) => 1024 * time),
      pairs,
    }));
    const plain = intervalTest(slower, { random: createRandom(3) });
    const found = intervalTest(scaled, { random: createRandom(3) });
    expect(found.low).toBe(1024 * plain.low);
    expect(found.high).toBe(1024 * plain.high);
  });

  it('takes one mean a run, whatever the number of its pairs', () => {
    // Differences 1, 1, 1, 5 (mean 2) and 4: the mean of the run means is 3, that of all pairs 2.4.
    const runs = [pairTimes({ A: [10, 10, 10, 10], B: [11, 11, 11, 15] }), pairTimes({ A: [10], B: [14] })];
    expect(intervalTest(runs, { random: createRandom(1) }).estimate).toBe(3);
  });

  it('takes the pairs that overlap, and leaves out runs without any', () => {
    const overlapping = {
      A: [
        { s: 0, e: 10 },
        { s: 10, e: 20 },
      ],
      B: [{ s: 1, e: 13 }],
    };
    const apart = { A: [{ s: 0, e: 10 }], B: [{ s: 10, e: 20 }] };
    // Of A's first iteration 9 of 10, of B's 9 of 12 are shared: 0.75 > 0.4. With A's second it is 3 of 12.
    const runs = [overlapping, overlapping, apart].map((run) => pairSpans(run, { by: 'overlap' }));
    expect(runs.map(({ pairs }) => pairs)).toEqual([[{ a: 0, b: 0 }], [{ a: 0, b: 0 }], []]);
    expect(intervalTest(runs, { random: createRandom(1) })).toMatchObject({ estimate: 2, runs: 2 });
    expect(() => intervalTest(runs.slice(1), { random: createRandom(1) })).toThrow(/1 of 2 runs have pairs/);
  });
});

describe('the rank test', () => {
  // One of the 16 pairs has A above B, so U = 1; of the 70 orders of 4 + 4 values two have U <= 1: p = 2 * 2 / 70.
  const close = oneIteration([10.1, 10.3, 10.2, 10.5], [10.6, 10.4, 10.8, 10.9]);

  it('has the p value of the permutations', () => {
    const found = rankTest(close);
    expect(found.p).toBeCloseTo(4 / 70, 12);
    expect(found).toMatchObject({ detected: false, direction: 'none', a12: 15 / 16 });
  });

  it('reports the direction of B when p is below the significance', () => {
    expect(rankTest(close, { significance: 0.06 })).toMatchObject({ detected: true, direction: 'slower' });
    expect(rankTest(close.map(swapSides), { significance: 0.06 })).toMatchObject({ direction: 'faster' });
  });

  it('pools the iterations of all runs unless run means are asked for', () => {
    // Pooled, 9 against 9 values with all of B above: p = 2 / 48620. As means 3 against 3: p = 2 / 20.
    const runs = [0, 10, 20].map((base) =>
      pairTimes({ A: [base + 1, base + 2, base + 3], B: [base + 101, base + 102, base + 103] }),
    );
    expect(rankTest(runs).detected).toBe(true);
    expect(rankTest(runs, { sample: 'run-means' })).toMatchObject({ detected: false, a12: 1 });
    expect(rankTest(runs, { sample: 'run-means' }).p).toBeCloseTo(0.1, 12);
  });

  it('counts every iteration once, paired or not', () => {
    const run = { A: [1, 2, 3], B: [4] };
    expect(rankTest([{ ...run }]).p).toBe(rankTest([pairTimes(run)]).p);
  });

  it('depends on the order of the times alone', () => {
    const cubed = close.map(({ A, B }) => ({ A: Array.from(A, (t) => t ** 3), B: Array.from(B, (t) => t ** 3) }));
    expect(rankTest(cubed)).toEqual(rankTest(close));
  });

  it.each([0, 1, Number.NaN])('refuses a significance of %s', (significance) => {
    expect(() => rankTest(close, { significance })).toThrow(RangeError);
  });
});
