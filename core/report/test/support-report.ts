import { judgeGate } from '@deadheat/analysis';
import type { Comparison, Machine, Report, SideSummary } from '@deadheat/model';

export const machine: Machine = {
  hostname: 'quiet',
  platform: 'linux',
  kernel: '6.1.0',
  node: 'v20.20.2',
  cpuModel: 'Example 9000',
  onlineCpus: 2,
  usableCpus: [0, 1],
  smtSiblings: { '0': [0], '1': [1] },
  smtActive: false,
  governor: 'performance',
  turbo: null,
  aslr: 2,
  clockSource: 'tsc',
  virtualization: null,
  memoryTotalBytes: 8_000_000_000,
  memoryAvailableBytes: null,
  cpuQuota: null,
  cgroupVersion: 'v2',
  load1: 0.1,
};

export function aSide(changes: Partial<SideSummary> = {}): SideSummary {
  const command = changes.command ?? 'gzip -6 -k -c big.bin';
  return {
    command,
    name: command,
    metric: 'time',
    alone: null,
    mean: 0.01231,
    stddev: 0.00042,
    median: 0.0122,
    min: 0.0119,
    max: 0.0141,
    user: 0.0114,
    system: 0.0008,
    cv: 0.034,
    times: [0.0119, 0.0122, 0.0141],
    exitCodes: [0, 0, 0],
    maxRssBytes: 3_000_000,
    ...changes,
  };
}

/** A comparison in which B is 2.4 % slower, as in the example of the wording. */
export function aComparison(changes: Partial<Comparison> = {}): Comparison {
  return {
    benchmark: 'gzip -6 -k -c big.bin vs gzip -7 -k -c big.bin',
    params: {},
    method: 'sync-duet',
    methodReason: null,
    neighbourCorrelation: null,
    total: null,
    typical: null,
    judge: 'typical',
    rankInterval: null,
    metric: 'cpu',
    metricReason: 'both sides keep one core busy',
    interval: {
      estimate: 1.024,
      low: 1.016,
      high: 1.031,
      level: 0.99,
      kind: 'expanded-percentile',
      replicates: 10_000,
    },
    fixedInterval: null,
    interim: null,
    otherMetrics: [
      {
        metric: 'time',
        interval: {
          estimate: 1.026,
          low: 1.012,
          high: 1.04,
          level: 0.99,
          kind: 'expanded-percentile',
          replicates: 10_000,
        },
        fixedInterval: null,
        verdict: 'slower',
      },
    ],
    difference: { estimateNs: 292_000, lowNs: 195_000, highNs: 377_000 },
    verdict: 'slower',
    opposition: null,
    margin: 0,
    pValues: {
      slower: 1e-6,
      faster: 1 - 1e-6,
      least: 0,
      gate: { slower: (changes.verdict ?? 'slower') === 'slower' ? 1e-6 : 1, faster: 1 },
    },
    bounds: { low: changes.interval?.low ?? 1.016, high: changes.interval?.high ?? 1.031 },
    planned: null,
    minimalDetectableSlowdown: 0.011,
    pairingGain: 6.2,
    shift: null,
    outlook: null,
    runs: 40,
    pairs: 40,
    resampled: { unit: 'traded-block', count: 20 },
    iterationsPerRun: 1,
    discarded: { warmup: 2, outliers: 0, unpaired: 0 },
    stability: null,
    sides: { A: aSide(), B: aSide({ command: 'gzip -7 -k -c big.bin', mean: 0.0126, median: 0.01249 }) },
    time: { wallNs: 5_600_000_000, machineNs: 11_200_000_000 },
    warnings: [],
    ...changes,
  };
}

export function aReport(comparisons: readonly Comparison[], changes: Partial<Report> = {}): Report {
  return {
    schema: 'deadheat.report/1',
    tool: { name: 'deadheat', version: '0.1.0' },
    experiment: {
      id: '2026-01-02T03-04-05-gzip',
      name: 'gzip',
      startedAt: '2026-01-02T03:04:05.000Z',
      seed: '1a2b3c4d',
      method: 'sync-duet',
      confidence: 0.99,
      margin: 0,
      recording: '.deadheat/2026-01-02T03-04-05-gzip',
      complete: true,
    },
    machine,
    comparisons: [...comparisons],
    results: [],
    gate: judgeGate({
      judged: comparisons.map((comparison) => ({ comparison, waiver: null })),
      correction: 'holm',
      today: '2026-01-02',
    }).gate,
    warnings: [],
    ...changes,
  };
}

/** The wording's dead heat. */
export function aDeadHeat(changes: Partial<Comparison> = {}): Comparison {
  const interval = { ...aComparison().interval, estimate: 1.001, low: 0.993, high: 1.009 };
  return aComparison({
    interval,
    verdict: 'dead-heat',
    pValues: { slower: 0.38, faster: 0.62, least: 0, gate: { slower: 0.38, faster: 0.62 } },
    ...changes,
  });
}

/** The wording's undecided comparison. */
export function anUndecided(changes: Partial<Comparison> = {}): Comparison {
  const interval = { ...aComparison().interval, estimate: 1.012, low: 0.992, high: 1.033 };
  const outlook = { moreRuns: 60, moreTimeNs: 240e9 };
  return aComparison({ interval, verdict: 'undecided', runs: 12, pairs: 12, margin: 0.01, outlook, ...changes });
}

/** A comparison that was looked at while its runs came in. */
export function aWatched(changes: Partial<Comparison> = {}): Comparison {
  const estimates = { estimate: 1.024, low: 1.009, high: 1.04, level: 0.99, kind: 'anytime-t', replicates: 0 } as const;
  const [other] = aComparison().otherMetrics;
  return aComparison({
    interval: estimates,
    fixedInterval: aComparison().interval,
    interim: { analyses: 4, reached: true },
    otherMetrics:
      other === undefined
        ? []
        : [{ ...other, interval: { ...estimates, low: 0.99 }, fixedInterval: other.interval, verdict: 'dead-heat' }],
    runs: 16,
    pairs: 16,
    resampled: { unit: 'traded-block', count: 8 },
    ...changes,
  });
}

/** A ratio far from 1. */
export function aLargeDifference(estimate: number, changes: Partial<Comparison> = {}): Comparison {
  const interval = { ...aComparison().interval, estimate, low: estimate * 0.995, high: estimate * 1.005 };
  return aComparison({ interval, verdict: estimate > 1 ? 'slower' : 'faster', otherMetrics: [], ...changes });
}

/** A comparison on twenty machines. */
export function onHosts(changes: Partial<Comparison> = {}): Comparison {
  return aComparison({
    interval: { ...aComparison().interval, low: 1.011, high: 1.037, kind: 't', replicates: 0 },
    runs: 120,
    pairs: 120,
    resampled: { unit: 'host', count: 20 },
    hosts: {
      each: Array.from({ length: 20 }, (_, host) => ({
        id: `runner-${host + 1}`,
        runs: 6,
        ratio: { estimate: 1.02 + host / 1000, low: 1.01, high: 1.05 },
        meanNs: { A: 12e6 + host * 1e5, B: 12.3e6 + host * 1e5 },
      })),
      between: 0.0042,
      within: 0.0061,
      timesBetween: 0.103,
      pooledOver: 'hosts',
    },
    ...changes,
  });
}
