import { createRandom, mean, variance } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { observationsForDistribution, weightedGrandMean } from '../../src/study/grand-means.ts';

describe('observations for a distribution', () => {
  it("are about the paper's 66 for 20 % and 99 %, and enough for a uniform one", () => {
    const n = observationsForDistribution({ error: 0.2, confidence: 0.99 });
    // ln(200) / 0.08 is 66.2, of which the paper prints the whole part.
    expect(n).toBe(67);
    const random = createRandom('massart');
    let within = 0;
    for (let draw = 0; draw < 2000; draw++) {
      const sorted = Array.from({ length: n }, () => random.next()).toSorted((a, b) => a - b);
      const distance = Math.max(...sorted.map((value, i) => Math.max(value - i / n, (i + 1) / n - value)));
      if (distance <= 0.2) within++;
    }
    expect(within).toBeGreaterThanOrEqual(1980);
    expect(() => observationsForDistribution({ error: 0, confidence: 0.99 })).toThrow(/error must lie/);
    expect(() => observationsForDistribution({ error: 0.2, confidence: 1 })).toThrow(/confidence must lie/);
  });
});

describe('a grand mean of runs by their weights', () => {
  it('is that of run means where all weigh the same', () => {
    const values = [10, 11, 13, 9, 12];
    const found = weightedGrandMean(
      values.map((one) => ({ mean: one, weight: 3 })),
      0.99,
    );
    expect(found.mean).toBeCloseTo(mean(values), 12);
    expect(found.variance).toBeCloseTo(variance(values) / values.length, 12);
  });

  it('holds the mean of a random moment at its level, where longer runs are slower', () => {
    const random = createRandom('weighted');
    // Runs last 1 to 2; those that last longer are slower by half of it: E[w m] / E[w] = (10 E[w] + 0.5 E[w²]) / E[w] = 10 + 0.5 (7 / 3) / 1.5.
    const truth = 10 + (0.5 * (7 / 3)) / 1.5;
    let [held, ofRuns] = [0, 0];
    for (let draw = 0; draw < 1000; draw++) {
      const units = Array.from({ length: 30 }, () => {
        const weight = 1 + random.next();
        return { weight, mean: 10 + 0.5 * weight + 0.1 * random.normal() };
      });
      const { low, high } = weightedGrandMean(units, 0.99);
      if (low <= truth && truth <= high) held++;
      ofRuns += mean(units.map((unit) => unit.mean)) / 1000;
    }
    expect(held).toBeGreaterThanOrEqual(980);
    expect(ofRuns).toBeCloseTo(10.75, 2);
    expect(truth).toBeGreaterThan(10.77);
  });

  it('refuses what has no mean', () => {
    const unit = { mean: 1, weight: 1 };
    expect(() => weightedGrandMean([unit], 0.99)).toThrow(/at least 2/);
    expect(() => weightedGrandMean([unit, { mean: 1, weight: 0 }], 0.99)).toThrow(/above 0/);
    expect(() => weightedGrandMean([unit, unit], 0)).toThrow(/level/);
  });
});
