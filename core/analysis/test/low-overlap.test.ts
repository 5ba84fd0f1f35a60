import type { Iteration } from '@deadheat/model';
import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { compareBenchmark, measuredRuns } from '../src/index.ts';
import { relativeOverlapTime } from '../src/pairing/overlaps.ts';
import { aBenchmark, aConfig, aSide, aTrial } from './helpers/recordings.ts';

const iterations = 20;
const typicalNs = 1e7;

/** Iterations of a program that becomes 12 % faster while it is measured, one after the other, with 2 % of noise. */
function warmingUp(random: Random, startNs: number): readonly Iteration[] {
  const rows: Iteration[] = [];
  let s = Math.round(startNs);
  for (let i = 0; i < iterations; i++) {
    const warmth = 1 + 0.135 * Math.exp(-i / 10);
    const e = s + Math.round(typicalNs * warmth * Math.exp(0.02 * random.normal()));
    rows.push({ i, s, e });
    s = e;
  }
  return rows;
}

/** A program against itself, where B begins later by a share of a run. */
function compareLate(share: number, seed: string) {
  const random = createRandom(seed);
  const trials = Array.from({ length: 20 }, (_, run) => {
    const delayNs = share * iterations * typicalNs * Math.exp(0.1 * random.normal());
    const [a, b] = [warmingUp(random, 0), warmingUp(random, delayNs)];
    return aTrial({ run, method: 'async-duet', sides: { A: aSide(a), B: aSide(b) } });
  });
  const config = aConfig({
    method: 'async-duet',
    minimumOverlapRate: 0.4,
    interval: 't',
    confidence: 0.95,
    iterations,
  });
  const comparison = compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config });
  const spans = trials.map(({ sides: { A, B } }) => ({ A: A.iterations, B: B.iterations }));
  return { comparison, overlap: relativeOverlapTime(spans, { minimumRate: 0.4 }) };
}

/** Experiments of which B begins later by `share`, together. */
function experiments(share: number) {
  const made = Array.from({ length: 20 }, (_, seed) => compareLate(share, `late ${share} ${seed}`));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    overlap: mean(made.map(({ overlap }) => overlap)),
    bias: mean(made.map(({ comparison }) => Math.log(comparison.interval.estimate))),
    apart: made.filter(({ comparison }) => ['slower', 'faster'].includes(comparison.verdict)).length,
    undecided: made.filter(({ comparison }) => comparison.verdict === 'undecided').length,
  };
}

describe('equal programs that are still warming up while they are measured', () => {
  it('are off by little where they start together', () => {
    const { overlap, bias, undecided } = experiments(0);
    expect(overlap).toBeGreaterThan(0.75);
    expect(Math.abs(bias)).toBeLessThan(0.003);
    expect(undecided).toBe(0);
  });

  it('are off by several per cent where one starts late, and get no verdict', () => {
    for (const share of [0.6, 0.75]) {
      const { overlap, bias, apart, undecided } = experiments(share);
      expect(overlap).toBeLessThan(0.5);
      // Without the bound every one of them would be a false alarm.
      expect(bias).toBeGreaterThan(0.04);
      expect({ apart, undecided }).toEqual({ apart: 0, undecided: 20 });
    }
  });
});

describe('a side that takes three times as long in some of its runs, which leaves those without a pair', () => {
  const compareOf = (runs: number, isLong: (run: number) => boolean) => {
    const trials = Array.from({ length: runs }, (_, run) => {
      const random = createRandom(`left out ${run}`);
      const side = (factor: number) => {
        let s = 0;
        const rows = Array.from({ length: 5 }, (__, i): Iteration => {
          const began = s;
          s += Math.round(typicalNs * factor * Math.exp(0.01 * random.normal()));
          return { i, s: began, e: s };
        });
        return aSide(rows);
      };
      return aTrial({ run, method: 'async-duet', sides: { A: side(1), B: side(isLong(run) ? 3 : 0.91) } });
    });
    const config = aConfig({ method: 'async-duet', minimumOverlapRate: 0.4, iterations: 5 });
    return compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config });
  };

  it('is not judged by the others', () => {
    // In sum B takes 12 % longer.
    const { verdict, warnings } = compareOf(20, (run) => run % 10 === 4);
    expect(verdict).toBe('undecided');
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'LOW_OVERLAP',
        message: expect.stringContaining('in 2 of 20 runs no iteration'),
      }),
    );
  });

  it('is, where they are one in a hundred', () => {
    expect(compareOf(200, (run) => run % 100 === 4).verdict).toBe('faster');
    expect(compareOf(200, (run) => run % 50 === 4).verdict).toBe('undecided');
  });
});
