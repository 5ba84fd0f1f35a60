import type { InvocationCounts, IterationColumns } from '@deadheat/model';
import { bytesOf, GrowingFloats, keepColumns, shortColumnBytes, type ColumnOwner } from '@deadheat/model/columns';
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

/** What was read of a list, as it is asked for. */
interface Columns {
  /** ns; of a thousand times as many invocations in a list with short ones. */
  readonly durations: Float64Array;
  readonly metrics: ReadonlyMap<string, Float64Array>;
}

interface Layout {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Numbers that take more than this share of their columns are not worth keeping beside them. */
const mostPackedShare = 5 / 8;

/** Whole numbers from 0, as many as the longest list that was asked for its indices has. */
let counted = new Float64Array(0);

/**
 * Iterations of one run as they were read. Where the file has no timestamps the iterations are laid out one behind the
 * other from 0; `hasTimestamps` tells. Arrays are made when they are first asked for, so that reading a large file costs
 * at most 8 bytes a number.
 */
export class IterationList implements IterationColumns, ColumnOwner {
  /** Which side of its run was started first; `null` = the file does not say. */
  order: 'AB' | 'BA' | null = null;
  #durations = new GrowingFloats();
  #starts: GrowingFloats | null = null;
  /** `null` = none yet: most lists have none. */
  #metrics: Map<string, GrowingFloats> | null = null;
  #warmup: Set<number> | null = null;
  #group: number;
  #open: Group | null = null;
  #firstStartNs: number | null = null;
  #originNs = 0;
  #columns: Columns | null = null;
  #layout: Layout | null = null;
  /** Whether a column was asked for: no iteration may come. */
  #isRead = false;
  #histograms: readonly InvocationCounts[] | null = null;

  /** @param group As that of the property, of a list without starts. */
  constructor(group = 1) {
    this.#group = group;
  }

