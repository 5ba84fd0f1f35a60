/** Times as mitata's results have them, ns an invocation. */
export interface MitataStatistics {
  readonly kind: 'fn' | 'iter' | 'yield';
  readonly debug: string;
  readonly ticks: number;
  readonly samples: number[];
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p99: number;
  readonly p999: number;
}

/** `times`: one an iteration, ns an invocation; NaN everywhere without any. */
export function mitataStatistics(
  kind: MitataStatistics['kind'],
  times: readonly number[],
  invocations: number,
): MitataStatistics {
  const samples = times.toSorted((a, b) => a - b);
  const at = (p: number): number => samples[Math.trunc(p * (samples.length - 1))] ?? Number.NaN;
  return {
    kind,
    debug: '',
    ticks: samples.length * invocations,
    samples,
    min: at(0),
    max: at(1),
    avg: samples.reduce((sum, time) => sum + time, 0) / samples.length,
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p99: at(0.99),
    p999: at(0.999),
  };
}
