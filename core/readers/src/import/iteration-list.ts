import type { InvocationCounts, IterationColumns } from '@deadheat/model';
import { GrowingFloats } from '@deadheat/recording';
import { ImportError } from './import-error.ts';
import { largestAmount, nsPer } from '../grammar/units.ts';

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

/** Below this a time without a start is kept as that of a thousand invocations: measured time has a resolution of 1 ns. */
const shortNs = 1000;
const invocationsOfShort = 1000;

interface Columns {
  /** ns; of a thousand times as many invocations in a list with short ones. */
  readonly durations: Float64Array;
  readonly metrics: ReadonlyMap<string, Float64Array>;
}

interface Layout {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Whole numbers from 0, as many as the longest list has whose indices were asked for. */
let counted = new Float64Array(0);

/**
 * Iterations of one run. Where the file has no timestamps (`hasTimestamps`) they are laid out one behind the other from 0. Arrays are
 * made when they are first asked for.
 */
export class IterationList implements IterationColumns {
  /** Which side of its run was started first; `null` = the file does not say. */
  order: 'AB' | 'BA' | null = null;
  readonly #durations = new GrowingFloats();
  #starts: GrowingFloats | null = null;
  /** `null` = none yet: most lists have none. */
  #metrics: Map<string, GrowingFloats> | null = null;
  #warmup: Set<number> | null = null;
  #histograms: readonly InvocationCounts[] | null = null;
  #firstStartNs: number | null = null;
  #originNs = 0;
  #columns: Columns | null = null;
  #layout: Layout | null = null;

  get length(): number {
    return this.#durations.length;
  }
  /** True if start and end are the file's. */
  get hasTimestamps(): boolean {
    return this.#starts !== null;
  }
  get hasPhases(): boolean {
    return this.#warmup !== null;
  }
  get indices(): Float64Array {
    if (counted.length < this.length) counted = Float64Array.from({ length: this.length }, (_, index) => index);
    return counted.subarray(0, this.length);
  }
  get startsNs(): Float64Array {
    return this.#laidOut().starts;
  }
  get endsNs(): Float64Array {
    return this.#laidOut().ends;
  }
  /** Wall time of every iteration, ns, as the file gives it. */
  get durationsNs(): Float64Array {
    return this.#read().durations;
  }
  /** Iterations that are not marked as warm-up. */
  get measured(): number {
    return this.length - (this.#warmup?.size ?? 0);
  }
  /** First start on the file's own clock, ns; `null` where there is none. */
  get firstStartNs(): number | null {
    return this.#firstStartNs;
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
    const { durations, metrics } = this.#read();
    // Where the times are all that is known, the difference of the starts and ends that are laid out would round them.
    return metrics.get(key) ?? (key === 'w' && this.#starts === null ? durations : null);
  }

  /** Names of the numeric columns beside start and end: `n` (invocations), `c` (CPU time, ns) and the file's own. */
  get metrics(): readonly string[] {
    return [...this.#read().metrics.keys()];
  }

  /**
   * Appends an iteration. To be called before any column is asked for.
   *
   * @throws RangeError when only some iterations have a start; ImportError `MALFORMED_FILE` for a time that no clock measures
   */
  push({ durationNs, startNs = null, invocations = 1, warmup = false }: ImportedIteration): void {
    if (durationNs > longestNs) {
      const what = `A time in the file is ${durationNs} ns, and no clock measures more than ${longestNs} ns`;
      throw new ImportError('MALFORMED_FILE', `${what}. Check the times and their unit.`, { path: '' });
    }
    if (this.#columns !== null) throw new RangeError('an iteration behind those that were asked for');
    if ((startNs !== null) !== (this.#starts !== null)) {
      if (this.length > 0) throw new RangeError('only some iterations have a start');
      this.#starts = new GrowingFloats();
      this.#firstStartNs = startNs;
    }
    if (startNs !== null) this.#starts?.push(startNs);
    this.#durations.push(durationNs);
    if (invocations !== 1) this.setMetric('n', invocations);
    if (warmup) (this.#warmup ??= new Set()).add(this.length - 1);
  }

  /** Says that the file marks phases, even where no iteration is warm-up. */
  markPhases(): void {
    this.#warmup ??= new Set();
  }

  /** Sets a number of the last iteration; `c` is the CPU time, ns, of all its invocations together, another one that of an invocation. */
  setMetric(key: string, value: number): void {
    this.#column(key, this.length - 1).push(value);
  }

  /**
   * Lets the clock begin at `originNs` for all starts and ends: the ends of a clock that counts from 1970 are too coarse for times of
   * some hundred ns.
   */
  beginClockAt(originNs: number): void {
    if (originNs === this.#originNs) return;
    this.#originNs = originNs;
    this.#layout = null;
  }

  /** The numbers of a name, filled up to `length`. */
  #column(key: string, length: number): GrowingFloats {
    const metrics = (this.#metrics ??= new Map<string, GrowingFloats>());
    let values = metrics.get(key);
    if (values === undefined) {
      values = new GrowingFloats();
      metrics.set(key, values);
    }
    while (values.length < length) values.push(key === 'n' ? 1 : Number.NaN);
    return values;
  }

  #read(): Columns {
    if (this.#columns !== null) return this.#columns;
    const durations = this.#durations.toArray();
    const keys = [...(this.#metrics?.keys() ?? [])];
    const metrics = new Map(keys.map((key) => [key, this.#column(key, durations.length).toArray()]));
    this.#metrics = null;
    this.#columns = this.#starts === null ? scaled({ durations, metrics }) : { durations, metrics };
    return this.#columns;
  }

  #laidOut(): Layout {
    if (this.#layout !== null) return this.#layout;
    const { durations } = this.#read();
    const known = this.#starts?.toArray() ?? null;
    const starts = known ?? new Float64Array(durations.length);
    const ends = new Float64Array(durations.length);
    let end = 0;
    for (const [row, duration] of durations.entries()) {
      const start = known === null ? end : (known[row] ?? 0) - this.#originNs;
      starts[row] = start;
      end = start + duration;
      ends[row] = end;
    }
    this.#layout = { starts, ends };
    return this.#layout;
  }
}

/** Has every iteration hold a thousand times as many invocations if there are short ones. */
function scaled({ durations, metrics }: Columns): Columns {
  if (!durations.some((ns) => ns < shortNs)) return { durations, metrics };
  function times(values: Float64Array): Float64Array {
    return values.map((value) => value * invocationsOfShort);
  }
  const held = metrics.get('n') ?? new Float64Array(durations.length).fill(1);
  const cpuNs = metrics.get('c');
  return {
    durations: times(durations),
    metrics: new Map([...metrics, ['n', times(held)], ...(cpuNs === undefined ? [] : [['c', times(cpuNs)] as const])]),
  };
}
