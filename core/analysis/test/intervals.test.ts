import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { meanInterval, pairingGain, shuffledPairsWidth } from '../src/interval/paired-intervals.ts';
import { ratioInterval } from './helpers/ratio-interval.ts';
import { sequentialRatioInterval } from '../src/interval/sequential-ratio-interval.ts';
import { at } from '../src/internal/lists.ts';

const kinds = ['expanded', 'percentile', 'bca', 't'] as const;
const options = (kind: (typeof kinds)[number], seed = 1) => ({
  kind,
  confidence: 0.95,
  replicates: 2000,
  random: createRandom(seed),
});
const normals = (n: number, { seed, mean, sd }: { seed: number; mean: number; sd: number }): Float64Array => {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, () => mean + sd * random.normal());
};

describe('the interval of a duet', () => {
  it('of kind t is the t interval of the log ratios', () => {
    // Log ratios 0.1, 0.2, 0.3: mean 0.2, sd 0.1, standard error 0.1 / sqrt 3; t(0.975, 2 df) = 4.302652730.
    const ratio = ratioInterval([0.1, 0.2, 0.3], options('t'));
    const reach = (4.30265273 * 0.1) / Math.sqrt(3);
    expect(ratio.estimate).toBeCloseTo(Math.exp(0.2), 12);
    expect(ratio.low).toBeCloseTo(Math.exp(0.2 - reach), 8);
    expect(ratio.high).toBeCloseTo(Math.exp(0.2 + reach), 8);
    expect(ratio).toMatchObject({ level: 0.95, kind: 't', replicates: 0 });
  });

  it('is wider expanded than as a plain percentile interval', () => {
    const logs = normals(10, { seed: 2, mean: 0, sd: 0.02 });
    const [expanded, plain] = [ratioInterval(logs, options('expanded')), ratioInterval(logs, options('percentile'))];
    expect(expanded.low).toBeLessThan(plain.low);
    expect(expanded.high).toBeGreaterThan(plain.high);
    expect([expanded.kind, plain.kind]).toEqual(['expanded-percentile', 'percentile']);
  });

  it.each(kinds)('is the same for the same seed and about the same for another (%s)', (kind) => {
    const logs = normals(30, { seed: 3, mean: 0.01, sd: 0.02 });
    const once = ratioInterval(logs, options(kind));
    expect(ratioInterval(logs, options(kind))).toEqual(once);
    expect(ratioInterval(logs, options(kind, 2)).low).toBeCloseTo(once.low, 2);
  });

  it.each(kinds)('turns into its reciprocal when the sides change places (%s)', (kind) => {
    const logs = normals(15, { seed: 4, mean: 0.05, sd: 0.1 });
    const ratio = ratioInterval(logs, options(kind));
    const turned = ratioInterval(
      logs.map((log) => -log),
      options(kind),
    );
    expect(turned.estimate).toBeCloseTo(1 / ratio.estimate, 12);
    expect(turned.low).toBeCloseTo(1 / ratio.high, 10);
    expect(turned.high).toBeCloseTo(1 / ratio.low, 10);
  });

  it('keeps ends that a double can hold, however far two units lie apart', () => {
    const ratio = ratioInterval([-100, 100], { ...options('t'), confidence: 0.99 });
    expect(ratio).toMatchObject({ estimate: 1, low: 0, high: Number.MAX_VALUE });
  });

  it('is a point for equal ratios and refused for a single unit', () => {
    for (const kind of kinds) {
      const ratio = ratioInterval([0.5, 0.5, 0.5], options(kind));
      expect(ratio.low).toBeCloseTo(Math.exp(0.5), 12);
      expect(ratio.high).toBeCloseTo(Math.exp(0.5), 12);
      expect(() => ratioInterval([0.5], options(kind))).toThrow(RangeError);
    }
  });
});

it('the difference of a duet lies inside its interval', () => {
  const differences = normals(20, { seed: 5, mean: 1e6, sd: 3e5 });
  const { estimate, low, high } = meanInterval(differences, options('bca'));
  expect(low).toBeLessThan(estimate);
  expect(high).toBeGreaterThan(estimate);
});

