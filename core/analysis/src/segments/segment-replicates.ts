import { createRandom, hierarchicalBootstrap, mean, type FlatSample, type Random } from '@deadheat/stats';

/** Computation of the interval of a grand mean. */
export interface IntervalMethod {
  /**
   * `aware`: mean of run means of segment means, and the variance from components (appendix A.2); `ignorant`: every measurement of a
   * run has the same weight, and the variance is that of run means (A.1).
   */
  readonly segments: 'aware' | 'ignorant';
  /** `normal`, `t`: analytical, with that quantile (runs - 1 degrees of freedom); `resampling`: expanded percentile. */
  readonly kind: 'normal' | 't' | 'resampling';
}

/** Replicates that share a stream. Part of the result's definition: another number gives other draws. */
const replicatesOfStream = 128;

type Options = Pick<Parameters<typeof hierarchicalBootstrap>[1], 'replicates' | 'random' | 'part'>;

/** Groups of measurements and, of three levels, which of them belong to which run. */
interface Groups {
  readonly means: readonly ResampledMean[];
  readonly runStarts: Int32Array | null;
}

function groupsOf({ values, offsets }: FlatSample): Groups {
  const starts = offsets.at(-1)!;
  const means: ResampledMean[] = [];
  for (let g = 1; g < starts.length; g++) means.push(resampledMean(values.subarray(starts[g - 1], starts[g])));
  return { means, runStarts: offsets.length > 1 ? offsets[0]! : null };
}

function replicate({ means, runStarts }: Groups, random: Random): number {
  const runs = runStarts === null ? means.length : runStarts.length - 1;
  let total = 0;
  for (let r = 0; r < runs; r++) {
    const run = random.int(runs);
    if (runStarts === null) {
      total += means[run]!.draw(random);
      continue;
    }
    const first = runStarts[run]!;
    const segments = runStarts[run + 1]! - first;
    let sum = 0;
    for (let s = 0; s < segments; s++) sum += means[first + random.int(segments)]!.draw(random);
    total += sum / segments;
  }
  return total / runs;
}

/** `hierarchicalBootstrap` with the means of groups drawn by `resampledMean`. */
function drawGroups(groups: Groups, { replicates, random, part = { index: 0, of: 1 } }: Options): Float64Array {
  const chunks = Math.ceil(replicates / replicatesOfStream);
  const firstChunk = Math.floor((chunks * part.index) / part.of);
  const endChunk = Math.floor((chunks * (part.index + 1)) / part.of);
  const first = firstChunk * replicatesOfStream;
  const out = new Float64Array(Math.min(endChunk * replicatesOfStream, replicates) - first);
  const seed = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  for (let chunk = firstChunk; chunk < endChunk; chunk++) {
    const own = createRandom(seed + BigInt(chunk));
    const start = chunk * replicatesOfStream - first;
    for (let k = start; k < Math.min(start + replicatesOfStream, out.length); k++) out[k] = replicate(groups, own);
  }
  return out;
}

/**
 * Bootstrap replicates of the grand mean. `aware`: runs are drawn, in each its segments, in each its measurements; `ignorant`: runs are
 * drawn, and in each its measurements whatever their segment.
 *
 * Where most measurements stand in groups so large that the mean of a resampled group is as good as normal, such a mean is drawn at once
 * (`resampledMean` says when and how close that is); a benchmark of 10 runs of 3 000 measurements then takes a hundredth of the time.
 *
 * @param sample runs of segments of measurements.
 * @param options as `hierarchicalBootstrap`; `part` shares the work between workers.
 * @throws RangeError as `hierarchicalBootstrap`.
 * Source: Antoch et al., OOPSLA'26, section 5.2. O(replicates times values), where groups are large O(replicates times segments).
 */
export function segmentReplicates(
  sample: FlatSample,
  segments: IntervalMethod['segments'],
  options: Options,
): Float64Array {
  const [runStarts, segmentStarts] = sample.offsets;
  const levels: FlatSample =
    segments === 'aware'
      ? sample
      : { values: sample.values, offsets: [Int32Array.from(runStarts!, (place) => segmentStarts![place]!)] };
  const groups = groupsOf(levels);
  const drawnAtOnce = groups.means.reduce((sum, { atOnce, size }) => sum + (atOnce ? size : 0), 0);
  if (2 * drawnAtOnce < sample.values.length) return hierarchicalBootstrap(levels, options);
  // A single replicate costs nothing and refuses bad input with the same words.
  hierarchicalBootstrap(levels, { ...options, replicates: Math.min(options.replicates, 1), random: createRandom(0) });
  return drawGroups(groups, options);
}

