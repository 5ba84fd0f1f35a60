import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { type MachineEffect, randomEffects } from '../../src/archive/random-effects.ts';

/** Logarithms of risk ratios of 13 trials of the BCG vaccine, the common example of such models (Colditz et al., JAMA 1994). */
const trials: readonly MachineEffect[] = (
  [
    [-0.8893, 0.3256],
    [-1.5854, 0.1946],
    [-1.3481, 0.4154],
    [-1.4416, 0.02],
    [-0.2175, 0.0512],
    [-0.7861, 0.0069],
    [-1.6209, 0.223],
    [0.012, 0.004],
    [-0.4694, 0.0564],
    [-1.3713, 0.073],
    [-0.3394, 0.0124],
    [0.4459, 0.5325],
    [-0.0173, 0.0714],
  ] as const
).map(([effect, variance]) => ({ effect, variance }));

/** The restricted log-likelihood itself, without a constant. */
function likelihood(effects: readonly MachineEffect[], between: number): number {
  const weights = effects.map(({ variance }) => 1 / (variance + between));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = effects.reduce((sum, { effect }, i) => sum + weights[i]! * effect, 0) / all;
  const squares = effects.reduce((sum, { effect }, i) => sum + weights[i]! * (effect - mean) ** 2, 0);
  return (
    -0.5 * (effects.reduce((sum, { variance }) => sum + Math.log(variance + between), 0) + Math.log(all) + squares)
  );
}

/** The largest of it by ever finer grids. */
function largest(effects: readonly MachineEffect[], most: number): number {
  let [low, high] = [0, most];
  for (let round = 0; round < 12; round++) {
    const grid = Array.from({ length: 101 }, (_, k) => low + ((high - low) * k) / 100);
    const best = grid.reduce((one, other) => (likelihood(effects, other) > likelihood(effects, one) ? other : one));
    const step = (high - low) / 100;
    [low, high] = [Math.max(0, best - step), best + step];
  }
  return (low + high) / 2;
}

describe('the random-effects model over machines', () => {
  it('is that of the published example', () => {
    const { mean, between, low, high, machines } = randomEffects(trials, 0.95);
    expect(machines).toBe(13);
    expect(mean).toBeCloseTo(-0.7145, 3);
    expect(between ** 2).toBeCloseTo(0.3132, 3);
    expect([low, high].map((end) => Number(end.toFixed(2)))).toEqual([-1.11, -0.32]);
  });

  it('has the variance between machines at which the restricted likelihood is largest', () => {
    const random = createRandom('likelihood');
    for (let draw = 0; draw < 40; draw++) {
      const effects = Array.from({ length: 3 + (draw % 6) }, () => ({
        effect: 0.05 * random.normal(),
        variance: 1e-4 * Math.exp(random.normal()),
      }));
      const { between } = randomEffects(effects, 0.99);
      expect(Math.abs(between ** 2 - largest(effects, 0.05))).toBeLessThan(1e-6);
    }
  });

  it('finds no difference between machines where the runs explain what differs', () => {
    const effects = [0.01, 0.012, 0.008].map((effect) => ({ effect, variance: 1e-3 }));
    expect(randomEffects(effects, 0.99)).toMatchObject({ between: 0, heterogeneity: 0 });
    const apart = [-1, 0, 1].map((effect) => ({ effect, variance: 1e-4 }));
    expect(randomEffects(apart, 0.99).heterogeneity).toBeGreaterThan(0.99);
  });

  // Effects around a true mean of machines that differ by nothing to ten times what their runs leave open.
  it.each([0, 0.003, 0.01, 0.1])('holds its level over 5 machines that differ by %d', (deviation) => {
    const random = createRandom(`coverage ${deviation}`);
    let held = 0;
    for (let draw = 0; draw < 1000; draw++) {
      const effects = Array.from({ length: 5 }, () => {
        const variance = 1e-4 * Math.exp(0.5 * random.normal());
        return { effect: 0.02 + deviation * random.normal() + Math.sqrt(variance) * random.normal(), variance };
      });
      const { low, high } = randomEffects(effects, 0.99);
      if (low <= 0.02 && 0.02 <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(985);
  });

  it('refuses what it cannot model', () => {
    expect(() => randomEffects([{ effect: 0, variance: 1 }], 0.99)).toThrow(/at least 2/);
    const two = (variance: number) => [0, 1].map((effect) => ({ effect, variance }));
    expect(() => randomEffects(two(0), 0.99)).toThrow(/above 0/);
    expect(() => randomEffects(two(1), 1)).toThrow(/level/);
  });
});
