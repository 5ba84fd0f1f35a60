import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { shiftFunction } from '../src/compare/shift-function.ts';
import { independent } from '../src/interval/rank-location.ts';

/** Times of one side that share with the other what disturbs both, ns. */
type Draw = (random: Random) => number;

function times(runs: number, random: Random, sides: { readonly A: Draw; readonly B: Draw }, perRun = 1) {
  const common = Array.from({ length: runs }, () => 0.05 * random.normal());
  const drawn = (draw: Draw): Float64Array[] =>
    common.map((level) => Float64Array.from({ length: perRun }, () => 1e7 * Math.exp(level + draw(random))));
  return { A: drawn(sides.A), B: drawn(sides.B) };
}

const noise: Draw = (random) => 0.01 * random.normal();
const spiky: Draw = (random) => noise(random) + (random.next() < 0.05 ? 0.3 : 0);
const skewed: Draw = (random) => 0.03 * -Math.log(1 - random.next());
const modes: Draw = (random) => 0.005 * random.normal() + (random.next() < 0.3 ? 0.04 : 0);

function shiftOf(of: ReturnType<typeof times>, random: Random, confidence = 0.99) {
  return shiftFunction(of, { confidence, random, dependence: independent });
}

describe('the shift function', () => {
  it('is level where every time is longer by the same factor', () => {
    const random = createRandom('factor');
    const { A } = times(24, random, { A: spiky, B: spiky }, 3);
    const shift = shiftOf({ A, B: A.map((run) => run.map((time) => 1.1 * time)) }, random);
    expect(shift?.map(({ quantile }) => quantile)).toEqual([0.1, 0.25, 0.5, 0.75, 0.9]);
    for (const { estimate, low, high } of shift ?? []) {
      expect(estimate).toBeCloseTo(1.1, 9);
      expect(high - low).toBeLessThan(1e-6);
    }
  });

  it('of more than 50 000 runs draws neighbours together, and has the band of runs that are drawn one by one', () => {
    const random = createRandom('very many');
    const all = times(50_001, random, { A: noise, B: noise });
    const few = { A: all.A.slice(1), B: all.B.slice(1) };
    const [together, alone] = [shiftOf(all, random)!, shiftOf(few, random)!];
    for (const [q, { estimate, low, high }] of together.entries()) {
      expect(estimate).toBeCloseTo(alone[q]!.estimate, 4);
      const width = (high - low) / (alone[q]!.high - alone[q]!.low);
      expect(Math.abs(Math.log(width))).toBeLessThan(0.2);
    }
  });

  it('rises at the slow end alone where B is slow in three of ten runs', () => {
    const random = createRandom('slow now and then');
    const B: Draw = (of) => noise(of) + (of.next() < 0.3 ? 0.5 : 0);
    const shift = shiftOf(times(100, random, { A: noise, B }), random);
    const [fast, slow] = [shift?.at(0), shift?.at(-1)];
    expect(fast?.low).toBeLessThan(1);
    expect(fast?.high).toBeGreaterThan(1);
    expect(slow?.low).toBeGreaterThan(1.2);
  });

  it.each([
    ['fewer than 20 runs', times(19, createRandom(1), { A: noise, B: noise })],
    ['a time of 0', { A: Array(20).fill(Float64Array.of(0)), B: Array(20).fill(Float64Array.of(1)) }],
    [
      '200 000 runs, one of them of 0',
      { A: Array(2e5).fill(Float64Array.of(0)), B: Array(2e5).fill(Float64Array.of(1)) },
    ],
    ['a run without times', { A: Array(20).fill(Float64Array.of(1)), B: Array(20).fill(new Float64Array(0)) }],
  ])('is not known with %s', (_, of) => {
    expect(shiftOf(of, createRandom(2))).toBeNull();
  });

  it.each([
    ['normal', noise],
    ['spiky', spiky],
    ['skewed', skewed],
    ['two-modal', modes],
  ])('of equal sides lies within its band at all quantiles (%s)', (name, draw) => {
    for (const runs of [20, 40]) {
      const random = createRandom(`${name} ${runs}`);
      const count = draws(1000);
      let missed = 0;
      for (let k = 0; k < count; k++) {
        const shift = shiftOf(times(runs, random, { A: draw, B: draw }), random, 0.95) ?? [];
        if (shift.some(({ low, high }) => low > 1 || high < 1)) missed++;
      }
      // Nominal 5 %, three standard errors of so many draws more.
      expect(missed / count).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / count));
    }
  });
});
