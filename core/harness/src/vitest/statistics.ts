import { tQuantile975 } from '../table-printer.ts';

/** Result of a task as tinybench 2 has it, ms an invocation. */
export interface TinybenchStatistics {
  readonly totalTime: number;
  readonly min: number;
  readonly max: number;
  readonly hz: number;
  readonly period: number;
  /** Ascending; vitest empties it when samples are not to be kept. */
  readonly samples: number[];
  readonly mean: number;
  readonly variance: number;
  readonly sd: number;
  readonly sem: number;
  readonly df: number;
  readonly critical: number;
  readonly moe: number;
  /** Half of the mean's 95 % interval, % of the mean. */
  readonly rme: number;
  readonly p75: number;
  readonly p99: number;
  readonly p995: number;
  readonly p999: number;
}

/**
 * Sums up the iterations of a benchmark.
 *
 * @param timesNs one an iteration, ns an invocation; without any, all numbers are 0
 */
export function tinybenchStatistics(timesNs: readonly number[], invocations: number): TinybenchStatistics {
  const samples = timesNs.map((time) => time / 1e6).toSorted((a, b) => a - b);
  const n = samples.length;
  const sum = samples.reduce((total, sample) => total + sample, 0);
  const mean = n === 0 ? 0 : sum / n;
  const df = Math.max(0, n - 1);
  const variance = df === 0 ? 0 : samples.reduce((total, sample) => total + (sample - mean) ** 2, 0) / df;
  const sd = Math.sqrt(variance);
  const sem = n === 0 ? 0 : sd / Math.sqrt(n);
  const critical = df === 0 ? 0 : tQuantile975(df);
  const moe = sem * critical;

  function at(p: number): number {
    return samples[Math.max(0, Math.ceil(p * n) - 1)] ?? 0;
  }

  return {
    totalTime: sum * invocations,
    min: at(0),
    max: at(1),
    hz: mean === 0 ? 0 : 1000 / mean,
    period: mean,
    samples,
    mean,
    variance,
    sd,
    sem,
    df,
    critical,
    moe,
    rme: mean === 0 ? 0 : (moe / mean) * 100,
    p75: at(0.75),
    p99: at(0.99),
    p995: at(0.995),
    p999: at(0.999),
  };
}
