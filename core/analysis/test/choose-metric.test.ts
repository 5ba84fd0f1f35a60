import type { SideResult } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { chooseMetric, metricFacts, type MetricFacts } from '../src/metric/choose-metric.ts';
import { aSide, aTrial, iterationsOf, selectedRuns, trialsOf } from './helpers/recordings.ts';

/** Of a program of 20 ms that keeps its core busy, a core a side. */
const bound: MetricFacts = {
  cpuShares: { A: 1, B: 1 },
  busyShares: { A: 1, B: 1 },
  waitsForOthers: false,
  isWaitRecorded: true,
  hasUnknownWait: false,
  medianNs: { A: 20e6, B: 20e6 },
  medianCpuNs: { A: 20e6, B: 20e6 },
  coarseStepNs: null,
  isByCpu: false,
  isTandem: false,
};
const withShares = (shares: MetricFacts['cpuShares']): MetricFacts => ({
  ...bound,
  cpuShares: shares,
  busyShares: shares,
});

describe('the choice of the metric', () => {
  it('is CPU time when both sides are CPU-bound, and gives both shares', () => {
    const choice = chooseMetric('auto', withShares({ A: 0.99, B: 0.9 }));
    expect(choice.metric).toBe('cpu');
    expect(choice.reason).toContain('A works or waits for its core 0.99, B 0.90');
  });

  it('is wall time when one side waits', () => {
    const choice = chooseMetric('auto', withShares({ A: 0.99, B: 0.89 }));
    expect(choice).toMatchObject({ metric: 'time' });
    expect(choice.reason).toContain('not both sides are CPU-bound');
  });

  it('does not call a side idle whose wait for a core was not recorded', () => {
    const { metric, reason } = chooseMetric('auto', { ...withShares({ A: 0.12, B: 0.11 }), isWaitRecorded: false });
    expect(metric).toBe('time');
    expect(reason).toContain('it is not known if both sides are CPU-bound');
    expect(reason).toContain('A works for 0.12, B 0.11');
    expect(reason).not.toContain('waits for its core');
  });

  it('knows from the recording if the wait for a core was recorded', () => {
    const factsOf = (more: { readonly q?: number }): MetricFacts => {
      const iterations = iterationsOf([10_001_000], { cpu: 0.1 }).map((iteration) => ({ ...iteration, ...more }));
      return metricFacts(selectedRuns([aTrial({ sides: { A: aSide(iterations), B: aSide(iterations) } })]).runs);
    };
    expect(factsOf({}).isWaitRecorded).toBe(false);
    expect(factsOf({ q: 8e6 }).isWaitRecorded).toBe(true);
  });

  it('is wall time without waiting for a CPU where a side waits for other things and that is known', () => {
    const waiting = { ...withShares({ A: 0.3, B: 0.3 }), waitsForOthers: true };
    expect(chooseMetric('auto', waiting).metric).toBe('undelayed');
    expect(chooseMetric('auto', waiting).reason).toContain(
      'wall time without waiting for a CPU: not both sides are CPU-bound',
    );
    expect(chooseMetric('time', waiting).metric).toBe('time');
    expect(chooseMetric('undelayed', waiting)).toMatchObject({ metric: 'undelayed' });
    expect(chooseMetric('undelayed', { ...waiting, waitsForOthers: false }).metric).toBe('time');
  });

  it('is wall time when a side keeps more than one core busy', () => {
    expect(chooseMetric('auto', withShares({ A: 0.99, B: 1.8 })).reason).toContain('more than one core');
  });

  it('is wall time below 1 ms, unless CPU time was asked for', () => {
    const facts = { ...bound, medianNs: { A: 20e6, B: 999_999 } };
    expect(chooseMetric('auto', facts).metric).toBe('time');
    expect(chooseMetric('cpu', facts).metric).toBe('cpu');
  });

  it('is wall time where CPU time is told in steps that are too coarse, unless CPU time was asked for', () => {
    const facts = { ...bound, coarseStepNs: 4e6 };
    const choice = chooseMetric('auto', facts);
    expect(choice.metric).toBe('time');
    expect(choice.reason).toContain('CPU time is reported in steps of 4 ms here, too coarse');
    expect(chooseMetric('cpu', facts).metric).toBe('cpu');
  });

  it('is wall time where CPU time is not known, also when asked', () => {
    expect(chooseMetric('auto', withShares(null)).metric).toBe('time');
    const asked = chooseMetric('cpu', withShares(null));
    expect(asked.metric).toBe('time');
    expect(asked.reason).toContain('though it was asked for');
  });

  it('is what was asked for', () => {
    expect(chooseMetric('time', bound).metric).toBe('time');
  });

  it('is CPU time in a tandem, whatever was asked for and whatever is known', () => {
    for (const asked of ['auto', 'time', 'cpu'] as const) {
      for (const facts of [bound, withShares({ A: 0.5, B: 0.5 }), withShares(null), { ...bound, coarseStepNs: 1e7 }]) {
        const choice = chooseMetric(asked, { ...facts, isByCpu: true, isTandem: true });
        expect(choice.metric).toBe('cpu');
        expect(choice.reason).toContain('both sides share one core');
      }
    }
  });
});

