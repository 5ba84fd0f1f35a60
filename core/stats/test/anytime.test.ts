import { describe, expect, it } from 'vitest';
import { anytimeMeanInterval, anytimeTCritical, fewestAnytimeValues } from '../src/anytime/anytime-mean-interval.ts';

/**
 * The evidence of n normal values with t statistic t against mean 0, prior variance 1: the Bayes factor by numerical
 * integration over the effect d ~ N(0, 1) of the noncentral t density ratio, in its scale-invariant form
 * f(t | d) / f(t | 0) = integral over y of y^n exp(-y^2 / 2 + y d w - n d^2 / 2) / integral of y^n exp(-y^2 / 2),
 * w = t n^(1/2) / (n - 1 + t^2)^(1/2).
 */
function evidence(t: number, n: number): number {
  const w = (t * Math.sqrt(n)) / Math.sqrt(n - 1 + t * t);
  const step = 0.02;
  let below = 0;
  let above = 0;
  for (let y = step / 2; y < 40; y += step) {
    const weight = Math.exp((n - 1) * Math.log(y) - (y * y) / 2 - ((n - 1) / 2) * Math.log(n));
    below += weight;
    for (let d = -12; d < 12; d += 0.05) {
      above +=
        0.05 * (Math.exp(-(d * d) / 2) / Math.sqrt(2 * Math.PI)) * weight * Math.exp(y * d * w - (n * d * d) / 2);
    }
  }
  return above / below;
}

describe('the critical value at every look', () => {
  it.each([
    [6, 0.95],
    [12, 0.99],
    [30, 0.99],
  ])('is where the evidence of %i values reaches 1 / (1 - %d)', (n, confidence) => {
    const critical = anytimeTCritical({ size: n, degrees: n - 1, confidence });
    expect(evidence(critical, n) * (1 - confidence)).toBeCloseTo(1, 3);
  });

  it('is beyond reach with too few values, above that of a single look later, and grows with the level', () => {
    expect(anytimeTCritical({ size: 3, degrees: 2, confidence: 0.99 })).toBe(Infinity);
    // Student's t at 99 %, 29 degrees: 2.756
    expect(anytimeTCritical({ size: 30, degrees: 29, confidence: 0.99 })).toBeGreaterThan(2.756);
    expect(anytimeTCritical({ size: 30, degrees: 29, confidence: 0.999 })).toBeGreaterThan(
      anytimeTCritical({ size: 30, degrees: 29, confidence: 0.99 }),
    );
  });

  it('refuses what is out of range', () => {
    expect(() => anytimeTCritical({ size: 0, degrees: 1, confidence: 0.9 })).toThrow(RangeError);
    expect(() => anytimeTCritical({ size: 2, degrees: 0, confidence: 0.9 })).toThrow(RangeError);
    expect(() => anytimeTCritical({ size: 2, degrees: 1, confidence: 1 })).toThrow(RangeError);
  });
});

describe('the interval at every look', () => {
  const symmetric = [-7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7];

  it('is everything until values that all come from one of two modes would be no accident', () => {
    // 0.7^14 = 0.0068 <= 0.0075 < 0.0097 = 0.7^13, and 0.7^10 = 0.028 <= 0.0375 < 0.040 = 0.7^9
    expect(fewestAnytimeValues(0.99)).toBe(14);
    expect(fewestAnytimeValues(0.95)).toBe(10);
    expect(anytimeMeanInterval(symmetric.slice(1), { confidence: 0.99 })).toMatchObject({
      low: -Infinity,
      high: Infinity,
    });
  });

  it('reaches equally far for values without skewness, and further on the side of the shorter tail else', () => {
    const even = anytimeMeanInterval(symmetric, { confidence: 0.99 });
    // squares 2 * (1 + 4 + ... + 49) = 2 * 140, over 13 degrees
    expect(even.standardDeviation).toBeCloseTo(Math.sqrt(280 / 13), 12);
    const reach = (anytimeTCritical({ size: 14, degrees: 13, confidence: 0.99 }) * Math.sqrt(280 / 13)) / Math.sqrt(14);
    expect(even.high).toBeCloseTo(reach, 12);
    expect(even.low).toBeCloseTo(-reach, 12);
    // The long tail is above: the mean is rather underestimated.
    const skewed = anytimeMeanInterval([...symmetric.slice(0, 13), 27], { confidence: 0.99 });
    expect(skewed.high - skewed.mean).toBeGreaterThan(1.2 * (skewed.mean - skewed.low));
  });

  it('takes the mean of two conditions, without their difference', () => {
    const conditions = symmetric.map((_, i) => i % 2 === 0);
    const plain = anytimeMeanInterval(symmetric, { confidence: 0.95, conditions });
    const shifted = anytimeMeanInterval(
      symmetric.map((value, i) => value + (i % 2 === 0 ? 100 : -100)),
      { confidence: 0.95, conditions },
    );
    expect(shifted.mean).toBeCloseTo(plain.mean, 12);
    expect(shifted.high).toBeCloseTo(plain.high, 8);
    expect(shifted).toMatchObject({ size: 14, degrees: 12 });
    // 2 values under one condition and 12 under the other inform like 4 / (1/2 + 1/12) = 6.857 values.
    const uneven = anytimeMeanInterval(symmetric, { confidence: 0.95, conditions: symmetric.map((_, i) => i < 2) });
    expect(uneven.size).toBeCloseTo(48 / 7, 12);
  });

  it('is a point where all values are equal', () => {
    expect(
      anytimeMeanInterval(
        Array.from({ length: 14 }, () => 3),
        { confidence: 0.99 },
      ),
    ).toMatchObject({ low: 3, high: 3 });
  });

  it('refuses conditions of another number', () => {
    expect(() => anytimeMeanInterval([1, 2], { confidence: 0.9, conditions: [true] })).toThrow(RangeError);
  });
});
