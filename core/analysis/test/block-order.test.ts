import { binomialQuantile, createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import type { Comparison, ExperimentConfig } from '@deadheat/model';
import { draws } from '../../../bench/lib/draws.js';
import { columnsOf } from '../src/columns/measured-runs.ts';
import { compareSides } from '../src/compare/compare-sides.ts';
import { aBenchmark, aConfig, iterationsOf } from './helpers/recordings.ts';

const repetitions = 100;
/** The level of the intervals, 5 %, and one and a half standard deviations of a binomial count. */
const mostFalseAlarms = 8;
/** What is told apart more often than by chance: one of 1000 procedures of this level has more (binomial distribution). */
const chance = 12;

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

/** How a machine changes from run to run, in standard deviations of a run. */
type Drift = (random: Random, perSide: number) => () => number;

/** One program measured `perSide` times as A and then as often as B, on a machine that changes as `drift` tells. */
function session(random: Random, drift: Drift, perSide = 20): Blocks {
  const next = drift(random, perSide);
  const times = Array.from({ length: 2 * perSide }, () => 1e7 * Math.exp(0.02 * next()));
  return { A: times.slice(0, perSide), B: times.slice(perSide) };
}

function autoregressive(correlation: number): Drift {
  return (random) => {
    let last = random.normal();
    return () => (last = correlation * last + Math.sqrt(1 - correlation ** 2) * random.normal());
  };
}
function trend(deviations: number): Drift {
  return (random, perSide) => {
    let k = 0;
    return () => (deviations * k++) / (2 * perSide) + random.normal();
  };
}
function walk(step: number): Drift {
  return (random) => {
    let level = 0;
    return () => (level += step * random.normal()) + random.normal();
  };
}

interface DriftingSession {
  readonly perSide: number;
  readonly drift: Drift;
  readonly inBlocks: boolean;
}

function falseAlarms(name: string, { perSide, drift, inBlocks }: DriftingSession): number {
  const random = createRandom(`blocks of ${name}`);
  let count = 0;
  for (let k = 0; k < repetitions; k++) {
    if (/^(slower|faster)$/.test(judge(session(random, drift, perSide), inBlocks).verdict)) count += 1;
  }
  return count;
}

describe('one program that is measured in two blocks', () => {
  const drifts = {
    'no drift': trend(0),
    'neighbours that resemble each other': autoregressive(0.6),
    'slow wandering': autoregressive(0.9),
    'a trend of a standard deviation': trend(1),
    'a trend of three standard deviations': trend(3),
    'a slow walk': walk(0.2),
    'a fast walk': walk(1),
  };

  describe.each([6, 20, 50])('%i times a side', (perSide) => {
    it.each(Object.entries(drifts))(
      'is told apart from itself no more often than the level says: %s',
      (name, drift) => {
        expect(falseAlarms(name, { perSide, drift, inBlocks: true })).toBeLessThanOrEqual(mostFalseAlarms);
        // The same sessions, had the sides taken turns as their order claims.
        if (perSide < 50 || name === 'no drift') return;
        expect(falseAlarms(name, { perSide, drift, inBlocks: false })).toBeGreaterThan(chance);
      },
    );

    it('is still told from one that takes half as long again', () => {
      const random = createRandom(`half as long again ${perSide}`);
      for (let k = 0; k < 20; k++) {
        const { A, B } = session(random, trend(0), perSide);
        expect(judge({ A, B: B.map((time) => 1.5 * time) }, true).verdict).toBe('slower');
      }
    });
  });

  it.each([
    ['nothing else changes', trend(0)],
    ['the level walks', walk(0.2)],
  ])('has an interval that is hardly wider for spikes in a twentieth of the runs where %s', (_, drift) => {
    const experiments = draws(500);
    const found = { misses: 0, spiky: 0, plain: 0 };
    for (let k = 0; k < experiments; k++) {
      const random = createRandom(`spikes in blocks ${k}`);
      const { A, B } = session(random, drift);
      const spiky = (times: readonly number[]): number[] =>
        times.map((time) => (random.next() < 0.05 ? time * (1.2 + 0.3 * random.next()) : time));
      const plain = judge({ A, B }, true).interval;
      const { interval: ratio } = judge({ A: spiky(A), B: spiky(B) }, true);
      if (ratio.low > 1 || ratio.high < 1) found.misses++;
      found.plain += Math.log(Math.log(plain.high / plain.low));
      found.spiky += Math.log(Math.log(ratio.high / ratio.low));
    }
    expect(found.misses).toBeLessThanOrEqual(binomialQuantile(0.999, experiments, 0.05));
    // 1.3 times, where the runs stay as they are 3 times.
    expect(Math.exp((found.spiky - found.plain) / experiments)).toBeLessThan(1.6);
  });

  it('is told of as BLOCK_ORDER, with why the interval is wider', () => {
    const wandering = session(createRandom('wandering'), autoregressive(0.9));
    const found = judge(wandering, true);
    const warning = found.warnings.find(({ code }) => code === 'BLOCK_ORDER');
    expect(warning?.message).toMatch(
      /^all of A was measured before all of B: the interval was made [\d.]+ times as wide/,
    );
    expect(judge(wandering, false).warnings.map(({ code }) => code)).not.toContain('BLOCK_ORDER');
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
      expect(found.interval.low).toBeLessThanOrEqual(unaware.interval.low);
      expect(found.interval.high).toBeGreaterThanOrEqual(unaware.interval.high);
      expect(found.interval.estimate).toBeCloseTo(unaware.interval.estimate, 2);
    }
  });

  it('has an interval and p values that agree on what is excluded', () => {
    const random = createRandom('agreement');
    for (let k = 0; k < 40; k++) {
      const blocks = session(random, trend(4));
      const { interval: ratio, pValues } = judge({ A: blocks.A, B: blocks.B.map((time) => 1.03 * time) }, true);
      expect(pValues.slower <= 0.025).toBe(ratio.low > 1);
    }
  });
});