describe('the facts for the choice', () => {
  it('see a CPU-bound program that a neighbour disturbs all the time by the time it waited for its core', () => {
    // Every execution worked for 60 % of its time and was kept from working for 39 %.
    const trials = Array.from({ length: 20 }, (_, run) => {
      const iterations = iterationsOf([10_001_000], { cpu: 0.6 }).map((iteration) => ({ ...iteration, q: 3_900_390 }));
      return aTrial({ run, sides: { A: aSide(iterations), B: aSide(iterations) } });
    });
    const facts = metricFacts(selectedRuns(trials).runs);
    expect(facts.busyShares?.A).toBeCloseTo(0.99, 12);
    expect(chooseMetric('auto', facts).metric).toBe('cpu');
  });

  describe('of a program whose work is done by processes that it starts, on a busy machine', () => {
    /** Runs of which it is known how often a thread of A, or of B, was seen running or waiting for a CPU. */
    const factsOf = (runnable: number, samples = 5) => {
      const trials = Array.from({ length: 20 }, (_, run) => {
        // It computed for 40 % of the time, and its first process waited for no CPU.
        const iterations = iterationsOf([10_001_000 + run], { cpu: 0.4 }).map((iteration) => ({ ...iteration, q: 0 }));
        const observed = run < 2 ? { observed: { samples, runnable, tasks: 1 } } : {};
        return aTrial({ run, sides: { A: aSide(iterations, observed), B: aSide(iterations, observed) } });
      });
      return metricFacts(selectedRuns(trials).runs);
    };

    it('see that it is CPU-bound by what its threads did', () => {
      expect(factsOf(0.95).busyShares?.A).toBeCloseTo(0.95, 12);
      expect(chooseMetric('auto', factsOf(0.95)).metric).toBe('cpu');
    });

    it('see that it waits for other things', () => {
      expect(factsOf(0.6).busyShares?.A).toBeCloseTo(0.6, 12);
      expect(chooseMetric('auto', factsOf(0.6)).metric).toBe('undelayed');
      expect(factsOf(0).busyShares?.A).toBeCloseTo(0.4, 6);
    });

    it('say that it is not known how long its processes waited, where they did so longer than the first one', () => {
      const facts = factsOf(0.6, 100);
      expect(facts.hasUnknownWait).toBe(true);
      for (const asked of ['auto', 'undelayed'] as const) {
        const { metric, reason } = chooseMetric(asked, facts);
        expect(metric).toBe('time');
        expect(reason).toContain(
          'how long the processes and threads that a side started waited for a CPU is not known',
        );
      }
      // What its first process tells explains what was seen.
      expect(factsOf(0.45, 100).hasUnknownWait).toBe(false);
    });

    it('do not believe fewer than ten samples', () => {
      expect(factsOf(0.95, 4).busyShares?.A).toBeCloseTo(0.4, 6);
    });
  });

  it('take the share of undisturbed executions, so that a disturbed half does not hide a CPU-bound program', () => {
    // Half of the executions waited for half of their time; the 90th percentile is one of the others.
    const trials = Array.from({ length: 20 }, (_, run) => {
      const iterations = iterationsOf([10e6], { cpu: run % 2 === 0 ? 0.5 : 1 });
      return aTrial({ run, sides: { A: aSide(iterations), B: aSide(iterations) } });
    });
    expect(metricFacts(selectedRuns(trials).runs)).toEqual({
      cpuShares: { A: 1, B: 1 },
      busyShares: { A: 1, B: 1 },
      isWaitRecorded: false,
      waitsForOthers: false,
      hasUnknownWait: false,
      medianNs: { A: 10e6, B: 10e6 },
      // Half of them 5 ms, half 10 ms.
      medianCpuNs: { A: 7.5e6, B: 7.5e6 },
      // All of them multiples of 1 ms, and 5 ms is not 200 of those.
      coarseStepNs: 1e6,
      isByCpu: false,
      isTandem: false,
    });
  });

  it('take the CPU time of the process for a run of one execution', () => {
    const side = aSide(iterationsOf([10e6]), { userNs: 6e6, systemNs: 2e6 });
    const trials = [0, 1].map((run) => aTrial({ run, sides: { A: side, B: side } }));
    expect(metricFacts(selectedRuns(trials).runs).cpuShares).toEqual({ A: 0.8, B: 0.8 });
  });

  it('know no share when one execution has no CPU time', () => {
    const trials = [
      ...trialsOf([[10e6]], [[10e6]], { cpu: { A: 1, B: 1 } }),
      ...trialsOf([[10e6]], [[10e6]], { changes: { run: 1 } }),
    ];
    expect(metricFacts(selectedRuns(trials).runs).cpuShares).toBeNull();
  });

  it('give the median CPU time of one invocation where iterations hold several', () => {
    const iterations = [0, 1, 2].map((i) => ({ i, s: i * 1e9, e: i * 1e9 + 5e8, c: (4 + i) * 1e8 + 7, n: 100 }));
    const sides = { A: aSide(iterations), B: aSide(iterations) };
    const { runs } = selectedRuns(
      [0, 1].map((run) => aTrial({ run, sides })),
      { workload: 'harness' },
    );
    expect(metricFacts(runs).medianCpuNs).toEqual({ A: 5e6 + 0.07, B: 5e6 + 0.07 });
  });

  it('tell that the sides shared a core', () => {
    const side = aSide(iterationsOf([10e6]));
    const { runs } = selectedRuns(
      [0, 1].map((run) => aTrial({ run, method: 'tandem', sides: { A: side, B: side } })),
      {
        method: 'tandem',
      },
    );
    expect(metricFacts(runs).isTandem).toBe(true);
  });
});

