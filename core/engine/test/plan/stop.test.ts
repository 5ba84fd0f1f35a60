import { describe, expect, it } from 'vitest';
import { stableDefaults, type ExperimentConfig } from '@deadheat/model';
import { decideStop, shareDone } from '../../src/plan/stop.ts';

const second = 1e9;
const enough: ExperimentConfig['stop'] = { kind: 'enough', minRuns: 20, maxRuns: null, minTimeNs: 5 * second };

function decide(
  stop: ExperimentConfig['stop'],
  inputs: {
    runs: number;
    seconds: number;
    stable?: boolean;
    halfWidth?: number;
    decided?: boolean;
    futile?: boolean;
  },
  changes: Partial<Pick<ExperimentConfig, 'method' | 'maxTimeNs' | 'swap' | 'confidence' | 'stable'>> = {},
): string {
  const base = {
    stop,
    method: 'sync-duet',
    stable: null,
    swap: 'pair',
    confidence: 0.99,
    maxTimeNs: 60 * second,
    leastRuns: 5,
  } as const;
  const config = { ...base, ...changes };
  const { halfWidth = Infinity, stable = false, decided = false, futile = false } = inputs;
  return decideStop(config, {
    runs: inputs.runs,
    elapsedNs: inputs.seconds * second,
    stable,
    family: 1,
    analyse: () => ({ halfWidth, decided, futile }),
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

  it('ends after any run of a tandem, whose sides have no cores to trade', () => {
    expect(decide(enough, { runs: 21, seconds: 9 }, { method: 'tandem' })).toBe('enough');
  });

  it('ends a command that is too slow at the time limit, with at least 5 pairs', () => {
    expect(decide(enough, { runs: 4, seconds: 61 })).toBe('go-on');
    expect(decide(enough, { runs: 5, seconds: 61 })).toBe('time-limit');
  });

  it('gives up when five time limits bring no result', () => {
    expect(decide(enough, { runs: 4, seconds: 299 })).toBe('go-on');
    expect(decide(enough, { runs: 4, seconds: 300 })).toBe('given-up');
  });

  it('stops at the most runs allowed', () => {
    expect(decide({ ...enough, maxRuns: 30 }, { runs: 30, seconds: 1 })).toBe('enough');
  });
});

describe('a fixed number of runs', () => {
  const ten: ExperimentConfig['stop'] = { kind: 'runs', runs: 11 };
  it('is exact, odd or even, and without a time limit takes as long as it takes', () => {
    expect(decide(ten, { runs: 10, seconds: 1e6 }, { maxTimeNs: null })).toBe('go-on');
    expect(decide(ten, { runs: 11, seconds: 0 })).toBe('enough');
  });
});

describe('a wanted precision', () => {
  const rule: ExperimentConfig['stop'] = { kind: 'precision', precision: 0.01, minRuns: 20, maxRuns: null };
  const looks = (halfWidth: number): number[] =>
    Array.from({ length: 120 }, (_, runs) => runs).filter(
      (runs) => decide(rule, { runs, seconds: 1, halfWidth }) === 'enough',
    );

  it('is looked at after every whole block from the fewest runs on, and later after every hundredth more', () => {
    expect(looks(0.009)).toEqual(Array.from({ length: 50 }, (_, k) => 20 + 2 * k));
    expect(decide(rule, { runs: 200, seconds: 1, halfWidth: 0 })).toBe('enough');
    // 202 and, 1 % more rounded up to whole blocks, 206 (204.02), 210 (208.06)
    const late = [202, 204, 206, 208, 210].filter(
      (runs) => decide(rule, { runs, seconds: 1, halfWidth: 0 }) === 'enough',
    );
    expect(late).toEqual([202, 206, 210]);
  });

  it('goes on while the half-width is above it, until the time limit', () => {
    expect(looks(0.011)).toEqual([]);
    expect(decide(rule, { runs: 46, seconds: 61, halfWidth: 0.02 })).toBe('time-limit');
  });
});

describe('until decided', () => {
  const rule: ExperimentConfig['stop'] = { kind: 'decided', minRuns: 5, maxRuns: 30 };

  it('looks from the first run on at which a large difference is claimed at this level', () => {
    const firstLook = (confidence: number): number =>
      Array.from({ length: 30 }, (_, runs) => runs).findIndex(
        (runs) => decide(rule, { runs, seconds: 1, decided: true }, { confidence, swap: 'run' }) === 'enough',
      );
    // 2 / 3^n at most a sixth of the error: 2 / 3^7 = 0.0009 and 0.0017, 2 / 3^5 = 0.0082 and 0.0083
    expect(firstLook(0.99)).toBe(7);
    expect(firstLook(0.95)).toBe(5);
  });

  it('ends with a safe verdict, when that is out of reach, or at a limit', () => {
    expect(decide(rule, { runs: 16, seconds: 1 })).toBe('go-on');
    expect(decide(rule, { runs: 16, seconds: 1, decided: true })).toBe('enough');
    expect(decide(rule, { runs: 16, seconds: 1, futile: true })).toBe('futile');
    expect(decide(rule, { runs: 16, seconds: 1, decided: true, futile: true })).toBe('enough');
    expect(decide(rule, { runs: 17, seconds: 1, decided: true })).toBe('go-on');
    expect(decide(rule, { runs: 16, seconds: 60 })).toBe('time-limit');
    expect(decide(rule, { runs: 30, seconds: 1 })).toBe('enough');
  });

  it('tells the interim analysis how many runs the limits allow', () => {
    const limits = { maxTimeNs: 60 * second, leastRuns: 5 };
    const config = {
      stop: rule,
      method: 'sync-duet',
      stable: null,
      swap: 'pair',
      confidence: 0.99,
      ...limits,
    } as const;
    const asked: number[] = [];
    const ask = (changes: { stop?: ExperimentConfig['stop']; maxTimeNs?: number | null }, seconds: number): void => {
      decideStop(
        { ...config, ...changes },
        {
          runs: 16,
          elapsedNs: seconds * second,
          stable: false,
          family: 1,
          analyse: ({ mostRuns }) => {
            asked.push(mostRuns);
            return { halfWidth: 1, decided: false, futile: false };
          },
        },
      );
    };
    const unlimited: ExperimentConfig['stop'] = { ...rule, maxRuns: null };
    ask({}, 1);
    ask({ stop: unlimited }, 48);
    ask({ stop: unlimited, maxTimeNs: null }, 48);
    // 30 by --max-runs; 60 s at 3 s a run; nothing
    expect(asked).toEqual([30, 20, Infinity]);
  });
});

describe('until the runs are stable', () => {
  const rule: ExperimentConfig['stop'] = { kind: 'stable', minRuns: 2, maxRuns: 5 };

  it('stops when the criteria say so, or at the most runs; after whole blocks of two', () => {
    expect(decide(rule, { runs: 2, seconds: 1 })).toBe('go-on');
    expect(decide(rule, { runs: 2, seconds: 1, stable: true })).toBe('enough');
    expect(decide(rule, { runs: 3, seconds: 1, stable: true })).toBe('go-on');
    expect(decide(rule, { runs: 3, seconds: 1, stable: true }, { swap: 'never' })).toBe('enough');
    expect(decide(rule, { runs: 5, seconds: 1 }, { swap: 'never' })).toBe('enough');
    expect(decide(rule, { runs: 6, seconds: 1 })).toBe('enough');
  });

  it('allows so many times the most runs where the caps are lifted', () => {
    const stable = { criteria: ['cv' as const], ...stableDefaults, liftCaps: 2 };
    expect(decide(rule, { runs: 9, seconds: 1 }, { stable, swap: 'never' })).toBe('go-on');
    expect(decide(rule, { runs: 10, seconds: 1 }, { stable, swap: 'never' })).toBe('enough');
  });
});

describe('the share done', () => {
  const config = { stop: enough, maxTimeNs: 60 * second };
  const share = (runs: number, seconds: number): number =>
    shareDone(config, {
      runs,
      elapsedNs: seconds * second,
      stable: false,
      family: 1,
      analyse: () => ({ halfWidth: Infinity, decided: false, futile: false }),
    });

  it('follows what is still missing, and never passes 1', () => {
    expect(share(10, 5)).toBe(0.5);
    expect(share(20, 2.5)).toBe(0.5);
    expect(share(2, 30)).toBe(0.5);
    expect(share(400, 100)).toBe(1);
  });
});
