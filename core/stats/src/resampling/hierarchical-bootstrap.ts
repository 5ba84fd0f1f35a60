import { checkChoice, checkInteger } from '../internal/checks.ts';
import { flattenSample, type FlatSample, type NestedSample } from './hierarchy.ts';
import { IndexSource, indexBuffer } from './index-source.ts';
import { createRandom, type Random } from '../random/create-random.ts';
import type { BootstrapOptions } from './bootstrap.ts';

/** Values laid out for drawing by ten random bits: each group as often as it fits into 1024 places, zeros behind. */
interface DrawTable {
  readonly values: Float64Array;
  /** For each group its number of places before the zeros, or 0 where a table does not pay. */
  readonly limits: Int32Array;
  /** Where each group's table begins. */
  readonly bases: Int32Array;
}

const tablePlaces = 1024;
// More memory than this is not worth the speed.
const mostPlaces = 4_000_000;

/** Tables pay for groups of 64 to 1024 values of which 1024 places waste at most one in eight. O(values). */
function drawTable(values: Float64Array, starts: Int32Array): DrawTable {
  const groups = starts.length - 1;
  const limits = new Int32Array(groups);
  const bases = new Int32Array(groups);
  let size = 0;
  for (let g = 0; g < groups; g++) {
    const n = starts[g + 1]! - starts[g]!;
    const limit = n < 64 || n > tablePlaces ? 0 : tablePlaces - (tablePlaces % n);
    if (limit < (tablePlaces * 7) / 8 || size + tablePlaces > mostPlaces) continue;
    limits[g] = limit;
    bases[g] = size;
    size += tablePlaces;
  }
  const table = new Float64Array(size);
  for (let g = 0; g < groups; g++) {
    const part = values.subarray(starts[g], starts[g + 1]);
    for (let at = 0; at < limits[g]!; at += part.length) table.set(part, bases[g]! + at);
  }
  return { values: table, limits, bases };
}

/** Options of resampling a hierarchy. */
export interface HierarchicalOptions extends BootstrapOptions {
  /**
   * Number of levels that are resampled, from the top: 1 = the runs only, 2 = runs and segments, 3 = all three.
   * Default: all levels of the sample. The levels below keep their values.
   */
  readonly levels?: number;
  /**
   * 'equal' (default): mean of run means of segment means, every child with the weight of its siblings; 'pooled': mean of all
   * drawn values, so that longer runs count more.
   */
  readonly weights?: 'equal' | 'pooled';
  /**
   * Draw only a part of the replicates, for one of several workers: `{index: 0, of: 2}` the first half. Each worker passes a
   * stream in the same state (the same seed); the parts in order are bit for bit what one call without `part` gives.
   */
  readonly part?: { readonly index: number; readonly of: number };
}

// Replicates that share a stream. Part of the result's definition: another number gives other draws.
const chunkSize = 128;

/** Computes a replicate: draws the nodes of a level with replacement, and the content of each drawn node separately. */
class Resampler {
  readonly #values: Float64Array;
  readonly #offsets: readonly Int32Array[];
  readonly #levels: number;
  readonly #pooled: boolean;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;
  readonly #indices: Int32Array[];
  readonly #table: DrawTable;
  #source: IndexSource;
  #drawn = 0;

  constructor(sample: FlatSample, levels: number, pooled: boolean, random: Random) {
    this.#levels = levels;
    this.#pooled = pooled;
    this.#source = new IndexSource(random);
    this.#offsets = sample.offsets.slice(0, levels - 1);
    const kept = sample.offsets.slice(levels - 1);
    // Levels that are not resampled are reduced to one leaf: its mean (equal weights), or its sum and count (pooled).
    let sums = sample.values;
    let counts: Float64Array = new Float64Array(0);
    for (let level = kept.length - 1; level >= 0; level--) {
      const starts = kept[level]!;
      const nextSums = new Float64Array(starts.length - 1);
      const nextCounts = new Float64Array(starts.length - 1);
      for (let i = 0; i < nextSums.length; i++) {
        for (let j = starts[i]!; j < starts[i + 1]!; j++) {
          nextSums[i]! += sums[j]!;
          nextCounts[i]! += counts.length === 0 || !pooled ? 1 : counts[j]!;
        }
        if (!pooled) nextSums[i]! /= nextCounts[i]!;
      }
      sums = nextSums;
      counts = nextCounts;
    }
    this.#values = sums;
    this.#sums = sums;
    this.#counts = pooled ? counts : new Float64Array(0);
    const leaves = this.#offsets[levels - 2] ?? Int32Array.of(0, sums.length);
    this.#table = drawTable(sums, leaves);

    function widest(starts: Int32Array): number {
      let most = starts.length - 1;
      for (let i = 1; i < starts.length; i++) most = Math.max(most, starts[i]! - starts[i - 1]!);
      return most;
    }

    const size = Math.max(sums.length, ...this.#offsets.map(widest));
    this.#indices = Array.from({ length: levels }, () => indexBuffer(size));
  }

  use(random: Random): void {
    this.#source = new IndexSource(random);
  }

  replicate(): number {
    const top = this.#offsets[0];
    this.#drawn = 0;
    const total = this.#draw(0, 0, 0, top === undefined ? this.#values.length : top.length - 1);
    return this.#pooled ? total / this.#drawn : total;
  }

  /** Sum of n values drawn from the values of a lowest group. */
  #leaf(group: number, start: number, n: number): number {
    const limit = this.#table.limits[group]!;
    if (limit > 0) return this.#source.sumTable(this.#table.values, this.#table.bases[group]!, limit, n);
    return this.#source.sum(this.#values, start, n, n);
  }

