import { reportSchema, type Comparison, type ExperimentConfig, type Trial } from '@deadheat/model';
import { createRandom, meanInterval, shuffle, studentTQuantile } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { compareBenchmark } from '../../src/compare/compare-benchmark.ts';
import { fewestHosts, poolHosts } from '../../src/compare/over-hosts.ts';
import { analyseRecording } from '../../src/report/analyse-recording.ts';
import { resamplingUnits } from '../../src/units/resampling-units.ts';
import { aBenchmark, aConfig, anExperiment, aSide, aTrial, iterationsOf, selectedRuns } from '../helpers/recordings.ts';
import { simulateHosts, type SimulatedHosts } from './simulated-hosts.ts';
import { at } from '../../src/internal/lists.ts';

const config = (changes: Partial<ExperimentConfig> = {}): ExperimentConfig =>
  aConfig({ swap: 'run', replicates: 500, ...changes });

const judge = (trials: readonly Trial[], changes: Partial<ExperimentConfig> = {}): Comparison =>
  compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config: config(changes) });

/** The same runs as if one machine had made them. */
const withoutHosts = (trials: readonly Trial[]): readonly Trial[] =>
  trials.map((trial) => {
    const { host, ...rest } = trial;
    expect(host).toBeDefined();
    return rest;
  });

const twelve: SimulatedHosts = {
  hosts: 12,
  runsPerHost: 10,
  ratio: 1.02,
  timesBetween: 0.1,
  ratioBetween: 0,
  noise: 0.01,
  seed: 'twelve hosts',
};

describe('twelve hosts of which some are 10 % slower than others, and a true change of 2 %', () => {
  const { machines, trials } = simulateHosts(twelve);
  const comparison = judge(trials);
  const effects = comparison.hosts;

  it('give the right verdict over hosts', () => {
    expect(comparison).toMatchObject({ verdict: 'slower', resampled: { unit: 'host', count: 12 }, runs: 120 });
    expect(comparison.interval).toMatchObject({ kind: 't', replicates: 0, level: 0.99 });
    expect(comparison.interval.low).toBeGreaterThan(1.01);
    expect(comparison.interval.low).toBeLessThan(1.02);
    expect(comparison.interval.high).toBeGreaterThan(1.02);
    expect(comparison.interval.high).toBeLessThan(1.03);
    expect(comparison.warnings.map(({ code }) => code)).not.toContain('FEW_HOSTS');
  });

  it('are told one by one', () => {
    expect(effects?.each.map(({ id, runs }) => [id, runs])).toEqual(machines.map(({ id }) => [id, 10]));
    for (const [index, { meanNs, ratio }] of (effects?.each ?? []).entries()) {
      // The mean of ten runs of 1 % has an error of 0.3 %; the ratio's is the square root of two of that.
      expect(Math.abs(meanNs.A / (100e6 * at(machines, index).slowness) - 1)).toBeLessThan(0.015);
      expect(Math.abs(ratio.estimate / 1.02 - 1)).toBeLessThan(0.02);
      expect(ratio.low).toBeLessThan(ratio.estimate);
    }
  });

  it('differ in their times, not in the ratio', () => {
    expect(effects?.timesBetween).toBeGreaterThan(0.06);
    expect(effects?.timesBetween).toBeLessThan(0.14);
    // Of a ratio of two times with 1 % each: 1.41 %.
    expect(effects?.within).toBeGreaterThan(0.012);
    expect(effects?.within).toBeLessThan(0.017);
    expect(effects?.between).toBeLessThan(0.004);
    expect(effects?.pooledOver).toBe('hosts');
  });

  it('stand in the report by its schema', () => {
    const { machine } = anExperiment(config());
    const hosts = machines.map(({ id }) => ({ id, machine, labels: { kind: 'simulated' } }));
    const report = analyseRecording({
      experiment: { ...anExperiment(config()), hosts },
      measured: [{ benchmark: aBenchmark(), runs: measuredRuns(trials) }],
      directory: 'somewhere',
      complete: true,
      warnings: [],
      today: '2026-02-03',
    });
    expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(report.hosts).toHaveLength(12);
  });
});

