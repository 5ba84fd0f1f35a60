import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import type { Comparison, ExperimentConfig } from '@deadheat/model';
import { columnsOf } from '../src/columns/measured-runs.ts';
import { compareSides } from '../src/compare/compare-sides.ts';
import { aBenchmark, aConfig, iterationsOf } from './helpers/recordings.ts';

const perSide = 20;
const repetitions = 100;
/** More of 100 would come up by chance in one of 1000 procedures whose level is 5 % (binomial distribution). */
const mostFalseAlarms = 12;

interface Blocks {
  readonly A: readonly number[];
  readonly B: readonly number[];
}

function judge({ A, B }: Blocks, inBlocks: boolean, changes: Partial<ExperimentConfig> = {}): Comparison {
  const side = (times: readonly number[]) => ({
    runs: times.map((time) => columnsOf(iterationsOf([time]))),
    isSorted: false,
  });
  return compareSides({
    sides: { A: side(A), B: side(B) },
    benchmark: aBenchmark(),
    config: aConfig({ method: 'sequential', confidence: 0.95, interval: 'rank', ...changes }),
    inBlocks,
  });
}

/** One program measured 20 times as A and then 20 times as B, on a machine that changes as `drift` tells, in standard deviations. */
function session(random: Random, drift: (random: Random) => () => number): Blocks {
  const next = drift(random);
  const times = Array.from({ length: 2 * perSide }, () => 1e7 * Math.exp(0.02 * next()));
  return { A: times.slice(0, perSide), B: times.slice(perSide) };
}

function autoregressive(correlation: number): (random: Random) => () => number {
  return (random) => {
    let last = random.normal();
    return () => (last = correlation * last + Math.sqrt(1 - correlation ** 2) * random.normal());
  };
}
function trend(deviations: number): (random: Random) => () => number {
  return (random) => {
    let k = 0;
    return () => (deviations * k++) / (2 * perSide) + random.normal();
  };
}

function falseAlarms(name: string, drift: (random: Random) => () => number, inBlocks: boolean): number {
  const random = createRandom(`blocks of ${name}`);
  let count = 0;
  for (let k = 0; k < repetitions; k++) {
    if (/^(slower|faster)$/.test(judge(session(random, drift), inBlocks).verdict)) count += 1;
  }
  return count;
}

describe('one program that is measured in two blocks', () => {
  const drifts = {
    'no drift': trend(0),
    'neighbours that resemble each other': autoregressive(0.6),
    'slow wandering': autoregressive(0.9),
    'a trend of three standard deviations': trend(3),
  };

  it.each(Object.entries(drifts))('is not told apart from itself more often than the level says: %s', (name, drift) => {
    expect(falseAlarms(name, drift, true)).toBeLessThanOrEqual(mostFalseAlarms);
    // The same sessions, had the sides taken turns as their order claims.
    const unaware = falseAlarms(name, drift, false);
    if (name !== 'no drift') expect(unaware).toBeGreaterThan(mostFalseAlarms);
  });

  it('is told of as BLOCK_ORDER, with why the interval is wider', () => {
    const wandering = session(createRandom('wandering'), autoregressive(0.9));
    const found = judge(wandering, true);
    const warning = found.warnings.find(({ code }) => code === 'BLOCK_ORDER');
    expect(warning?.message).toMatch(
      /^all of A was measured before all of B: the interval was made [\d.]+ times as wide/,
    );
    expect(judge(wandering, false).warnings.map(({ code }) => code)).not.toContain('BLOCK_ORDER');
    const steep = judge(session(createRandom('steep'), trend(12)), true);
    expect(steep.warnings.find(({ code }) => code === 'BLOCK_ORDER')?.message).toMatch(/without the trend/);
    const few = judge({ A: [1e7, 1.01e7, 1e7], B: [1e7, 1.01e7, 1.02e7] }, true);
    expect(few.warnings.find(({ code }) => code === 'BLOCK_ORDER')?.message).toMatch(/cannot be seen in these times/);
  });

  it('is still told from one that is a tenth slower, whatever the interval is made of', () => {
    const { A, B } = session(createRandom('slower'), trend(0));
    for (const interval of ['rank', 'bca', 'percentile', 'expanded', 't'] as const) {
      const changes = { interval, replicates: 500 };
      const slower = { A, B: B.map((time) => 1.1 * time) };
      const found = judge(slower, true, changes);
      expect(found.verdict, interval).toBe('slower');
      expect(found.pValues.slower, interval).toBeLessThan(0.025);
      // Wider than, and about the same estimate as, without the order.
      const unaware = judge(slower, false, changes);
      expect(found.ratio.low).toBeLessThanOrEqual(unaware.ratio.low);
      expect(found.ratio.high).toBeGreaterThanOrEqual(unaware.ratio.high);
      expect(found.ratio.estimate).toBeCloseTo(unaware.ratio.estimate, 2);
    }
  });

  it('has an interval and p values that agree on what is excluded', () => {
    const random = createRandom('agreement');
    for (let k = 0; k < 40; k++) {
      const blocks = session(random, trend(4));
      const { ratio, pValues } = judge({ A: blocks.A, B: blocks.B.map((time) => 1.03 * time) }, true);
      expect(pValues.slower <= 0.025).toBe(ratio.low > 1);
    }
  });
});