describe('the step in which CPU time is told', () => {
  /** That of runs whose sides used these CPU times, ns. */
  const stepOf = (A: readonly number[], B: readonly number[] = A): number | null => {
    const side = (ns: number): SideResult => aSide(iterationsOf([30e6]), { userNs: ns, systemNs: 0 });
    const trials = A.map((ns, run) => aTrial({ run, sides: { A: side(ns), B: side(B[run] ?? 0) } }));
    return metricFacts(selectedRuns(trials).runs).coarseStepNs;
  };

  it.each([
    [10, [20, 30, 30, 20]],
    [4, [16, 20, 16, 24]],
    [1, [17, 20, 18, 23]],
  ])('is %d ms where all times are multiples of it', (step, times) => {
    expect(stepOf(times.map((time) => time * 1e6))).toBe(step * 1e6);
  });

  it('is looked for on each side', () => {
    const precise = [17_000_123, 20_456_000, 18_000_001];
    const ticks = [16e6, 20e6, 24e6];
    expect(stepOf(precise, ticks)).toBe(4e6);
    expect(stepOf(ticks, precise)).toBe(4e6);
    expect(stepOf(precise)).toBeNull();
  });

  it('is none where a single time is between two multiples', () => {
    expect(stepOf([17e6, 20e6, 18e6, 23_000_500])).toBeNull();
  });

  it('is none where it is at most 0.5 % of an execution', () => {
    expect(stepOf([199e6, 199e6, 199e6])).toBe(1e6);
    expect(stepOf([200e6, 200e6, 201e6])).toBeNull();
    expect(stepOf([1990e6, 1990e6, 1990e6])).toBe(10e6);
  });

  it('is none with fewer than three times, which could be multiples by chance', () => {
    expect(stepOf([20e6, 30e6])).toBeNull();
    expect(stepOf([20e6, 30e6, 20e6])).toBe(10e6);
  });

  it('is none where CPU time is not known', () => {
    expect(stepOf([20e6, 30e6, 0])).toBeNull();
  });

  it('is that of whole iterations, also where they hold several invocations', () => {
    const iterations = [40, 50, 70].map((ms, i) => ({ i, s: i * 1e9, e: i * 1e9 + 9e7, c: ms * 1e6, n: 7 }));
    const sides = { A: aSide(iterations), B: aSide(iterations) };
    const { runs } = selectedRuns(
      [0, 1].map((run) => aTrial({ run, sides })),
      { workload: 'harness' },
    );
    expect(metricFacts(runs).coarseStepNs).toBe(10e6);
  });
});