const a = normals(25, { seed: 6, mean: 100, sd: 5 });
const b = normals(25, { seed: 7, mean: 110, sd: 5 });
const sequentialWidth = (kind: (typeof kinds)[number]) => {
  const { low, high } = sequentialRatioInterval(a, b, options(kind)).ratio;
  return high - low;
};

describe('the standard method', () => {
  it('of kind t is the interval of Welch', () => {
    // A: 1, 3 (mean 2, variance 2); B: 4, 8 (mean 6, variance 8). Squared errors 1 and 4, their sum 5;
    // df = 25 / (1/1 + 16/1) = 25/17; t(0.975, 25/17 df) = 6.188115 (the density integrated by Simpson's rule).
    const { difference, ratio } = sequentialRatioInterval([1, 3], [4, 8], options('t'));
    expect(ratio.estimate).toBe(3);
    expect(difference.estimateNs).toBe(4);
    expect((difference.highNs - 4) / Math.sqrt(5)).toBeCloseTo(6.188115, 4);
    expect((4 - difference.lowNs) / Math.sqrt(5)).toBeCloseTo(6.188115, 4);
  });

  it.each(kinds)('gives ratio and difference on the same side of no difference (%s)', (kind) => {
    const { ratio, difference, standardError } = sequentialRatioInterval(a, b, options(kind));
    expect(ratio.low).toBeGreaterThan(1);
    expect(difference.lowNs).toBeGreaterThan(0);
    expect(ratio.low).toBeLessThan(ratio.estimate);
    expect(ratio.high).toBeGreaterThan(ratio.estimate);
    // Delta method: sqrt((5/100)^2 / 25 + (5/110)^2 / 25) = 0.0135 for the true spreads.
    expect(standardError).toBeGreaterThan(0.009);
    expect(standardError).toBeLessThan(0.018);
  });

  it.each(kinds)('is about as wide as the t interval (%s)', (kind) => {
    expect(sequentialWidth(kind) / sequentialWidth('t')).toBeGreaterThan(0.85);
    expect(sequentialWidth(kind) / sequentialWidth('t')).toBeLessThan(1.15);
  });

  it('takes sides of different sizes and refuses one run and times of 0', () => {
    expect(sequentialRatioInterval([1, 2, 3], [2, 3], options('expanded')).ratio.estimate).toBe(1.25);
    expect(() => sequentialRatioInterval([1], [1, 2], options('t'))).toThrow('at least 2 runs a side, got 1');
    expect(() => sequentialRatioInterval([1, 0], [1, 2], options('t'))).toThrow(RangeError);
  });
});

describe('shuffled pairs', () => {
  it('lose what pairing gains', () => {
    // Both sides share noise of 10 %, the pairs differ by 1 %: unpaired log ratios scatter sqrt(2) * 10 %, paired sqrt(2) * 1 %.
    const shared = normals(100, { seed: 8, mean: 0, sd: 0.1 });
    const noise = normals(200, { seed: 9, mean: 0, sd: 0.01 });
    const times = {
      A: Array.from(shared, (s, r) => Float64Array.of(Math.exp(s + at(noise, r)))),
      B: Array.from(shared, (s, r) => Float64Array.of(Math.exp(s + at(noise, 100 + r)))),
    };
    const logs = Float64Array.from(shared, (_, r) => Math.log(at(at(times.B, r), 0) / at(at(times.A, r), 0)));
    const members = Array.from(shared, (_, r) => [r]);
    const gain = pairingGain(
      shuffledPairsWidth(times, { ...options('expanded'), members }),
      ratioInterval(logs, options('expanded')),
    );
    expect(gain).toBeGreaterThan(7);
    expect(gain).toBeLessThan(13);
  });

  it('have no gain to tell of when the true interval is a point', () => {
    expect(pairingGain(0.1, { low: 1, high: 1 })).toBeNull();
  });
});
