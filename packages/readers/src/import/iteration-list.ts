import type { InvocationCounts, IterationColumns } from '@deadheat/model';
import { ImportError } from './import-error.ts';
import { largestAmount, nsPer } from './units.ts';

/** An iteration as a file gives it. */
export interface ImportedIteration {
  /** Wall time of the whole iteration, all its invocations together, ns. */
  readonly durationNs: number;
  /** Start, ns of the file's own clock; `null` where the file has none. Every iteration of a list has one, or none has. */
  readonly startNs?: number | null;
  /** Invocations that the iteration held; 1 when absent. */
  readonly invocations?: number;
  readonly warmup?: boolean;
}

/** Longest time of an iteration, ns: {@link largestAmount} in seconds. */
const longestNs = largestAmount * nsPer.s;

function checkTime(durationNs: number): void {
  if (durationNs <= longestNs || Number.isNaN(durationNs)) return;
  throw new ImportError(
    'MALFORMED_FILE',
    `A time in the file is ${durationNs} ns, and no clock measures more than ${longestNs} ns. Check the times and their unit.`,
    { path: '' },
  );
}

/** Below this a time without a start is kept as that of a thousand invocations: measured time has a resolution of 1 ns. */
const shortNs = 1000;
const invocationsOfShort = 1000;

/**
 * Iterations of one run as they were read. Where the file has no timestamps the iterations are laid out one behind the
 * other from 0; `hasTimestamps` tells. Starts and ends are made when first asked for, so that reading a large file costs
 * 8 bytes an iteration.
 */
export class IterationList implements IterationColumns {
  #durations = new GrowingFloats();
  #starts: GrowingFloats | null = null;
  #metrics: Map<string, GrowingFloats> | null = null;
  #warmup: Set<number> | null = null;
  #length = 0;
  #originNs = 0;
  /** Invocations of every iteration where the list was made of all of them at once; `null` = as `n` of the metrics says. */
  #allHold: number | null = null;
  /** What the last iteration was multiplied by. */
  #scale = 1;
  #layout: { readonly starts: Float64Array; readonly ends: Float64Array } | null = null;
  #indices: Float64Array | null = null;
  #histograms: readonly InvocationCounts[] | null = null;

  /**
   * Iterations of which nothing but their times is known, and how many invocations each of them is of. The arrays
   * become the list's.
   *
   * @param invocations `null` = one each
   */
  static of(durationsNs: Float64Array, invocations: Float64Array | null): IterationList {
    for (const durationNs of durationsNs) checkTime(durationNs);
    const list = new IterationList();
    if (durationsNs.some((ns) => ns < shortNs)) {
      for (const [row, ns] of durationsNs.entries()) durationsNs[row] = ns * invocationsOfShort;
      if (invocations === null) list.#allHold = invocationsOfShort;
      else for (const [row, count] of invocations.entries()) invocations[row] = count * invocationsOfShort;
    }
    list.#durations = GrowingFloats.of(durationsNs);
    list.#length = durationsNs.length;
    if (invocations !== null) list.#metrics = new Map([['n', GrowingFloats.of(invocations)]]);
    return list;
  }

