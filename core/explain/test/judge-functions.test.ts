import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import type { RunCosts } from '../src/align-functions.ts';
import { judgeFunctions, type PairCosts } from '../src/judge-functions.ts';

/** Shares of functions: one of a fifth, and a tail of small ones. */
const shares = [0.25, 0.2, 0.15, 0.1, 0.08, 0.07, 0.05, 0.04, 0.03, 0.02, 0.01];

/** A run of samples: the speed of the core is that of the pair, and a run differs by 2 % from it. */
function runOf(random: Random, { factor, speed }: { readonly factor: number; readonly speed: number }): RunCosts {
  const costs = shares.map((share, fn) => share * (fn === 1 ? factor : 1));
  const whole = costs.reduce((sum, cost) => sum + cost, 0);
  const cpuSeconds = whole * speed * (1 + 0.02 * random.normal());
  const self = new Map<number, number>();
  for (let sample = 0; sample < 300; sample++) {
    let left = random.next() * whole;
    const found = costs.findIndex((cost) => (left -= cost) < 0);
    const fn = found === -1 ? 0 : found;
    self.set(fn, (self.get(fn) ?? 0) + cpuSeconds / 300);
  }
  return { cpuSeconds, self, total: self };
}

function pairsOf(random: Random, factor: number): readonly PairCosts[] {
  return Array.from({ length: 20 }, () => {
    const speed = 1 + 0.5 * random.next();
    return { A: runOf(random, { factor: 1, speed }), B: runOf(random, { factor, speed }) };
  });
}

describe('judgeFunctions', () => {
  it('finds a function in few experiments where both programs are the same', () => {
    const experiments = draws(500);
    const random = createRandom('explain A/A');
    let found = 0;
    for (let one = 0; one < experiments; one++) {
      const { functions } = judgeFunctions(pairsOf(random, 1), { confidence: 0.95, seed: `${one}` });
      if (functions.some(({ isClear }) => isClear)) found++;
    }
    expect(found).toBeLessThanOrEqual(experiments * 0.05 + 3 * Math.sqrt(experiments * 0.05 * 0.95));
  });

  it('names the function that got slower by a quarter first, with an interval that holds the truth', () => {
    const experiments = draws(100);
    const random = createRandom('explain +25 %');
    let [first, held] = [0, 0];
    for (let one = 0; one < experiments; one++) {
      const pairs = pairsOf(random, 1.25);
      const { functions } = judgeFunctions(pairs, { confidence: 0.99, seed: `${one}` });
      const [top] = functions;
      if (top?.fn === 1 && top.isClear) first++;
      // The mean speed of the pairs is 1.25, and times are those at the median pair.
      const levels = pairs.map(({ A, B }) => (A.cpuSeconds + B.cpuSeconds) / 2).toSorted((a, b) => a - b);
      const truth = (0.05 * ((levels[9] ?? 0) + (levels[10] ?? 0))) / 2 / 1.025;
      const planted = functions.find(({ fn }) => fn === 1)?.difference;
      if (planted !== undefined && planted.low <= truth && truth <= planted.high) held++;
    }
    expect(first).toBeGreaterThanOrEqual(experiments * 0.9);
    expect(held).toBeGreaterThanOrEqual(experiments * 0.9);
  });

  it('gives the sum of all functions as the difference of the whole', () => {
    const { functions, whole } = judgeFunctions(pairsOf(createRandom(7), 1.25), { confidence: 0.99, seed: '7' });
    const sum = functions.reduce((total, { difference }) => total + difference.estimate, 0);
    expect(sum).toBeCloseTo(whole.difference.estimate, 10);
  });

  it('uses the quantile of Student for few pairs, and draws the same signs for the same seed', () => {
    const pairs = pairsOf(createRandom(3), 1.25);
    const few = judgeFunctions(pairs.slice(0, 5), { confidence: 0.99, seed: '1' });
    const many = judgeFunctions(pairs, { confidence: 0.99, seed: '1' });
    const width = ({ functions }: typeof few): number => {
      const one = functions.find(({ fn }) => fn === 1)?.difference;
      return (one?.high ?? 0) - (one?.low ?? 0);
    };
    expect(width(few)).toBeGreaterThan(2 * width(many));
    expect(judgeFunctions(pairs, { confidence: 0.99, seed: '1' })).toEqual(many);
    expect(() => judgeFunctions(pairs.slice(0, 1), { confidence: 0.99, seed: '1' })).toThrow(RangeError);
  });

  it('keeps an interval finite where every pair differs by the same time', () => {
    const same = Array.from({ length: 12 }, () => ({
      A: { cpuSeconds: 1, self: new Map([[0, 1]]), total: new Map([[0, 1]]) },
      B: { cpuSeconds: 2, self: new Map([[0, 2]]), total: new Map([[0, 2]]) },
    }));
    const [top] = judgeFunctions(same, { confidence: 0.99, seed: '1' }).functions;
    expect(top?.difference).toEqual({ estimate: 1, low: 1, high: 1 });
    expect(top?.isClear).toBe(true);
  });
});