/** Fewest values, and most skewness of their resampled mean, with which the mean is drawn from its limit. */
const enough = 30;
const mostSkewness = 0.25;
/** Number of values furthest from the mean that may be drawn one by one, so that the rest is near enough to its limit. */
const drawnApart = [0, 8, 32, 128] as const;

/** The mean of as many values as a group has, drawn from it with replacement. */
interface ResampledMean {
  /** Values in the group. */
  readonly size: number;
  /** True if `draw` needs far fewer draws than the group has values. */
  readonly atOnce: boolean;
  readonly draw: (random: Random) => number;
}

/** The rest of a group without its extremes, as deviations from the group's mean. */
interface Bulk {
  readonly centre: number;
  /** Standard deviation, divisor n, and skewness. */
  readonly spread: number;
  readonly skewness: number;
}

function bulkOf(deviations: Float64Array): Bulk {
  const centre = mean(deviations);
  let squares = 0;
  let cubes = 0;
  for (const deviation of deviations) {
    const away = deviation - centre;
    squares += away * away;
    cubes += away * away * away;
  }
  const spread = Math.sqrt(squares / deviations.length);
  return { centre, spread, skewness: spread === 0 ? 0 : cubes / deviations.length / spread ** 3 };
}

/** A draw of the binomial distribution, by inversion; fast and exact for n p up to some hundreds. */
function drawBinomial(n: number, p: number, random: Random): number {
  const odds = p / (1 - p);
  let left = random.next();
  let chance = Math.exp(n * Math.log1p(-p));
  let count = 0;
  while (left >= chance && count < n) {
    left -= chance;
    chance *= ((n - count) / (count + 1)) * odds;
    count++;
  }
  return count;
}

/** The split of a group with the fewest extremes whose rest is near its limit; `null` where there is none. */
function split(byDistance: Float64Array): { readonly apart: Float64Array; readonly bulk: Bulk } | null {
  const n = byDistance.length;
  for (const k of drawnApart) {
    if (n < enough || 4 * k > n) return null;
    const bulk = bulkOf(byDistance.subarray(k));
    if (Math.abs(bulk.skewness) <= mostSkewness * Math.sqrt(n - k)) return { apart: byDistance.subarray(0, k), bulk };
  }
  return null;
}

/**
 * Prepares the resampled mean of a group. Of at least 30 values, the mean is drawn from its normal limit with the first Cornish-Fisher
 * term, mean + error (z + skewness (z^2 - 1) / 6), where its skewness is at most 0.25. Where a few values far out make it more skewed than
 * that, they are drawn one by one, a binomial number of them, and the limit serves for the rest. What that leaves out is of the order of
 * 1/n in the shape of the distribution; mean and variance are exact. Other groups are drawn value by value.
 *
 * Source: P. Hall, The Bootstrap and Edgeworth Expansion (1992), section 2.5; that extremes are set apart is ours.
 */
export function resampledMean(values: Float64Array): ResampledMean {
  const size = values.length;
  const centre = mean(values);
  if (values.every((value) => value === values[0])) return { size, atOnce: true, draw: () => centre };
  const byDistance = values.map((value) => value - centre).toSorted((a, b) => Math.abs(b) - Math.abs(a));
  const parts = split(byDistance);
  if (parts === null) {
    return {
      size,
      atOnce: false,
      draw: (random) => {
        let sum = 0;
        for (let i = 0; i < size; i++) sum += values[random.int(size)]!;
        return sum / size;
      },
    };
  }
  const { apart, bulk } = parts;
  const bend = bulk.skewness / 6;
  return {
    size,
    atOnce: true,
    draw: (random) => {
      const count = apart.length === 0 ? 0 : drawBinomial(size, apart.length / size, random);
      let sum = 0;
      for (let i = 0; i < count; i++) sum += apart[random.int(apart.length)]!;
      const rest = size - count;
      const z = random.normal();
      sum += rest * bulk.centre + bulk.spread * (Math.sqrt(rest) * z + bend * (z * z - 1));
      return centre + sum / size;
    },
  };
}
