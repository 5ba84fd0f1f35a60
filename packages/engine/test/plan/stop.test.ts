import { describe, expect, it } from 'vitest';
import type { StopRule } from '@deadheat/model';
import { decideStop, shareDone } from '../../src/plan/stop.ts';

const second = 1e9;
const enough: StopRule = { kind: 'enough', minRuns: 20, maxRuns: null, minTimeNs: 5 * second };

function decide(
  stop: StopRule,
  standing: { runs: number; seconds: number; halfWidth?: number },
  changes: { maxTimeNs?: number | null; swap?: 'pair' | 'run' | 'never' } = {},
): string {
  const config = { stop, swap: 'pair', maxTimeNs: 60 * second, leastRuns: 5, ...changes } as const;
  return decideStop(config, {
    runs: standing.runs,
    elapsedNs: standing.seconds * second,
    halfWidth: () => standing.halfWidth ?? Infinity,
  }).kind;
}

describe('the default rule', () => {
  it('asks for both 20 pairs and 5 seconds', () => {
    expect(decide(enough, { runs: 20, seconds: 4.9 })).toBe('go-on');
    expect(decide(enough, { runs: 18, seconds: 50 })).toBe('go-on');
    expect(decide(enough, { runs: 20, seconds: 5 })).toBe('enough');
  });

  it('finishes a block of two runs that traded cores', () => {
    expect(decide(enough, { runs: 21, seconds: 9 })).toBe('go-on');
    expect(decide(enough, { runs: 22, seconds: 9 })).toBe('enough');
    expect(decide(enough, { runs: 21, seconds: 9 }, { swap: 'run' })).toBe('enough');
  });

  it('ends a command that is too slow at the time limit, with at least 5 pairs', () => {
    expect(decide(enough, { runs: 4, seconds: 61 })).toBe('go-on');
    expect(decide(enough, { runs: 5, seconds: 61 })).toBe('time-limit');
  });

  it('gives up when five time limits bring no result', () => {
    expect(decide(enough, { runs: 4, seconds: 299 })).toBe('go-on');
    expect(decide(enough, { runs: 4, seconds: 300 })).toBe('hopeless');
  });

  it('stops at the most runs allowed', () => {
    expect(decide({ ...enough, maxRuns: 30 }, { runs: 30, seconds: 1 })).toBe('enough');
  });
});

describe('a fixed number of runs', () => {
  const ten: StopRule = { kind: 'runs', runs: 11 };
  it('is exact, odd or even, and without a time limit takes as long as it takes', () => {
    expect(decide(ten, { runs: 10, seconds: 1e6 }, { maxTimeNs: null })).toBe('go-on');
    expect(decide(ten, { runs: 11, seconds: 0 })).toBe('enough');
  });
});

describe('a wanted precision', () => {
  const rule: StopRule = { kind: 'precision', precision: 0.01, minRuns: 20, maxRuns: null };
  const looks = (halfWidth: number): number[] =>
    Array.from({ length: 120 }, (_, runs) => runs).filter(
      (runs) => decide(rule, { runs, seconds: 1, halfWidth }) === 'enough',
    );

  it('is looked at only after blocks that were fixed beforehand: 20, then half as many again', () => {
    // 20 -> 30 -> 45 rounded up to 46 -> 69 rounded up to 70 -> 105 rounded up to 106
    expect(looks(0.009)).toEqual([20, 30, 46, 70, 106]);
  });

  it('goes on while the half-width is above it, until the time limit', () => {
    expect(looks(0.011)).toEqual([]);
    expect(decide(rule, { runs: 46, seconds: 61, halfWidth: 0.02 })).toBe('time-limit');
  });
});

describe('the share done', () => {
  const config = { stop: enough, maxTimeNs: 60 * second };
  const share = (runs: number, seconds: number): number =>
    shareDone(config, { runs, elapsedNs: seconds * second, halfWidth: () => Infinity });

  it('follows what is still missing, and never passes 1', () => {
    expect(share(10, 5)).toBe(0.5);
    expect(share(20, 2.5)).toBe(0.5);
    expect(share(2, 30)).toBe(0.5);
    expect(share(400, 100)).toBe(1);
  });
});
