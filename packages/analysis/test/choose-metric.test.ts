import { describe, expect, it } from 'vitest';
import { chooseMetric } from '../src/metric/choose-metric.ts';
import { metricFacts } from '../src/metric/metric-facts.ts';
import { aSide, aTrial, iterationsOf, selectedRuns, trialsOf } from './helpers/recordings.ts';

const long = { A: 20e6, B: 20e6 };

describe('the choice of the metric', () => {
  it('is CPU time when both sides are CPU-bound, and gives both shares', () => {
    const choice = chooseMetric('auto', {
      cpuShares: { A: 0.99, B: 0.9 },
      busyShares: { A: 0.99, B: 0.9 },
      medianNs: long,
    });
    expect(choice.metric).toBe('cpu');
    expect(choice.reason).toContain('A works or waits for its core 0.99, B 0.90');
  });

  it('is wall time when one side waits', () => {
    const choice = chooseMetric('auto', {
      cpuShares: { A: 0.99, B: 0.89 },
      busyShares: { A: 0.99, B: 0.89 },
      medianNs: long,
    });
    expect(choice).toMatchObject({ metric: 'time' });
    expect(choice.reason).toContain('not both sides are CPU-bound');
  });

  it('is wall time when a side keeps more than one core busy', () => {
    expect(
      chooseMetric('auto', { cpuShares: { A: 0.99, B: 1.8 }, busyShares: { A: 0.99, B: 1.8 }, medianNs: long }).reason,
    ).toContain('more than one core');
  });

  it('is wall time below 1 ms, unless CPU time was asked for', () => {
    const facts = { cpuShares: { A: 1, B: 1 }, busyShares: { A: 1, B: 1 }, medianNs: { A: 20e6, B: 999_999 } };
    expect(chooseMetric('auto', facts).metric).toBe('time');
    expect(chooseMetric('cpu', facts).metric).toBe('cpu');
  });

  it('is wall time where CPU time is not known, also when asked', () => {
    expect(chooseMetric('auto', { cpuShares: null, busyShares: null, medianNs: long }).metric).toBe('time');
    const asked = chooseMetric('cpu', { cpuShares: null, busyShares: null, medianNs: long });
    expect(asked.metric).toBe('time');
    expect(asked.reason).toContain('though it was asked for');
  });

  it('is what was asked for', () => {
    expect(chooseMetric('time', { cpuShares: { A: 1, B: 1 }, busyShares: { A: 1, B: 1 }, medianNs: long }).metric).toBe(
      'time',
    );
  });
});

describe('the facts for the choice', () => {
  it('see a CPU-bound program that a neighbour disturbs all the time by the time it waited for its core', () => {
    // Every execution worked for 60 % of its time and was kept from working for 39 %.
    const trials = Array.from({ length: 20 }, (_, run) => {
      const iterations = iterationsOf([10e6], { cpu: 0.6 }).map((iteration) => ({ ...iteration, q: 3.9e6 }));
      return aTrial({ run, sides: { A: aSide(iterations), B: aSide(iterations) } });
    });
    const facts = metricFacts(selectedRuns(trials).runs);
    expect(facts.busyShares?.A).toBeCloseTo(0.99, 12);
    expect(chooseMetric('auto', facts).metric).toBe('cpu');
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
      medianNs: { A: 10e6, B: 10e6 },
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
});
