import type {
  BenchmarkPoints,
  Comparison,
  HostEffects,
  Machine,
  Report,
  RunPoints,
  SidePoints,
  Verdict,
} from '@deadheat/model';
import { createRandom, type Random } from '@deadheat/stats';
import type { ReportInput } from '../src/report-input.ts';

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

/** Ratios and verdicts that take turns; the verdicts fit the intervals. */
const kinds: readonly { readonly ratio: number; readonly verdict: Verdict; readonly margin: number }[] = [
  { ratio: 1.024, verdict: 'slower', margin: 0 },
  { ratio: 1.001, verdict: 'dead-heat', margin: 0 },
  { ratio: 0.97, verdict: 'faster', margin: 0 },
  { ratio: 1.012, verdict: 'undecided', margin: 0.01 },
];

export function aComparison(changes: Partial<Comparison> = {}): Comparison {
  function side(command: string): Comparison['sides']['A'] {
    return {
      command,
      name: command,
      metric: 'time',
      alone: null,
      mean: 0.0123,
      stddev: 0.0004,
      median: 0.0122,
      min: 0.0119,
      max: 0.0141,
      user: 0.0114,
      system: 0.0008,
      cv: 0.034,
      times: [0.0119, 0.0122, 0.0141],
      exitCodes: [0, 0, 0],
      maxRssBytes: 3_000_000,
    };
  }

  return {
    benchmark: 'sort',
    params: {},
    method: 'sync-duet',
    methodReason: null,
    neighbourCorrelation: null,
    meanInterval: null,
    rankInterval: null,
    metric: 'time',
    metricReason: 'wall time, as asked',
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
    otherMetrics: [],
    difference: { estimateNs: 292_000, lowNs: 195_000, highNs: 377_000 },
    verdict: 'slower',
    margin: 0,
    pValues: { slower: 1e-6, faster: 1 - 1e-6 },
    planned: null,
    minimalDetectableSlowdown: 0.011,
    pairingGain: 6.2,
    outlook: null,
    runs: 30,
    pairs: 3000,
    resampled: { unit: 'run', count: 30 },
    iterationsPerRun: 100,
    discarded: { warmup: 600, outliers: 0, unpaired: 0 },
    stability: null,
    sides: { A: side('./old sort'), B: side('./new sort') },
    time: { wallNs: 5.6e9, machineNs: 11.2e9 },
    warnings: [],
    ...changes,
  };
}

export function aReport(comparisons: readonly Comparison[], changes: Partial<Report> = {}): Report {
  return {
    schema: 'deadheat.report/1',
    tool: { name: 'deadheat', version: '0.1.0' },
    experiment: {
      id: 'experiment-1',
      name: 'sorting',
      startedAt: '2026-01-02T03:04:05.000Z',
      seed: '1a2b3c4d',
      method: 'sync-duet',
      confidence: 0.99,
      margin: 0,
      recording: '.deadheat/20260102T030405Z-sorting',
      complete: true,
    },
    machine,
    comparisons: [...comparisons],
    gate: {
      outcome: comparisons.some(({ verdict }) => verdict === 'slower') ? 'failed' : 'passed',
      correction: 'holm',
      level: 0.005,
      benchmarks: comparisons.map(({ benchmark, params, method, verdict }) => ({
        benchmark,
        params,
        method,
        verdict,
        waiver: null,
        p: verdict === 'slower' ? 1e-6 : 0.5,
        adjustedP: verdict === 'slower' ? 1e-5 : 1,
        slower: verdict === 'slower',
      })),
      control: null,
    },
    results: [],
    warnings: [],
    ...changes,
  };
}

interface Size {
  readonly benchmarks?: number;
  readonly runs?: number;
  readonly iterations?: number;
  readonly warmup?: number;
  readonly method?: Comparison['method'];
}

/** A whole report of random benchmarks, the same for the same size. */
export function anInput(size: Size = {}): ReportInput {
  const { benchmarks = 4, runs = 30, iterations = 100, warmup = 20, method = 'sync-duet' } = size;
  const random = createRandom('report');
  const comparisons: Comparison[] = [];
  const points: BenchmarkPoints[] = [];
  for (let index = 0; index < benchmarks; index++) {
    const { ratio, verdict, margin } = kinds[index % kinds.length] ?? { ratio: 1, verdict: 'dead-heat', margin: 0 };
    const name = `benchmark ${String(index + 1).padStart(3, '0')}`;
    const interval = { ...aComparison().interval, estimate: ratio, low: ratio - 0.008, high: ratio + 0.008 };
    const own = { benchmark: name, params: { size: String(10 * (index + 1)) }, method };
    comparisons.push(aComparison({ ...own, interval, verdict, margin, runs, iterationsPerRun: iterations + warmup }));
    points.push({
      ...own,
      metric: 'time',
      workload: 'harness',
      runs: Array.from({ length: runs }, (_, run) => aRun(run, { random, ratio, iterations, warmup })),
      failed: [],
      segments: null,
    });
  }
  return { report: aReport(comparisons), points };
}

export function aRun(
  run: number,
  {
    random,
    ratio,
    iterations,
    warmup,
  }: { readonly random: Random; readonly ratio: number; readonly iterations: number; readonly warmup: number },
): RunPoints {
  const level = 12e6 * (1 + 0.03 * random.normal());
  const shared = Float64Array.from({ length: iterations }, () => level * (1 + 0.02 * Math.abs(random.normal())));

  function side(factor: number, cpu: number): SidePoints {
    const timesNs = shared.map((time) => time * factor * (1 + 0.004 * random.normal()));
    const startsNs = timesNs.map((_, row) => row * 13e6 * factor);
    return {
      timesNs,
      warmupNs: Float64Array.from({ length: warmup }, (_, row) => level * factor * (1 + 0.6 / (row + 1))),
      startsNs,
      endsNs: startsNs.map((start, row) => start + (timesNs[row] ?? 0)),
      cpu,
      involuntarySwitches: random.int(3),
    };
  }

  const rows = Int32Array.from({ length: iterations }, (_, row) => row);
  return {
    run,
    order: run % 2 === 0 ? 'AB' : 'BA',
    wallNs: 2e9,
    noise: { stealNs: run % 7 === 0 ? 3e7 : 0, throttledNs: 0, contextSwitches: 900 + random.int(300) },
    sides: { A: side(1, run % 2), B: side(ratio, 1 - (run % 2)) },
    pairs: { a: rows, b: rows },
  };
}

/** What two machines found, one of them with an awkward name and a single run. */
export function someHosts(name = 'runner-1a2b3c4d'): HostEffects {
  return {
    each: [
      { id: 'build-05', runs: 29, ratio: { estimate: 1.024, low: 1.015, high: 1.033 }, meanNs: { A: 12e6, B: 12.3e6 } },
      {
        id: name,
        runs: 1,
        ratio: { estimate: 1.031, low: 0, high: Number.MAX_VALUE },
        meanNs: { A: 13.2e6, B: 13.6e6 },
      },
    ],
    between: 0.004,
    within: 0.006,
    timesBetween: 0.1,
    pooledOver: 'runs',
  };
}
