import type { Comparison, ExperimentConfig } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { aBenchmark, aConfig, trialsOf } from './helpers/recordings.ts';

/** Runs of one execution a side that take the same, but for noise of `noise` on each. */
function compare(runs: number, noise: number, changes: Partial<ExperimentConfig> = {}): Comparison {
  const random = createRandom('dead heat');
  const times = () => Array.from({ length: runs }, () => [2e7 * Math.exp(noise * random.normal())]);
  const trials = trialsOf(times(), times());
  return compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config: aConfig(changes) });
}

describe('without a margin a dead heat', () => {
  it('is claimed where the interval leaves no change of more than 2 %', () => {
    const found = compare(40, 0.01);
    expect(found).toMatchObject({ verdict: 'dead-heat', margin: 0, opposition: null, outlook: null });
    expect(found.interval.high).toBeLessThan(1.02);
  });

  it('is undecided where the interval leaves more, and says how many runs and how much time would decide', () => {
    const few = compare(4, 0.1);
    expect(few.verdict).toBe('undecided');
    expect(few.outlook?.moreRuns).toBeGreaterThan(0);
    expect(few.outlook?.moreTimeNs).toBeGreaterThan(0);
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
    const { outlook, runs, verdict } = compare(12, 0.03);
    expect(verdict).toBe('undecided');
    expect(compare(2 * (runs + (outlook?.moreRuns ?? 0)), 0.03).verdict).not.toBe('undecided');
  });

  it('lies within the margin where there is one, be it larger or smaller', () => {
    const by = (margin: number) => compare(40, 0.01, { margin }).verdict;
    expect([by(0.1), by(0.001)]).toEqual(['dead-heat', 'undecided']);
  });

  it('has the same bound at every interim analysis, and ends what goes on until it is decided', () => {
    const stop = { kind: 'decided', minRuns: 5, maxRuns: null } as const;
    expect(compare(60, 0.01, { stop })).toMatchObject({ verdict: 'dead-heat', interim: { reached: true } });
    const noisy = compare(30, 0.2, { stop });
    expect(noisy).toMatchObject({ verdict: 'undecided', interim: { reached: false } });
    expect(noisy.outlook?.moreRuns).toBeGreaterThan(0);
    expect(noisy.warnings.find(({ code }) => code === 'NOT_DECIDED')?.message).toContain(
      '30 runs leave open whether B differs from A or is a dead heat within 2 %',
    );
  });
});

describe('equal typical runs', () => {
  /** Sides that take the same in most runs; B takes `factor` times as long in one run of `every`. */
  function withSlowRuns(factor: number, every: number): Comparison {
    const random = createRandom('slow runs');
    const times = (slow: boolean) =>
      Array.from({ length: 60 }, (_, r) => [
        2e7 * Math.exp(0.004 * random.normal()) * (slow && r % every === 4 ? factor : 1),
      ]);
    const trials = trialsOf(times(false), times(true));
    return compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config: aConfig() });
  }

  it('are no dead heat where the total time differs by more than 2 %, and the fact is in the data', () => {
    // Two of 60 runs take three times as long: + 2 * 2 / 60 = 6.7 % in sum, and too few to make the mean decide.
    const found = withSlowRuns(3, 30);
    expect(found).toMatchObject({
      verdict: 'undecided',
      outlook: null,
      opposition: { found: 'dead-heat', other: 'slower', by: 'interval', ratio: found.total?.high },
    });
    expect(found.total?.estimate).toBeCloseTo(1.067, 2);
    const warning = found.warnings.find(({ code }) => code === 'TYPICAL_AND_TOTAL_DIFFER');
    expect(warning?.message).toMatch(
      /^B is as fast as A in most runs \([+-]0\.\d %\) and may be slower in sum: .* is \+6\.\d %/,
    );
  });

  it('are one where a single run of 60 makes all of the difference', () => {
    const found = withSlowRuns(4, 60);
    expect(found.total?.estimate).toBeCloseTo(1.05, 2);
    expect(found).toMatchObject({ verdict: 'dead-heat', opposition: null });
  });
});
