import type { Comparison, ExperimentConfig } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { reachToDecide, seesDifference, unitsUntil } from '../src/verdict/decide-verdict.ts';
import { aBenchmark, aConfig, trialsOf } from './helpers/recordings.ts';

/** Runs of one execution a side that take the same, but for noise of `noise` on each. */
function compare(runs: number, noise: number, changes: Partial<ExperimentConfig> = {}): Comparison {
  const random = createRandom('dead heat');
  const times = () => Array.from({ length: runs }, () => [2e7 * Math.exp(noise * random.normal())]);
  const trials = trialsOf(times(), times());
  return compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config: aConfig(changes) });
}

describe('without a margin a dead heat', () => {
  it('is claimed where a difference of 10 % would have been seen, and says so', () => {
    expect(compare(40, 0.01)).toMatchObject({ verdict: 'dead-heat', deadHeatBound: 0.1, outlook: null });
  });

  it('is undecided where it would not have been seen, and says how many runs would tell', () => {
    const few = compare(4, 0.1);
    expect(few.verdict).toBe('undecided');
    expect(few.outlook?.moreRuns).toBeGreaterThan(0);
    // What FEW_RUNS advises is what the outlook does.
    const advised = /--runs (\d+)/.exec(few.warnings.find(({ code }) => code === 'FEW_RUNS')?.message ?? '')?.[1];
    expect(Number(advised)).toBe(Math.max(20, few.runs + (few.outlook?.moreRuns ?? 0)));
  });

  it('is undecided where the interval has no end that means anything', () => {
    const { interval: ratio, verdict } = compare(2, 0.5);
    expect(ratio.high).toBeGreaterThan(100);
    expect(verdict).toBe('undecided');
  });

  it('needs as many runs as were advised, if runs scatter as they did', () => {
    const { outlook, runs } = compare(12, 0.1);
    expect(compare(2 * (runs + (outlook?.moreRuns ?? 0)), 0.1).verdict).not.toBe('undecided');
  });

  it('is claimed by another bound, by none as in the papers, and by a margin alone where there is one', () => {
    const noisy = { runs: 40, noise: 0.05 };
    const by = (changes: Partial<ExperimentConfig>) => compare(noisy.runs, noisy.noise, changes);
    expect(by({ deadHeatBound: 0.5 }).verdict).toBe('dead-heat');
    expect(by({ deadHeatBound: 0.01 }).verdict).toBe('undecided');
    const unbound = by({ deadHeatBound: null });
    expect(unbound.verdict).toBe('dead-heat');
    expect(unbound).not.toHaveProperty('deadHeatBound');
    expect(by({ margin: 0.3, deadHeatBound: 0.001 }).verdict).toBe('dead-heat');
  });

  it('is held to the bound at every interim analysis too', () => {
    const stop = { kind: 'precision', precision: 0.001, minRuns: 5, maxRuns: null } as const;
    expect(compare(60, 0.01, { stop }).verdict).toBe('dead-heat');
    const noisy = compare(30, 0.2, { stop });
    expect(noisy.verdict).toBe('undecided');
    expect(noisy.outlook?.moreRuns).toBeGreaterThan(0);
  });
});

it('a difference is seen by an interval inside the bound that would have found it in 4 of 5 experiments', () => {
  const seen = { detectable: () => 0.09, bound: 0.1 };
  expect(seesDifference({ low: 0.95, high: 1.09 }, seen)).toBe(true);
  expect(seesDifference({ low: 0.95, high: 1.11 }, seen)).toBe(false);
  // 1 / 1.1 = 0.909
  expect(seesDifference({ low: 0.9, high: 1.05 }, seen)).toBe(false);
  expect(seesDifference({ low: 0.95, high: 1.05 }, { ...seen, detectable: () => 0.11 })).toBe(false);
  expect(seesDifference({ low: 0.1, high: 9 }, { ...seen, bound: null })).toBe(true);
});

it('an interval tells by excluding 1 or by lying inside the bound, whichever takes fewer runs', () => {
  const rule = { bound: 0.1, confidence: 0.95 };
  // Far away: as far as the estimate.
  expect(reachToDecide(-0.7, rule)).toBe(0.7);
  // At 1: ln 1.1 * 1.96 / (1.96 + 0.84)
  expect(reachToDecide(0, rule)).toBeCloseTo((Math.log(1.1) * 1.96) / 2.8016, 4);
  expect(reachToDecide(0.04, { ...rule, bound: null })).toBe(0.04);
});

it('the units of a t interval: s = 0.1, reach 0.05 at 95 % takes 18, as t(17) = 2.11', () => {
  const spread = { standardDeviation: 0.1, confidence: 0.95, atLeast: 2 };
  expect(unitsUntil(0.05, spread)).toBe(18);
  expect(unitsUntil(0.05, { ...spread, atLeast: 30 })).toBe(30);
  expect(unitsUntil(0, spread)).toBeNull();
});
