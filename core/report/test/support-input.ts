import type { BenchmarkPoints, Comparison, HostEffects, RunPoints, SidePoints, Verdict } from '@deadheat/model';
import { createRandom, type Random } from '@deadheat/stats';
import type { ReportInput } from '../src/report-input.ts';
import { aComparison as ofCommands, aReport, aSide } from './support-report.ts';

/** Ratios and verdicts that take turns; the verdicts fit the intervals. */
const kinds: readonly { readonly ratio: number; readonly verdict: Verdict; readonly margin: number }[] = [
  { ratio: 1.024, verdict: 'slower', margin: 0 },
  { ratio: 1.001, verdict: 'dead-heat', margin: 0 },
  { ratio: 0.97, verdict: 'faster', margin: 0 },
  { ratio: 1.012, verdict: 'undecided', margin: 0.01 },
];

/** A comparison of a program that holds its iterations, in which B is 2.4 % slower. */
export function aComparison(changes: Partial<Comparison> = {}): Comparison {
  return ofCommands({
    benchmark: 'sort',
    metric: 'time',
    metricReason: 'wall time, as asked',
    otherMetrics: [],
    runs: 30,
    pairs: 3000,
    resampled: { unit: 'run', count: 30 },
    iterationsPerRun: 100,
    discarded: { warmup: 600, outliers: 0, unpaired: 0 },
    shift: [0.1, 0.5, 0.9].map((quantile) => ({
      quantile,
      estimate: 1 + quantile / 10,
      low: 1 + quantile / 20,
      high: quantile === 0.9 ? Number.MAX_VALUE : 1 + quantile / 5,
    })),
    sides: { A: aSide({ command: './old sort' }), B: aSide({ command: './new sort' }) },
    ...changes,
  });
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
      each: 1,
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