  /**
   * Mean (equal weights) or sum (pooled) of the values drawn from the nodes start..end of a level, the children of
   * `parent`.
   */
  #draw(level: number, parent: number, start: number, end: number): number {
    const n = end - start;
    if (level === this.#levels - 1) {
      if (!this.#pooled) return this.#leaf(parent, start, n) / n;
      if (this.#counts.length === 0) {
        this.#drawn += n;
        return this.#leaf(parent, start, n);
      }
    }
    const indices = this.#indices[level]!;
    this.#source.fill(indices, n, n);
    let total = 0;
    if (level === this.#levels - 1) {
      for (let i = 0; i < n; i++) {
        total += this.#sums[start + indices[i]!]!;
        this.#drawn += this.#counts[start + indices[i]!]!;
      }
      return total;
    }
    const starts = this.#offsets[level]!;
    for (let i = 0; i < n; i++) {
      const node = start + indices[i]!;
      total += this.#draw(level + 1, node, starts[node]!, starts[node + 1]!);
    }
    return this.#pooled ? total : total / n;
  }
}

/**
 * Bootstrap replicates of the mean of a hierarchy: runs are drawn with replacement, in each drawn run its segments, in each
 * drawn segment its measurements; a node drawn twice is resampled twice, independently.
 *
 * @param sample `runs[r][m]`, `runs[r][s][m]` or the flat form; at least one value in every group, finite, any unit. Groups may
 *   differ in size. One run with one measurement gives the same replicate every time.
 * @returns the replicates, in the unit of the values. One seed is drawn from the stream, and every 128 replicates have a stream
 *   of their own made from it, so the result depends on the seed only, not on how the work is divided (see `part`).
 * @throws RangeError for empty groups, unequal depth, NaN or infinite values, fewer than one replicate, more levels than the
 *   sample has, a part outside 0..of - 1.
 *
 * Two levels with equal weights are OOPSLA'26's "runs only" (section 5.2, give each run's measurements without segments), three
 * its "segments and runs"; fork, iteration, invocation with pooled weights is FSE'20's hierarchy (section 4.2). For a ratio of
 * two versions divide the replicates of two independent streams: `ratioReplicates`. With few runs use
 * `expandedPercentileInterval` with n = number of runs.
 * Source: A. C. Davison, D. V. Hinkley (1997), section 3.8. O(replicates times values), a few nanoseconds a draw; memory: the
 * values and the replicates.
 */
export function hierarchicalBootstrap(sample: NestedSample | FlatSample, options: HierarchicalOptions): Float64Array {
  const flat = flattenSample('sample', sample);
  const { replicates, random, weights = 'equal', part = { index: 0, of: 1 } } = options;
  const levels = checkInteger('levels', options.levels ?? flat.offsets.length + 1, 1, flat.offsets.length + 1);
  checkInteger('replicates', replicates, 1);
  checkInteger('part.of', part.of, 1);
  checkInteger('part.index', part.index, 0, part.of - 1);
  checkChoice('weights', weights, ['equal', 'pooled']);
  const chunks = Math.ceil(replicates / chunkSize);
  const firstChunk = Math.floor((chunks * part.index) / part.of);
  const endChunk = Math.floor((chunks * (part.index + 1)) / part.of);
  const first = firstChunk * chunkSize;
  const out = new Float64Array(Math.min(endChunk * chunkSize, replicates) - first);
  const seed = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  const resampler = new Resampler(flat, levels, weights === 'pooled', random);
  for (let chunk = firstChunk; chunk < endChunk; chunk++) {
    resampler.use(createRandom(seed + BigInt(chunk)));
    const start = chunk * chunkSize - first;
    const end = Math.min(start + chunkSize, out.length);
    for (let i = start; i < end; i++) out[i] = resampler.replicate();
  }
  return out;
}
