import { checkInteger, checkOpen, checkSample } from '../internal/checks.ts';
import { IndexSource, indexBuffer } from '../resampling/index-source.ts';
import { sum } from '../samples/moments.ts';
import { type BootstrapOptions, percentileInterval, type Interval } from '../resampling/bootstrap.ts';

/** One run: when (since its start) what was measured. */
export interface TrendRun {
  readonly times: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** The level, and how often to resample. */
interface SlopeOptions extends BootstrapOptions {
  /** Nominal level in (0, 1); default 0.99. */
  readonly level?: number;
}

/** The common line through all runs and the interval of its slope. */
export interface SlopeInterval extends Interval {
  /** Unit of the values over unit of the times. */
  readonly slope: number;
  readonly intercept: number;
  /** Replicates without a slope (all their points at one time), which were drawn again. */
  readonly redrawn: number;
}

/**
 * Is there a trend within runs? The slope of the least-squares line through the points of all runs, with a percentile interval
 * from a bootstrap over runs: a run drawn twice counts twice, one line with a common intercept. No trend when it holds 0.
 *
 * @param runs at least one run; times and values finite, of equal length, at least two different times in all.
 * @returns with one run every replicate is the same line and the interval has no width.
 * @throws RangeError for no runs, empty runs, unequal lengths, NaN or infinite numbers, all times equal, a level outside (0, 1).
 *
 * Source: Antoch et al., OOPSLA'26, section 5 ("Checking trends"). Per run only five sums are kept: O(points + replicates runs).
 */
export function slopeInterval(runs: readonly TrendRun[], options: SlopeOptions): SlopeInterval {
  const { replicates, random, level = 0.99 } = options;
  checkInteger('replicates', replicates, 1);
  checkOpen('level', level);
  if (runs.length === 0) throw new RangeError('runs needs at least 1 run, got 0');
  runs.forEach(({ times, values }, r) => {
    checkSample(`runs[${r}].times`, times);
    checkSample(`runs[${r}].values`, values);
    if (times.length !== values.length) {
      throw new RangeError(`runs[${r}].values must have ${times.length} values like times, got ${values.length}`);
    }
  });
  const n = runs.length;
  const points = runs.reduce((total, run) => total + run.times.length, 0);
  // Sums about the grand means, so that large offsets cost no digits.
  const t0 = sum(Float64Array.from(runs, (run) => sum(run.times))) / points;
  const y0 = sum(Float64Array.from(runs, (run) => sum(run.values))) / points;
  const counts = Float64Array.from(runs, (run) => run.times.length);

  function about(run: TrendRun, f: (t: number, y: number) => number): number {
    return sum(Float64Array.from(run.times, (t, i) => f(t - t0, run.values[i]! - y0)));
  }

  const ts = Float64Array.from(runs, (run) => about(run, (t) => t));
  const ys = Float64Array.from(runs, (run) => about(run, (_, y) => y));
  const tts = Float64Array.from(runs, (run) => about(run, (t) => t * t));
  const tys = Float64Array.from(runs, (run) => about(run, (t, y) => t * y));
  const scale = sum(tts);

  function line(indices: Int32Array): number {
    let count = 0;
    let t = 0;
    let y = 0;
    let tt = 0;
    let ty = 0;
    for (let i = 0; i < n; i++) {
      const r = indices[i]!;
      count += counts[r]!;
      t += ts[r]!;
      y += ys[r]!;
      tt += tts[r]!;
      ty += tys[r]!;
    }
    const spread = tt - (t * t) / count;
    return spread > 1e-14 * scale ? (ty - (t * y) / count) / spread : Number.NaN;
  }

  const all = indexBuffer(n);
  for (let i = 0; i < n; i++) all[i] = i;
  const slope = line(all);
  if (Number.isNaN(slope)) throw new RangeError('runs must have at least two different times');

  const source = new IndexSource(random);
  const indices = indexBuffer(n);
  const slopes = new Float64Array(replicates);
  let redrawn = 0;
  for (let i = 0; i < replicates;) {
    source.fill(indices, n, n);
    const value = line(indices);
    if (Number.isNaN(value)) {
      redrawn++;
      continue;
    }
    slopes[i++] = value;
  }
  const { low, high } = percentileInterval(slopes, level);
  return { slope, intercept: y0 - slope * t0, low, high, level, redrawn };
}
