import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { ratioInterval } from './helpers/ratio-interval.ts';
import { judgedTimes } from '../src/metric/iteration-times.ts';
import { runLogRatios } from '../src/pairing/paired-ratios.ts';
import { resamplingUnits, weightedUnits } from '../src/units/resampling-units.ts';
import { aSide, aTrial, iterationsOf, selectedRuns } from './helpers/recordings.ts';
import { at } from '../src/internal/lists.ts';
import type { IntervalOptions } from '../src/interval/location.ts';

const EXPERIMENTS = draws(2000);
/** Four standard errors of a rate of 5 % at this number above those at 2 000 experiments. */
const wider = 4 * Math.sqrt(0.05 * 0.95) * (1 / Math.sqrt(EXPERIMENTS) - 1 / Math.sqrt(2000));

/** Share of simulated A/A experiments, normal log ratios of 2 %, whose interval leaves out the true ratio 1. */
const missRate = (runs: number, options: Omit<IntervalOptions, 'random'>): number => {
  const random = createRandom(`${runs} runs at ${options.confidence}`);
  let missed = 0;
  for (let k = 0; k < EXPERIMENTS; k++) {
    const logs = Float64Array.from({ length: runs }, () => 0.02 * random.normal());
    const { low, high } = ratioInterval(logs, { ...options, random });
    if (low > 1 || high < 1) missed++;
  }
  return missed / EXPERIMENTS;
};

const at95 = (kind: 'percentile' | 'expanded', replicates: number) => ({ kind, confidence: 0.95, replicates });

// The standard error of a rate of 5 % over 2 000 experiments is 0.5 %; the bands are four and more of them wide, and wider with fewer.
describe('an interval of 95 % leaves out the truth', () => {
  it.each([
    { runs: 10, replicates: 1000, percentile: [0.08, 0.13], expanded: [0.035, 0.085] },
    { runs: 20, replicates: 1000, percentile: [0.05, 0.1], expanded: [0.03, 0.075] },
    { runs: 60, replicates: 500, percentile: [0.035, 0.08], expanded: [0.03, 0.075] },
  ])('more often as a percentile interval than as an expanded one with $runs runs', (expected) => {
    const percentile = missRate(expected.runs, at95('percentile', expected.replicates));
    const expanded = missRate(expected.runs, at95('expanded', expected.replicates));
    expect(percentile).toBeGreaterThan(at(expected.percentile, 0) - wider);
    expect(percentile).toBeLessThan(at(expected.percentile, 1) + wider);
    expect(expanded).toBeGreaterThan(at(expected.expanded, 0) - wider);
    expect(expanded).toBeLessThan(at(expected.expanded, 1) + wider);
    expect(expanded).toBeLessThan(percentile);
  });
});

describe('an interval of 99 % over 5 runs', () => {
  it('cannot hold its level by resampling, and does as a t interval', () => {
    // All 5 log ratios lie on one side of 0 in 2 / 2^5 = 6.25 % of the experiments.
    expect(missRate(5, { kind: 'expanded', confidence: 0.99, replicates: 1000 })).toBeGreaterThan(0.05);
    expect(missRate(5, { kind: 't', confidence: 0.99, replicates: 0 })).toBeLessThan(0.02);
  });
});

/** 41 pairs of equal programs; the side on core 1 takes 30 % longer, give or take 10 %; cores traded every pair. */
const disturbedExperiment = (seed: number) => {
  const random = createRandom(seed);
  const trials = [];
  let first = 0;
  for (let run = 0; run < 41; run++) {
    if (run % 2 === 0) first = random.int(2);
    const cpuOfA = run % 2 === 0 ? first : 1 - first;
    const sideOn = (cpu: number) =>
      aSide(iterationsOf([1e8 * Math.exp(0.005 * random.normal() + (cpu === 1 ? 0.3 + 0.1 * random.normal() : 0))]), {
        cpu,
      });
    trials.push(aTrial({ run, sides: { A: sideOn(cpuOfA), B: sideOn(1 - cpuOfA) } }));
  }
  const { runs } = selectedRuns(trials);
  const times = (side: 'A' | 'B') => judgedTimes(runs, 'time')?.[side] ?? [];
  const logs = runLogRatios(times('B'), times('A'));
  const intervalOver = (swap: 'pair' | 'never') => {
    const units = weightedUnits(logs, resamplingUnits(runs, { swap }).members);
    return ratioInterval(units, { kind: 'expanded', confidence: 0.95, replicates: 1000, random });
  };
  return { blocks: intervalOver('pair'), runs: intervalOver('never') };
};

describe('with one core disturbed', () => {
  it('traded blocks keep their error level and narrow the interval', () => {
    let missed = 0;
    let widthOfBlocks = 0;
    let widthOfRuns = 0;
    const experiments = draws(500);
    for (let k = 0; k < experiments; k++) {
      const { blocks, runs } = disturbedExperiment(k);
      if (blocks.low > 1 || blocks.high < 1) missed++;
      widthOfBlocks += blocks.high - blocks.low;
      widthOfRuns += runs.high - runs.low;
      expect(blocks.estimate).toBeCloseTo(runs.estimate, 12);
    }
    // Four and five standard errors of 5 %.
    const error = Math.sqrt((0.05 * 0.95) / experiments);
    expect(missed / experiments).toBeGreaterThan(0.05 - 4 * error);
    expect(missed / experiments).toBeLessThan(0.05 + 5 * error);
    // Runs scatter by 0.3, blocks by 0.1 / sqrt 2 with half the number: about 0.3 / 0.1 = 3 times wider.
    expect(widthOfRuns / widthOfBlocks).toBeGreaterThan(2);
  });
});
