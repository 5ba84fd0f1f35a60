import { reportSchema, type ExperimentConfig, type Host, type Report, type Trial } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { analyseRecording } from '../../src/report/analyse-recording.ts';
import { aBenchmark, aConfig, anExperiment } from '../helpers/recordings.ts';
import { simulateHosts } from './simulated-hosts.ts';

const config: ExperimentConfig = aConfig({ swap: 'run', replicates: 500 });
const few = { hosts: 2, runsPerHost: 10, timesBetween: 0.1, ratioBetween: 0, noise: 0.005 };

/** Two hosts that measured first, and others that confirm. */
function report(first: readonly Trial[], others: readonly Trial[]): Report {
  const { machine } = anExperiment(config);
  const renamed = others.map((trial) => ({ ...trial, host: `other ${trial.host}`, run: trial.run + 1000 }));
  const ids = (trials: readonly Trial[]): string[] => [...new Set(trials.map(({ host }) => host ?? ''))];
  const hosts: Host[] = [
    ...ids(first).map((id) => ({ id, machine, labels: {} })),
    ...ids(renamed).map((id) => ({ id, machine, labels: {}, confirms: true as const })),
  ];
  return analyseRecording({
    experiment: { ...anExperiment(config), hosts },
    measured: [{ benchmark: aBenchmark(), runs: measuredRuns([...first, ...renamed]) }],
    directory: 'somewhere',
    complete: true,
    warnings: [],
    today: '2026-02-03',
  });
}

describe('a comparison that came out slower', () => {
  const first = simulateHosts({ ...few, ratio: 1.05, seed: 'first' }).trials;

  it('stays so where other hosts say so too', () => {
    const found = report(first, simulateHosts({ ...few, ratio: 1.05, seed: 'second' }).trials);
    expect(found.comparisons[0]).toMatchObject({
      verdict: 'slower',
      runs: 20,
      confirmation: { hosts: ['other host-01', 'other host-02'], runs: 20, verdict: 'slower' },
    });
    expect(found.comparisons[0]?.hosts?.each.map(({ id }) => id)).toEqual(['host-01', 'host-02']);
    expect(found.gate.outcome).toBe('failed');
    expect(reportSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  it('is undecided where they find a dead heat, and fails no gate', () => {
    const found = report(first, simulateHosts({ ...few, ratio: 1, seed: 'no difference' }).trials);
    expect(found.comparisons[0]).toMatchObject({
      verdict: 'undecided',
      outlook: null,
      confirmation: { verdict: 'dead-heat' },
    });
    const warning = found.comparisons[0]?.warnings.find(({ code }) => code === 'NOT_CONFIRMED');
    expect(warning?.message).toContain('2 other hosts (other host-01, other host-02) found it a dead heat');
    expect(found.gate.outcome).toBe('not-measured');
  });

  it('is undecided where they brought too few runs', () => {
    const [one] = simulateHosts({ ...few, ratio: 1.05, seed: 'second' }).trials;
    const found = report(first, one === undefined ? [] : [one]);
    expect(found.comparisons[0]).toMatchObject({
      verdict: 'undecided',
      confirmation: { hosts: ['other host-01'], ratio: null, verdict: null },
    });
    expect(found.comparisons[0]?.warnings.map(({ message }) => message).join()).toContain('too few runs');
  });
});

describe('a comparison that came out otherwise', () => {
  it('needs no confirmation', () => {
    const first = simulateHosts({ ...few, ratio: 1, seed: 'first' }).trials;
    const found = report(first, simulateHosts({ ...few, ratio: 1.05, seed: 'second' }).trials);
    expect(found.comparisons[0]).toMatchObject({ verdict: 'dead-heat', runs: 20 });
    expect(found.comparisons[0]?.confirmation).toBeUndefined();
  });
});