describe('twelve hosts on which the ratio itself differs', () => {
  const { machines, trials } = simulateHosts({ ...twelve, ratioBetween: 0.02, seed: 'ratios differ' });
  const comparison = judge(trials);

  it('are shown with the ratio of each and the spread of all', () => {
    for (const [index, { ratio }] of (comparison.hosts?.each ?? []).entries()) {
      expect(Math.abs(ratio.estimate / at(machines, index).ratio - 1)).toBeLessThan(0.02);
    }
    expect(comparison.hosts?.between).toBeGreaterThan(0.012);
    expect(comparison.hosts?.between).toBeLessThan(0.03);
  });

  it('have an interval as wide as they differ, which holds the truth', () => {
    expect(comparison.interval.low).toBeLessThan(1.02);
    expect(comparison.interval.high).toBeGreaterThan(1.02);
    // The runs of a host follow each other; this interval does not notice.
    const overRuns = judge(withoutHosts(trials), { interval: 'expanded' });
    expect(overRuns.hosts).toBeUndefined();
    const width = ({ interval }: Comparison): number => Math.log(interval.high / interval.low);
    expect(width(comparison)).toBeGreaterThan(1.8 * width(overRuns));
    expect(comparison.minimalDetectableSlowdown).toBeGreaterThan(1.8 * overRuns.minimalDetectableSlowdown);
    expect(comparison.interval.estimate).toBeCloseTo(overRuns.interval.estimate, 12);
  });

  it('say what further hosts would bring, not further runs', () => {
    const open = judge(trials, { margin: 0.015 });
    expect(open.verdict).toBe('undecided');
    expect(open.outlook?.moreHosts).toBeGreaterThan(0);
    expect(open.outlook?.moreRuns).toBe(10 * (open.outlook?.moreHosts ?? 0));
  });
});

describe('an interval over hosts', () => {
  const rate = (
    truth: Omit<SimulatedHosts, 'seed'>,
    { experiments, changes = {} }: { readonly experiments: number; readonly changes?: Partial<ExperimentConfig> },
  ): number => {
    let missed = 0;
    for (let k = 0; k < experiments; k++) {
      const { trials } = simulateHosts({ ...truth, seed: `coverage ${k}` });
      const { low, high } = judge(trials, { confidence: 0.95, interval: 't', replicates: 20, ...changes }).interval;
      if (low > truth.ratio || high < truth.ratio) missed++;
    }
    return missed / experiments;
  };
  const differing = { ...twelve, hosts: fewestHosts, runsPerHost: 4, ratioBetween: 0.02 };

  // 5 % of 400 experiments, four standard errors of 1.1 % to each side.
  it('of 95 % misses the truth in about 5 %, and one over their runs far more often', () => {
    const overHosts = rate(differing, { experiments: 400 });
    expect(overHosts).toBeGreaterThan(0.01);
    expect(overHosts).toBeLessThan(0.095);
    // One host less is too few, so that the interval is over runs.
    expect(rate({ ...differing, hosts: fewestHosts - 1 }, { experiments: 200 })).toBeGreaterThan(0.15);
  });

  it('of runs that were made one after the other holds it as well', () => {
    const missed = rate(
      { ...differing, method: 'sequential' },
      { experiments: 400, changes: { method: 'sequential' } },
    );
    expect(missed).toBeGreaterThan(0.01);
    expect(missed).toBeLessThan(0.095);
  });

  it('is the t interval of their means', () => {
    const { trials } = simulateHosts({ ...differing, seed: 'by hand' });
    const { interval: ratio, hosts, difference, pValues } = judge(trials);
    const logs = (hosts?.each ?? []).map(({ ratio: { estimate } }) => Math.log(estimate));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
    const half = studentTQuantile(0.995, logs.length - 1) * Math.sqrt(variance / logs.length);
    expect(Math.log(ratio.low)).toBeCloseTo(mean - half, 12);
    expect(Math.log(ratio.high)).toBeCloseTo(mean + half, 12);
    // An interval that ends at 1 has a one-sided p value of (1 - confidence) / 2.
    expect(pValues.slower < 0.005).toBe(ratio.low > 1);
    expect(difference.lowNs).toBeLessThan(difference.estimateNs);
  });
});

