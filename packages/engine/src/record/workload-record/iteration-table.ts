import type { Iteration, IterationColumns, Params } from '@deadheat/model';

/** Few: a recording may hold thousands of short runs. */
const firstCapacity = 128;

/** How a phase is kept; `none` = the record does not say. */
export const phaseNumber = { none: 0, measure: 1, warmup: 2 } as const;

/** Keys that every iteration has a place for; others get a column when they first come. */
const columnKeys: ReadonlySet<string> = new Set(['i', 's', 'e', 'p']);

/**
 * Iterations of one benchmark in columns: some 30 bytes an iteration instead of an object each. Rows are in the order
 * of the record, which is that of index and time. Arrays hold `length` values; what an iteration lacks is NaN.
 */
export class IterationTable implements IterationColumns {
  #length = 0;
  #index = new Float64Array(firstCapacity);
  #start = new Float64Array(firstCapacity);
  #end = new Float64Array(firstCapacity);
  #phase = new Uint8Array(firstCapacity);
  #hasPhases = false;
  readonly #numbers = new Map<string, Float64Array>();
  readonly #others = new Map<number, Record<string, unknown>>();

  get length(): number {
    return this.#length;
  }
  /** Index of each iteration, growing. */
  get indices(): Float64Array {
    return this.#index.subarray(0, this.#length);
  }
  /** Start of each iteration, ns of CLOCK_MONOTONIC. */
  get startsNs(): Float64Array {
    return this.#start.subarray(0, this.#length);
  }
  /** End of each iteration, ns of CLOCK_MONOTONIC. */
  get endsNs(): Float64Array {
    return this.#end.subarray(0, this.#length);
  }
  /** Names of the numeric columns that the record has beside index, start and end: `n`, `c`, `q`, `v` and others. */
  get metrics(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  /** Values of one numeric key of the record, NaN where an iteration has none; `null` when none has it. */
  metric(key: string): Float64Array | null {
    return this.#numbers.get(key)?.subarray(0, this.#length) ?? null;
  }

  /** Times of single invocations in a row, ns; `null` = it tells of none. */
  invocationTimes(row: number): readonly number[] | null {
    const times = this.#others.get(row)?.['d'];
    return Array.isArray(times) ? (times as readonly number[]) : null;
  }

  /** Whether iterations say themselves which of them are warm-up. */
  get hasPhases(): boolean {
    return this.#hasPhases;
  }

  /** Whether an iteration is marked as warm-up. */
  isWarmup(row: number): boolean {
    return this.#phase[row] === phaseNumber.warmup;
  }

  /**
   * One iteration as the record has it, unknown keys included.
   *
   * @throws RangeError when there is no such row
   */
  at(row: number): Iteration {
    if (!Number.isInteger(row) || row < 0 || row >= this.#length) {
      throw new RangeError(`row ${row} of ${this.#length}`);
    }
    const iteration: Iteration = { i: this.#index[row] ?? 0, s: this.#start[row] ?? 0, e: this.#end[row] ?? 0 };
    const phase = this.#phase[row];
    if (phase !== phaseNumber.none) iteration.p = phase === phaseNumber.warmup ? 'warmup' : 'measure';
    for (const [key, values] of this.#numbers) {
      const value = values[row];
      if (value !== undefined && !Number.isNaN(value)) iteration[key] = value;
    }
    return Object.assign(iteration, this.#others.get(row));
  }

  /** Row with this index, -1 = none. */
  rowOf(index: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#index[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && this.#index[low] === index ? low : -1;
  }

  /** Appends an iteration that has been checked; `phase` as {@link phaseNumber}. */
  append(index: number, startNs: number, { endNs, phase }: { readonly endNs: number; readonly phase: number }): void {
    if (this.#length === this.#index.length) this.#grow();
    const row = this.#length++;
    this.#index[row] = index;
    this.#start[row] = startNs;
    this.#end[row] = endNs;
    this.#phase[row] = phase;
    if (phase !== phaseNumber.none) this.#hasPhases = true;
  }

  /** Sets a number of the last iteration. */
  setMetric(key: string, value: number): void {
    let column = this.#numbers.get(key);
    if (column === undefined) {
      column = new Float64Array(this.#index.length).fill(Number.NaN);
      this.#numbers.set(key, column);
    }
    column[this.#length - 1] = value;
  }

  /** Keeps the keys of an iteration, just appended, beside index, start, end and phase. */
  keepFurther(iteration: Iteration): void {
    let others: Record<string, unknown> | null = null;
    for (const key in iteration) {
      if (columnKeys.has(key)) continue;
      const value = iteration[key];
      if (typeof value === 'number') this.setMetric(key, value);
      else (others ??= {})[key] = value;
    }
    if (others !== null) this.#others.set(this.#length - 1, others);
  }

  #grow(): void {
    const capacity = this.#index.length * 2;
    function longer(values: Float64Array): Float64Array<ArrayBuffer> {
      const copy = new Float64Array(capacity).fill(Number.NaN, values.length);
      copy.set(values);
      return copy;
    }
    this.#index = longer(this.#index);
    this.#start = longer(this.#start);
    this.#end = longer(this.#end);
    const phase = new Uint8Array(capacity);
    phase.set(this.#phase);
    this.#phase = phase;
    for (const [key, values] of this.#numbers) this.#numbers.set(key, longer(values));
  }
}

/** One benchmark of a workload's record. */
export interface RecordedBenchmark {
  readonly benchmark: string;
  readonly params: Params;
  /** Unknown keys of its first line. */
  readonly further: Readonly<Record<string, unknown>>;
  readonly iterations: IterationTable;
}
