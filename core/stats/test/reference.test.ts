import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  binomialCdf,
  binomialPmf,
  binomialQuantile,
  binomialSf,
  chiSquaredCdf,
  chiSquaredQuantile,
  chiSquaredSf,
  exponentialCdf,
  exponentialQuantile,
  exponentialSf,
  median,
  medianAbsoluteDeviation,
  minimalDetectableRatio,
  proportionTest,
  twoProportionsTest,
  quantile,
  quantiles,
  requiredRuns,
  wilcoxonSignedRank,
} from '../src/index.ts';
import { close } from './golden.ts';

// oxlint-disable-next-line typescript/no-explicit-any
function load(name: string): any {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}-reference.json`, import.meta.url), 'utf8'));
}

const r = load('r');
const scipy = load('scipy');

describe('against R', () => {
  test('quantiles of all nine types', () => {
    for (const c of r.quantiles) {
      const all = quantiles(c.x, c.p, { type: c.type });
      c.p.forEach((p: number, i: number) => {
        close(all[i]!, c.q[i], 1e-13, 1e-13, `type ${c.type}, p ${p} of ${c.x}`);
        expect(quantile(c.x, p, { type: c.type })).toBe(all[i]);
        if (p === 0.5 && c.type === 7) expect(median(c.x)).toBe(all[i]);
      });
    }
  });
  test('median absolute deviation', () => {
    for (const c of r.mad) close(medianAbsoluteDeviation(c.x), c.mad[0], 1e-13, 1e-15);
  });
  test('power of the paired t test', () => {
    for (const c of r.power) {
      const ratio = minimalDetectableRatio({ standardDeviation: 0.01, n: c.n, confidence: c.level, power: c.power });
      // R searches to 1e-13 but its noncentral t has about eight digits.
      close(Math.log(ratio) / 0.01, c.delta[0], 1e-6, 0, `n ${c.n}, level ${c.level}, power ${c.power}`);
      const options = { standardDeviation: 0.01, confidence: c.level, power: c.power };
      expect(requiredRuns({ ...options, ratio: ratio * (1 + 1e-12) })).toBe(c.n);
      expect(requiredRuns({ ...options, ratio: 1 + (ratio - 1) * 0.999 })).toBeGreaterThan(c.n);
    }
  });
  test('signed-rank test', () => {
    for (const c of r.signedRank) {
      const ours = wilcoxonSignedRank(c.d);
      expect(ours.wPlus).toBe(c.w[0]);
      expect(ours.method).toBe(c.exact ? 'exact' : 'asymptotic');
      close(ours.p, c.p[0], 1e-10, 0, `${c.d}`);
    }
  });
  test('proportion test', () => {
    for (const c of r.proportion) {
      const ours = proportionTest(c.k, c.n, c.p0);
      close(ours.z ** 2, c.z2[0], 1e-10, 1e-14);
      close(ours.p, c.p[0], 1e-10, 1e-14);
    }
  });

  test('proportions of two samples, as prop.test(c(15, 25), c(1000, 1000), correct = FALSE)', () => {
    const { z, p } = twoProportionsTest([15, 1000], [25, 1000]);
    // Pooled 0.02: (0.015 - 0.025)^2 / (0.02 x 0.98 x 2 / 1000) = 2.5510204
    expect(z).toBeLessThan(0);
    expect(z * z).toBeCloseTo(2.5510204, 7);
    expect(p).toBeCloseTo(0.110223, 5);
    expect(twoProportionsTest([0, 10], [0, 20])).toEqual({ z: 0, p: 1 });
    expect(() => twoProportionsTest([3, 2], [0, 1])).toThrow(/successes/);
  });
});

describe('against scipy', () => {
  test('chi-squared', () => {
    for (const c of scipy.chiSquared) {
      close(chiSquaredCdf(c.x, c.df), c.cdf, 1e-10, 0, `cdf(${c.x}, ${c.df})`);
      close(chiSquaredSf(c.x, c.df), c.sf, 1e-10, 0, `sf(${c.x}, ${c.df})`);
      if (c.cdf < 0.99) close(chiSquaredQuantile(c.cdf, c.df), c.x, 1e-10, 0, `quantile(${c.cdf}, ${c.df})`);
    }
    expect([chiSquaredQuantile(0, 3), chiSquaredQuantile(1, 3)]).toEqual([0, Infinity]);
    expect([chiSquaredCdf(-1, 3), chiSquaredSf(-1, 3)]).toEqual([0, 1]);
  });
  test('binomial', () => {
    for (const c of scipy.binomial) {
      close(binomialPmf(c.k, c.n, c.p), c.pmf, 1e-10, 0, `pmf(${c.k}, ${c.n}, ${c.p})`);
      close(binomialCdf(c.k, c.n, c.p), c.cdf, 1e-10, 0, `cdf(${c.k}, ${c.n}, ${c.p})`);
      close(binomialSf(c.k, c.n, c.p), c.sf, 1e-10, 1e-300, `sf(${c.k}, ${c.n}, ${c.p})`);
      const cdf = binomialCdf(c.k, c.n, c.p);
      if (cdf < 1 - 1e-9) expect(binomialQuantile(cdf, c.n, c.p)).toBe(c.k);
    }
    expect([binomialCdf(-1, 5, 0.5), binomialCdf(5, 5, 0.5), binomialCdf(0, 0, 0.5)]).toEqual([0, 1, 1]);
    expect([binomialPmf(0, 3, 0), binomialPmf(3, 3, 1), binomialPmf(1, 3, 0)]).toEqual([1, 1, 0]);
  });
  test('exponential, from its closed form', () => {
    for (const [x, rate] of [
      [0.3, 2],
      [1e-20, 5],
      [700, 1],
    ] as const) {
      close(exponentialSf(x, rate), Math.exp(-rate * x), 1e-15);
      close(exponentialCdf(x, rate), -Math.expm1(-rate * x), 1e-15);
      const p = exponentialCdf(x, rate);
      if (p < 0.99) close(exponentialQuantile(p, rate), x, 1e-12);
    }
    expect([exponentialCdf(-1), exponentialSf(-1), exponentialQuantile(0), exponentialQuantile(1)]).toEqual([
      0,
      1,
      0,
      Infinity,
    ]);
  });
});
