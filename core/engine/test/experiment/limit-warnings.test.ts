import { describe, expect, it } from 'vitest';
import type { Comparison, ExperimentConfig } from '@deadheat/model';
import { limitWarning } from '../../src/experiment/experiment-state.ts';

/** As much of a comparison as the warning reads: 8 runs of 8 s each, 4 % to either side. */
const comparison = {
  benchmark: 'a benchmark',
  runs: 8,
  time: { wallNs: 64e9, machineNs: 128e9 },
  interval: { estimate: 1, low: 0.96, high: 1.04, level: 0.99, kind: 'expanded-percentile', replicates: 10_000 },
} as Comparison;

describe('a benchmark that its time limit ended', () => {
  it('says what the missing runs would bring and how long they take', () => {
    const stop: ExperimentConfig['stop'] = { kind: 'enough', minRuns: 32, maxRuns: null, minTimeNs: 5e9 };
    const warning = limitWarning(comparison, stop);
    // four times as many runs halve the width; 32 runs of 8 s take 256 s
    expect(warning).toMatchObject({ code: 'TIME_LIMIT' });
    expect(warning?.message).toContain('after 8 of 32 runs');
    expect(warning?.message).toContain('50 % narrower');
    expect(warning?.message).toContain('256s (--max-time)');
  });

  it('says how many runs the wanted precision takes', () => {
    const warning = limitWarning(comparison, { kind: 'precision', precision: 0.02, minRuns: 20, maxRuns: null });
    // half the width takes four times the 8 runs
    expect(warning).toMatchObject({ code: 'PRECISION_NOT_REACHED' });
    expect(warning?.message).toContain('About 32 runs');
    expect(warning?.message).toContain('--max-time 256s');
  });

  it('has nothing to say when only the least time was missing', () => {
    const stop: ExperimentConfig['stop'] = { kind: 'enough', minRuns: 8, maxRuns: null, minTimeNs: 5e9 };
    expect(limitWarning(comparison, stop)).toBeNull();
  });
});