  /**
   * Iterations of which nothing but their times is known, and how many invocations each of them is of. The arrays
   * become the list's.
   *
   * @param invocations `null` = one each
   */
  static of(durationsNs: Float64Array, invocations: Float64Array | null): IterationList {
    for (const durationNs of durationsNs) checkTime(durationNs);
    const list = new IterationList();
    list.#isRead = true;
    list.#columns = scaled({
      durations: durationsNs,
      metrics: invocations === null ? new Map() : new Map([['n', invocations]]),
    });
    return list;
  }

  get length(): number {
    return this.#columns?.durations.length ?? this.#durations.length + (this.#open === null ? 0 : 1);
  }
  /** How many iterations of the file an iteration here stands for; the last may stand for fewer. */
  get group(): number {
    return this.#group;
  }
  /** What the numbers take that merging makes fewer; 0 where iterations have starts or phases. */
  get mergeableBytes(): number {
    return this.#canMerge ? this.#packedBytes : 0;
  }
  /** Whether start and end are the file's. */
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
  /** End of the last iteration, ns, 0 without any; of a list with starts no column is made for it. */
  get lastEndNs(): number {
    if (this.#starts === null || this.length === 0) return this.endsNs.at(-1) ?? 0;
    return this.#starts.last - this.#originNs + (this.#columns?.durations.at(-1) ?? this.#durations.last);
  }
  /** Wall time of every iteration, ns, as the file gives it. */
  get durationsNs(): Float64Array {
    return this.#read().durations;
  }
  /** Iterations that are not marked as warm-up. */
  get measured(): number {
    return this.length - (this.#warmup?.size ?? 0);
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
    checkTime(durationNs);
    if (this.#isRead) throw new RangeError('an iteration behind those that were asked for');
    if ((startNs !== null) !== (this.#starts !== null)) {
      if (this.length > 0) throw new RangeError('only some iterations have a start');
      this.#starts = new GrowingFloats();
      this.#firstStartNs = startNs;
      this.#group = 1;
    }
    if (this.#group > 1) {
      this.#add(1, durationNs, invocations);
      return;
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
    if (this.#open === null) this.#column(key, this.#durations.length - 1).push(value);
    else this.#open.set(key, value);
  }

  /** Frees what is kept for more iterations; to be called when none may come. */
  settle(): void {
    this.#durations.settle();
    this.#starts?.settle();
    for (const values of this.#metrics?.values() ?? []) values.settle();
  }

  /** Makes one of each two neighbours, of those to come as well; nothing where iterations have starts or phases. */
  halve(): void {
    if (!this.#canMerge) return;
    this.#histograms = null;
    const rest = this.#open;
    this.#open = null;
    const durations = this.#durations.drain();
    const invocations = this.#metrics?.has('n') === true ? this.#column('n', this.length).drain() : null;
    const others = [...(this.#metrics?.keys() ?? [])].filter((key) => key !== 'n');
    const metrics = others.map((key) => this.#column(key, this.length).drain());
    this.#durations = new GrowingFloats();
    this.#metrics = null;
    const count = this.#group;
    this.#group *= 2;
    for (const ns of durations) {
      this.#add(count, ns, invocations?.next().value ?? count);
      for (const [index, key] of others.entries()) this.setMetric(key, metrics[index]?.next().value ?? Number.NaN);
    }
    if (rest === null) return;
    this.#add(rest.count, rest.ns, rest.held);
    for (const [key, value] of rest.metrics()) this.setMetric(key, value);
  }

  /** First start on the file's own clock, ns; `null` where there is none. */
  get firstStartNs(): number | null {
    return this.#firstStartNs;
  }

  /**
   * Lets the clock begin at `originNs` for all starts and ends: a clock that counts from 1970 has ends too coarse to tell
   * times of some hundred ns apart. To be called before starts or ends are asked for.
   */
  beginClockAt(originNs: number): void {
    this.#originNs = originNs;
    this.#layout = null;
  }

  get #canMerge(): boolean {
    return !this.#isRead && this.#starts === null && this.#warmup === null;
  }

  /** Adds iterations to the group that is open, a new one if that is whole. */
  #add(count: number, ns: number, held: number): void {
    const open = (this.#open ??= new Group());
    if (open.count >= this.#group) this.#endGroup(open);
    open.add(count, ns, held);
  }

  #endGroup(group: Group): void {
    this.#durations.push(group.ns);
    this.#column('n', this.#durations.length - 1).push(group.held);
    for (const [key, value] of group.metrics()) this.#column(key, this.#durations.length - 1).push(value);
    group.empty();
  }

  /** The numbers of a name, of which there are so many before those to come. */
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
    if (this.#open !== null) this.#endGroup(this.#open);
    this.#open = null;
    this.settle();
    this.#isRead = true;
    const durations = this.#durations.toArray();
    const keys = [...(this.#metrics?.keys() ?? [])];
    const metrics = new Map(keys.map((key) => [key, this.#column(key, durations.length).toArray()]));
    const all = [durations, ...metrics.values()];
    this.#columns = this.#starts === null ? scaled({ durations, metrics }) : { durations, metrics };
    const bytes = bytesOf(all);
    if (bytes > shortColumnBytes && this.#packedBytes <= mostPackedShare * bytes) {
      keepColumns(this, bytes);
    } else {
      this.#durations = new GrowingFloats();
      this.#metrics = null;
    }
    return this.#columns;
  }

  /** What durations and metrics take as they were read. */
  get #packedBytes(): number {
    return [...(this.#metrics?.values() ?? [])].reduce((sum, { bytes }) => sum + bytes, this.#durations.bytes);
  }

  #laidOut(): Layout {
    if (this.#layout !== null) return this.#layout;
    const { durations } = this.#read();
    const told = this.#starts?.toArray() ?? null;
    const starts = told ?? new Float64Array(durations.length);
    const ends = new Float64Array(durations.length);
    let end = 0;
    for (const [row, duration] of durations.entries()) {
      const start = told === null ? end : (told[row] ?? 0) - this.#originNs;
      starts[row] = start;
      end = start + duration;
      ends[row] = end;
    }
    this.#layout = { starts, ends };
    keepColumns(this, bytesOf([starts, ends]));
    return this.#layout;
  }

  /** Lets starts and ends be made again when they are asked for, and the numbers that are packed as well. */
  forgetColumns(): void {
    this.#layout = null;
    if (this.#durations.length > 0) this.#columns = null;
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

/** Neighbouring iterations of which one is made; used again for the next. */
class Group {
  count = 0;
  ns = 0;
  /** Invocations. */
  held = 0;
  #lastHeld = 0;
  #sums: Map<string, { sum: number; held: number }> | null = null;

  add(count: number, ns: number, held: number): void {
    this.count += count;
    this.ns += ns;
    this.held += held;
    this.#lastHeld = held;
  }

  /** Adds a number of what was added last. */
  set(key: string, value: number): void {
    const sums = (this.#sums ??= new Map<string, { sum: number; held: number }>());
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = { sum: 0, held: 0 };
      sums.set(key, sum);
    }
    sum.sum += key === 'c' ? value : value * this.#lastHeld;
    sum.held += this.#lastHeld;
  }

  /** CPU time is added up, other numbers are means by invocations; NaN where not all have one. */
  metrics(): readonly (readonly [string, number])[] {
    if (this.#sums === null) return nothing;
    return Array.from(this.#sums, ([key, { sum, held }]) => [
      key,
      held < this.held ? Number.NaN : key === 'c' ? sum : sum / held,
    ]);
  }

  empty(): void {
    this.count = 0;
    this.ns = 0;
    this.held = 0;
    if (this.#sums === null) return;
    for (const sum of this.#sums.values()) {
      sum.sum = 0;
      sum.held = 0;
    }
  }
}

const nothing: readonly never[] = [];
