import { stableDefaults } from '@deadheat/model';
import { binomialQuantile, createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../../bench/lib/draws.js';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { compareBenchmark } from '../../src/compare/compare-benchmark.ts';
import { confidenceOfStable, stabilityOfRuns } from '../../src/stopping/run-stability.ts';
import { aBenchmark, aConfig, aSide, aTrial } from '../helpers/recordings.ts';

const confidence = 0.95;
const most = 5;
const iterations = 11;
const benchmark = aBenchmark({ workload: 'harness' });
const config = aConfig({
  benchmarks: [benchmark],
  confidence,
  swap: 'never',
  interval: 'rank',
  stop: { kind: 'stable', minRuns: 2, maxRuns: most },
  stable: { ...stableDefaults, criteria: ['cv'], leastWarmup: 1, mostWarmup: 1, measured: iterations - 1 },
});

/** Runs of equal programs until they are stable; each side's level is drawn for a run, and its times scatter by 1 %. */
function stableRuns(random: Random, level: () => number) {
  const side = () => {
    const own = level();
    return aSide(
      Array.from({ length: iterations }, (_, i) => {
        const s = i * 1e8;
        return {
          i,
          s,
          e: s + Math.round(1e6 * Math.exp(own + 0.01 * random.normal())),
          p: i === 0 ? ('warmup' as const) : ('measure' as const),
        };
      }),
    );
  };
  const trials = [];
  while (trials.length < most) {
    trials.push(aTrial({ run: trials.length, sides: { A: side(), B: side() } }));
    const over = stabilityOfRuns(measuredRuns(trials), { benchmark, config })?.result.overRuns;
    if (trials.length >= 2 && over?.stable === true) break;
  }
  return measuredRuns(trials);
}

describe('equal programs whose runs end when they are stable', () => {
  it.each([
    ['two modes 10 % apart', (random: Random) => Math.log(random.next() < 0.5 ? 1.1 : 1)],
    ['two modes 4 % apart, of which one is rarer', (random: Random) => Math.log(random.next() < 0.3 ? 1.04 : 1)],
    ['no modes', (random: Random) => 0.01 * random.normal()],
  ])('of %s have intervals that miss no more often than 5 %%', (name, level) => {
    const experiments = draws(1500);
    const random = createRandom(`stable runs, ${name}`);
    let missed = 0;
    for (let k = 0; k < experiments; k++) {
      const runs = stableRuns(random, () => level(random));
      const { interval, stability } = compareBenchmark({ runs, benchmark, config });
      expect(interval.level).toBe(confidenceOfStable(confidence, stability?.overRuns ?? null));
      if (interval.low > 1 || interval.high < 1) missed++;
    }
    expect(missed).toBeLessThanOrEqual(binomialQuantile(0.999, experiments, 1 - confidence));
  });
});

describe('the confidence of an interval of stable runs', () => {
  const over = (runs: number, stable = true) => ({ runs, stable, checks: [] });

  it('is higher the fewer they were, and as asked where they ended for another reason', () => {
    expect([2, 3, 4, 5, 8].map((runs) => confidenceOfStable(0.95, over(runs)))).toEqual([
      0.99, 0.99, 0.9656, 0.9539, 0.9501,
    ]);
    expect([2, 4, 5].map((runs) => confidenceOfStable(0.99, over(runs)))).toEqual([0.998, 0.998, 0.99391]);
    expect(confidenceOfStable(0.95, over(5, false))).toBe(0.95);
    expect(confidenceOfStable(0.95, null)).toBe(0.95);
  });
});
