/** How long a benchmark is asked to run. */
export interface BenchmarkDimensions {
  /** Forks whose results are discarded, wf. */
  readonly warmupForks: number;
  /** Measured forks, f. */
  readonly forks: number;
  /** Warm-up iterations of a fork, wi, and how long each lasts, ns. */
  readonly warmupIterations: number;
  readonly warmupTimeNs: number;
  /** Measured iterations of a fork, mi, and how long each lasts, ns. */
  readonly iterations: number;
  readonly iterationTimeNs: number;
}

const secondNs = 1e9;

/** What JMH does unless it is told otherwise, by its version. Source: FSE'20, section 2. */
export const jmhDefaults: Readonly<Record<'1.20 and before' | '1.21 and later', BenchmarkDimensions>> = {
  '1.20 and before': {
    warmupForks: 0,
    forks: 10,
    warmupIterations: 20,
    warmupTimeNs: secondNs,
    iterations: 20,
    iterationTimeNs: secondNs,
  },
  '1.21 and later': {
    warmupForks: 0,
    forks: 5,
    warmupIterations: 5,
    warmupTimeNs: 10 * secondNs,
    iterations: 5,
    iterationTimeNs: 10 * secondNs,
  },
};

/** How long a benchmark runs, ns. */
export interface BenchmarkTime {
  /** t_w = wf (wi wt + mi mt) + f wi wt. */
  readonly warmupNs: number;
  /** t_m = f mi mt. */
  readonly measurementNs: number;
  /** t = t_w + t_m + t_fix. */
  readonly totalNs: number;
}

/**
 * How long one parameter combination of a benchmark runs.
 *
 * @param fixturesNs t_fix: time in its fixtures, over all forks, ns.
 * @throws RangeError for numbers below 0.
 * Source: FSE'20, section 2.
 */
export function benchmarkTime(dimensions: BenchmarkDimensions, fixturesNs = 0): BenchmarkTime {
  for (const [name, value] of Object.entries({ ...dimensions, fixturesNs } as Record<string, number>)) {
    if (!(value >= 0 && value < Infinity)) throw new RangeError(`${name} must be at least 0 and finite, got ${value}`);
  }
  const { warmupForks, forks, warmupIterations, warmupTimeNs, iterations, iterationTimeNs } = dimensions;
  const [warmup, measured] = [warmupIterations * warmupTimeNs, iterations * iterationTimeNs];
  const warmupNs = warmupForks * (warmup + measured) + forks * warmup;
  const measurementNs = forks * measured;
  return { warmupNs, measurementNs, totalNs: warmupNs + measurementNs + fixturesNs };
}

/**
 * How long a suite runs, T: the sum over benchmarks and their parameter combinations, ns.
 *
 * @param benchmarks how long a parameter combination runs, ns, and how many of them there are (1 = none).
 * Source: FSE'20, section 2.
 */
export function suiteTimeNs(benchmarks: readonly { readonly timeNs: number; readonly combinations: number }[]): number {
  return benchmarks.reduce((sum, { timeNs, combinations }) => sum + timeNs * combinations, 0);
}

/** How the times of benchmarks lie against the default; shares of the benchmarks. */
export interface TimesAgainstDefault {
  /** Run for less, at most 1/5 and at most 1/10 of the default. */
  readonly decreased: number;
  readonly fivefold: number;
  readonly tenfold: number;
  /** Run for longer. */
  readonly increased: number;
}

/** Times are measured ones: within this share of the default a benchmark is as long. */
const about = 0.01;

/**
 * How many benchmarks run for less than a default, as developers set them to, and how much less. As long: within 1 % of it, which is
 * ours, since measured times are never equal.
 *
 * @param timesNs of each parameter combination, at least one.
 * @throws RangeError without times.
 * Source: FSE'20, section 3.3, figure 2b.
 */
export function timesAgainstDefault(timesNs: readonly number[], defaultNs: number): TimesAgainstDefault {
  if (timesNs.length === 0) throw new RangeError('no times to compare with a default');
  const shareOf = (holds: (timeNs: number) => boolean): number =>
    timesNs.filter((timeNs) => holds(timeNs)).length / timesNs.length;
  return {
    decreased: shareOf((timeNs) => timeNs < defaultNs * (1 - about)),
    fivefold: shareOf((timeNs) => defaultNs >= 5 * timeNs),
    tenfold: shareOf((timeNs) => defaultNs >= 10 * timeNs),
    increased: shareOf((timeNs) => timeNs > defaultNs * (1 + about)),
  };
}
