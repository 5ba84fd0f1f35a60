import { describe, expect, it } from 'vitest';
import { ObservedRuns } from '../../src/experiment/observed-runs.ts';
import type { SideOutcome } from '../../src/run/executor.ts';

const run = { phase: 'measure', method: 'sync-duet', workload: 'command', metric: 'auto', hasPilots: false } as const;
const side = (samples: number): SideOutcome => ({
  executions: [],
  strays: 0,
  stderrBytes: 0,
  stopped: false,
  observed: { samples, runnable: 1, tasks: 1 },
});

/** How many runs of a benchmark are observed one after the other when each gives these samples. */
function count(A: number, B = A): number {
  const observed = new ObservedRuns();
  let runs = 0;
  while (runs < 100 && observed.observes(0, run)) {
    observed.take(0, { sides: { A: side(A), B: side(B) } });
    runs++;
  }
  return runs;
}

describe('the runs that are observed', () => {
  it('are the first ones, until both sides were seen often enough', () => {
    expect(count(50)).toBe(1);
    expect(count(20)).toBe(3);
    expect(count(50, 10)).toBe(5);
  });

  it('are at most ten, however short they are', () => {
    expect(count(1)).toBe(10);
    expect(count(0)).toBe(10);
  });

  it('are those by which a metric is chosen', () => {
    const observed = new ObservedRuns();
    expect(observed.observes(0, { ...run, phase: 'pilot', metric: 'cpu' })).toBe(true);
    expect(observed.observes(0, { ...run, phase: 'warmup' })).toBe(false);
    expect(observed.observes(0, { ...run, metric: 'cpu' })).toBe(false);
    expect(observed.observes(0, { ...run, workload: 'harness' })).toBe(false);
    expect(observed.observes(0, { ...run, method: 'sequential' })).toBe(true);
  });

  it('are those that show whether a tandem computes in several threads, unless its pilot runs did', () => {
    const observed = new ObservedRuns();
    for (const metric of ['auto', 'cpu'] as const) {
      const tandem = { ...run, method: 'tandem', metric } as const;
      expect(observed.observes(0, tandem)).toBe(true);
      expect(observed.observes(0, { ...tandem, hasPilots: true })).toBe(false);
      expect(observed.observes(0, { ...tandem, workload: 'harness' })).toBe(false);
    }
  });
});
