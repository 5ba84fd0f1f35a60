import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { draws as drawsOf } from '../../../bench/lib/draws.js';
import { binomialQuantile, createRandom, rankSumShift, rankSumVariance, studentTSf } from '../src/index.ts';
import { close } from './golden.ts';

// oxlint-disable-next-line typescript/no-explicit-any
const reference: any = JSON.parse(
  readFileSync(new URL('./fixtures/brunner-munzel-reference.json', import.meta.url), 'utf8'),
);

/** 1 for an interval that does not hold 0. */
function misses({ low, high }: { readonly low: number; readonly high: number }): number {
  return low > 0 || high < 0 ? 1 : 0;
}

describe('the variance by placements', () => {
  test('gives the statistic and the p value of scipy', () => {
    for (const { x, y, statistic, p } of reference.cases as {
      x: number[];
      y: number[];
      statistic: number;
      p: number;
    }[]) {
      const pairs = y.reduce((sum, b) => sum + x.reduce((own, a) => own + (a < b ? 1 : a === b ? 0.5 : 0), 0), 0);
      const { variance, degrees } = rankSumVariance(x, y);
      const found = (pairs - (x.length * y.length) / 2) / Math.sqrt(variance);
      close(found, statistic, 1e-10, 1e-12);
      close(2 * studentTSf(Math.abs(found), degrees), p, 1e-8);
    }
  });

  test('makes an interval that holds its level where one sample scatters six times as much, 95 %, 20 values', () => {
    const random = createRandom('spreads');
    const draws = drawsOf(1500);
    const missed = { plain: 0, studentised: 0 };
    for (let draw = 0; draw < draws; draw++) {
      const one = Array.from({ length: 20 }, () => random.normal());
      const other = Array.from({ length: 20 }, () => 6 * random.normal());
      const plain = rankSumShift(other, one);
      const moved = other.map((value) => value - plain.estimate);
      const studentised = rankSumShift(other, one, { studentised: rankSumVariance(moved, one) });
      missed.plain += misses(plain.interval(0.95));
      missed.studentised += misses(studentised.interval(0.95));
    }
    // 8.1 and 3.2 % of 1 500 draws.
    expect(missed.studentised).toBeLessThanOrEqual(binomialQuantile(0.999, draws, 0.05));
    expect(missed.plain).toBeGreaterThan(missed.studentised);
  });
});