  get length(): number {
    return this.#length;
  }
  /** Whether start and end are the file's. */
  get hasTimestamps(): boolean {
    return this.#starts !== null;
  }
  get hasPhases(): boolean {
    return this.#warmup !== null;
  }
  get indices(): Float64Array {
    return (this.#indices ??= Float64Array.from({ length: this.#length }, (_, index) => index));
  }
  get startsNs(): Float64Array {
    return this.#laidOut().starts;
  }
  get endsNs(): Float64Array {
    return this.#laidOut().ends;
  }
  /** Wall time of every iteration, ns, as the file gives it. */
  get durationsNs(): Float64Array {
    return this.#durations.toArray();
  }
  /** Iterations that are not marked as warm-up. */
  get measured(): number {
    return this.#length - (this.#warmup?.size ?? 0);
  }

  histogram(row: number): InvocationCounts | null {
    return this.#histograms?.[row] ?? null;
  }

  /** Gives every iteration the histogram of its invocations, ns. */
  setHistograms(histograms: readonly InvocationCounts[]): void {
    this.#histograms = histograms;
  }

  isWarmup(row: number): boolean {
    return this.#warmup?.has(row) ?? false;
  }

  metric(key: string): Float64Array | null {
    // Where the times are all that is known, the difference of the starts and ends that are laid out would round them.
    if (key === 'w' && this.#starts === null) return this.#durations.toArray();
    if (key === 'n' && this.#allHold !== null) return new Float64Array(this.#length).fill(this.#allHold);
    const values = this.#metrics?.get(key);
    if (values === undefined) return null;
    while (values.length < this.#length) values.push(key === 'n' ? 1 : Number.NaN);
    return values.toArray();
  }

  /** Names of the numeric columns beside start and end: `n` (invocations), `c` (CPU time, ns) and the file's own. */
  get metrics(): readonly string[] {
    return [...(this.#allHold === null ? [] : ['n']), ...(this.#metrics?.keys() ?? [])];
  }

  /**
   * Appends an iteration.
   *
   * @throws RangeError when only some iterations have a start; ImportError `MALFORMED_FILE` for a time that no clock measures
   */
  push({ durationNs, startNs = null, invocations = 1, warmup = false }: ImportedIteration): void {
    checkTime(durationNs);
    if (startNs !== null) {
      if (this.#starts === null && this.#length > 0) throw new RangeError('only some iterations have a start');
      (this.#starts ??= new GrowingFloats()).push(startNs);
    } else if (this.#starts !== null) throw new RangeError('only some iterations have a start');
    this.#scale = startNs === null && durationNs < shortNs ? invocationsOfShort : 1;
    this.#durations.push(durationNs * this.#scale);
    this.#length += 1;
    if (invocations * this.#scale !== 1) this.setMetric('n', invocations * this.#scale);
    if (warmup) (this.#warmup ??= new Set()).add(this.#length - 1);
  }

  /** Says that the file marks phases, even where no iteration is warm-up. */
  markPhases(): void {
    this.#warmup ??= new Set();
  }

  /** Sets a number of the last iteration; `c` is the CPU time, ns, of all its invocations together. */
  setMetric(key: string, value: number): void {
    const metrics = (this.#metrics ??= new Map<string, GrowingFloats>());
    let values = metrics.get(key);
    if (values === undefined) {
      values = new GrowingFloats();
      metrics.set(key, values);
    }
    while (values.length < this.#length - 1) values.push(key === 'n' ? 1 : Number.NaN);
    values.push(key === 'c' ? value * this.#scale : value);
  }

  /** First start on the file's own clock, ns; `null` where there is none. */
  get firstStartNs(): number | null {
    return this.#starts === null || this.#length === 0 ? null : (this.#starts.toArray()[0] ?? null);
  }

  /**
   * Lets the clock begin at `originNs` for all starts and ends: a clock that counts from 1970 has ends too coarse to tell
   * times of some hundred ns apart. To be called before starts or ends are asked for.
   */
  beginClockAt(originNs: number): void {
    this.#originNs = originNs;
    this.#layout = null;
  }

  #laidOut(): { readonly starts: Float64Array; readonly ends: Float64Array } {
    if (this.#layout !== null) return this.#layout;
    const durations = this.#durations.toArray();
    const starts = this.#starts?.toArray().map((start) => start - this.#originNs) ?? new Float64Array(durations.length);
    const ends = new Float64Array(durations.length);
    let end = 0;
    for (const [row, duration] of durations.entries()) {
      if (this.#starts === null) starts[row] = end;
      end = (starts[row] ?? 0) + duration;
      ends[row] = end;
    }
    this.#layout = { starts, ends };
    return this.#layout;
  }
}

const chunkLength = 8192;
const firstLength = 16;

/**
 * Numbers whose count is not known beforehand; never holds more than one chunk too much. As long as all are the same number
 * it is kept once.
 */
class GrowingFloats {
  #full: Float64Array[] | null = null;
  #last: Float64Array | null = null;
  /** In `#last`; without it how often `#same` was pushed. */
  #filled = 0;
  #same = Number.NaN;

  /** Numbers that are all there already; the array becomes theirs. */
  static of(values: Float64Array): GrowingFloats {
    const floats = new GrowingFloats();
    floats.#last = values;
    floats.#filled = values.length;
    return floats;
  }

  get length(): number {
    return (this.#full?.reduce((sum, { length }) => sum + length, 0) ?? 0) + this.#filled;
  }

  push(value: number): void {
    if (this.#last === null) {
      if (this.#filled === 0) this.#same = value;
      if (this.#same === value) {
        this.#filled += 1;
        return;
      }
      this.#spread();
    }
    let last = this.#last ?? new Float64Array(firstLength);
    if (this.#filled === last.length) last = this.#grown(last);
    last[this.#filled++] = value;
    this.#last = last;
  }

  /** All values in one array. */
  toArray(): Float64Array {
    if (this.#last === null) return new Float64Array(this.#filled).fill(this.#same);
    if (this.#full !== null) {
      const all = new Float64Array(this.length);
      let at = 0;
      for (const chunk of this.#full) {
        all.set(chunk, at);
        at += chunk.length;
      }
      all.set(this.#last.subarray(0, this.#filled), at);
      this.#full = null;
      this.#last = all;
      this.#filled = all.length;
    }
    return this.#last.subarray(0, this.#filled);
  }

  /** Replaces the one number by several. */
  #spread(): void {
    const count = this.#filled;
    this.#last = new Float64Array(firstLength);
    this.#filled = 0;
    for (let k = 0; k < count; k++) this.push(this.#same);
  }

  /** Room for one more at the least. */
  #grown(last: Float64Array): Float64Array {
    if (last.length >= chunkLength) {
      (this.#full ??= []).push(last);
      this.#filled = 0;
      return new Float64Array(chunkLength);
    }
    const longer = new Float64Array(Math.max(firstLength, last.length * 2));
    longer.set(last);
    return longer;
  }
}