describe('few hosts', () => {
  it('are told, and the interval is that of the runs', () => {
    const { trials } = simulateHosts({ ...twelve, hosts: fewestHosts - 1, seed: 'few' });
    const comparison = judge(trials);
    expect(comparison).toMatchObject({ resampled: { unit: 'run' }, hosts: { pooledOver: 'runs' } });
    const warning = comparison.warnings.find(({ code }) => code === 'FEW_HOSTS');
    expect(warning?.message).toContain(`only ${fewestHosts - 1} hosts`);
    expect(warning?.message).toContain(`${fewestHosts} hosts or more`);
    const { hosts: _, warnings: __, shift, ...rest } = judge(trials, { interval: 'expanded' });
    const { warnings: ___, shift: ofOne, ...without } = judge(withoutHosts(trials), { interval: 'expanded' });
    expect(rest).toEqual(without);
    // A band over runs says nothing of other hosts.
    expect([shift, ofOne?.length]).toEqual([null, 5]);
  });

  it('with one run have no interval of their own', () => {
    const { trials } = simulateHosts({ ...twelve, hosts: 3, runsPerHost: 1, seed: 'single' });
    expect(judge(trials).hosts?.each[0]?.ratio).toMatchObject({ low: 0, high: Number.MAX_VALUE });
    expect(judge(trials).hosts?.within).toBeNull();
  });

  it('that are one machine are no level', () => {
    const { trials } = simulateHosts({ ...twelve, hosts: 1, seed: 'one' });
    expect(judge(trials)).toEqual(judge(withoutHosts(trials)));
  });
});

describe('runs that are looked at as they come in', () => {
  const stop = { kind: 'decided', minRuns: 5, maxRuns: null } as const;

  it('are decided only where the hosts say so too', () => {
    const { trials: ordered } = simulateHosts({ ...twelve, ratioBetween: 0.04, seed: 'watched' });
    // The hosts in turn: else neighbours resemble each other, which widens the interval over runs by itself.
    const trials = shuffle(ordered, createRandom('in turn')).map((trial, run) => ({ ...trial, run, trial: run }));
    const watched = judge(trials, { stop });
    const alone = judge(withoutHosts(trials), { stop });
    const fixed = judge(trials);
    expect(alone.verdict).toBe('slower');
    expect(watched.verdict).toBe('undecided');
    expect(watched.interval.kind).toBe('anytime-t');
    expect(watched.fixedInterval).toEqual(fixed.interval);
    expect(watched.interval.low).toBe(Math.min(fixed.interval.low, alone.interval.low));
    expect(watched.interval.high).toBe(Math.max(fixed.interval.high, alone.interval.high));
    expect(watched.pValues.slower).toBeGreaterThan(alone.pValues.slower);
    expect(watched.minimalDetectableSlowdown).toBeGreaterThanOrEqual(fixed.minimalDetectableSlowdown);
  });

  it('stay decided where the hosts agree', () => {
    const { trials } = simulateHosts(twelve);
    expect(judge(trials, { stop }).verdict).toBe('slower');
  });
});

describe('blocks of runs that traded cores', () => {
  it('never span two machines', () => {
    const run = (number: number, host: string, cpu: number): Trial =>
      aTrial({
        run: number,
        host,
        sides: { A: aSide(iterationsOf([1e6]), { cpu }), B: aSide(iterationsOf([1e6]), { cpu: 1 - cpu }) },
      });
    // Run 7 failed: its partner of another machine would have the opposite cores.
    const trials = [
      ...[0, 1, 2, 3].map((number) => run(number, 'x', number % 2)),
      ...[4, 5, 6].map((number) => run(number, 'y', number % 2)),
      ...[8, 9].map((number) => run(number, 'z', number % 2)),
      run(11, 'z', 1),
    ];
    const { runs } = selectedRuns(trials);
    expect(resamplingUnits(runs, { swap: 'pair' }).members).toEqual([[0, 1], [2, 3], [4, 5], [6], [7, 8], [9]]);
  });
});

describe('the mean of hosts', () => {
  it('gives each host one vote, and separates what differs between them from what scatters within', () => {
    const pooled = poolHosts([Float64Array.of(1, 3), Float64Array.of(5, 7, 6), Float64Array.of(4)]);
    expect([...pooled.means]).toEqual([2, 6, 4]);
    expect(pooled.mean).toBe(4);
    // Within: (2 + 2 + 0) / (1 + 2); between: 4 less the errors of the means, 4/3 (1/2 + 1/3 + 1) / 3.
    expect(pooled.within).toBeCloseTo(4 / 3, 12);
    expect(pooled.between).toBeCloseTo(4 - ((4 / 3) * (1 / 2 + 1 / 3 + 1)) / 3, 12);
    expect(pooled.standardError).toBeCloseTo(Math.sqrt(4 / 3), 12);
    const { low } = meanInterval({ mean: 4, variance: 4 / 3, df: 2, level: 0.95 });
    expect(low).toBeLessThan(0);
  });
});
