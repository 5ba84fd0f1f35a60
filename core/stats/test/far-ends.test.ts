import { describe, expect, it } from 'vitest';
import { binomialQuantile } from '../src/distributions/binomial.ts';
import { gaussianKde } from '../src/density/kde.ts';
import { kneePenalty } from '../src/changepoints/pelt.ts';
import { minimalDetectableRatio } from '../src/power/detectable-shift.ts';

describe('far ends of what can be asked', () => {
  it('binomial quantiles near 1 are those of the upper tail', () => {
    // scipy.stats.binom.ppf
    expect(binomialQuantile(1 - 1e-12, 1_000_000, 0.5)).toBe(503_517);
    expect(binomialQuantile(1, 1000, 0.001)).toBe(1000);
    expect(binomialQuantile(1, 1000, 0)).toBe(0);
  });

  it('two pairs detect what the noncentral t distribution says', () => {
    // ln(ratio) sqrt(2) / sd, by mpmath with 30 digits: P(s < (z + delta) / t) over the normal density of z.
    for (const [confidence, power, shift] of [
      [0.95, 0.8, 16.33400886992099],
      [0.99, 0.8, 81.58946178416845],
      [0.99, 0.99, 163.989130187778],
      [0.999, 0.8, 815.861401443833],
      [0.99999, 0.8, 81586.1065967872],
    ] as const) {
      const standardDeviation = 1e-4;
      const ratio = minimalDetectableRatio({ standardDeviation, n: 2, confidence, power });
      const found = (Math.log(ratio) / standardDeviation) * Math.SQRT2;
      expect(Math.abs(found / shift - 1)).toBeLessThan(1e-11);
    }
  });

  it('densities of the smallest numbers are never NaN', () => {
    for (const sample of [
      [1e-320, 2e-320, 3e-320],
      [0, 5e-324],
      [5e-324, 5e-324, 1e-323, 2e-323],
    ]) {
      const densities = gaussianKde(sample, [0, 1e-323, 1e-320, 1]);
      expect(densities.every((density) => density >= 0)).toBe(true);
    }
  });

  it('a curve that only bends at its first point has no elbow', () => {
    // Scaled, the curve lies above the diagonal but for its ends: it bends at no change point, where 1 - y - x = 0 is largest.
    expect(kneePenalty([0, 97, 98, 99, 100], [8, 6, 4, 2, 0])).toBeNull();
    // One that lies below it bends at two change points.
    expect(kneePenalty([0, 1, 2, 3, 100], [8, 6, 4, 2, 0])).toEqual({ penalty: 3, index: 3 });
  });
});
