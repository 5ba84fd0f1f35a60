import type { Iteration, IterationColumns, Params } from '@deadheat/model';
import { GrowingFloats, keepColumns, type ColumnOwner } from '../columns.ts';

/** Few: a recording may hold thousands of short runs. */
const firstCapacity = 128;

/** Columns of fewer bytes are not worth being made again. */
const longTableBytes = 2 ** 14;

/** Numbers of the phases in the column; `none` = the record does not say. */
export const phaseNumber = { none: 0, measure: 1, warmup: 2 } as const;

/** Keys that every iteration has a place for; others get a column when they first come. */
const columnKeys: ReadonlySet<string> = new Set(['i', 's', 'e', 'p']);

/** Columns as they are asked for. */
interface Columns {
  readonly index: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly numbers: Map<string, Float64Array>;
}

/** The same in little memory. */
interface PackedColumns {
  readonly index: GrowingFloats;
  readonly start: GrowingFloats;
  readonly end: GrowingFloats;
  readonly numbers: ReadonlyMap<string, GrowingFloats>;
}

/**
 * Iterations of one benchmark in columns instead of an object each: some 30 bytes an iteration and more with metrics; half of it
 * in a table that is settled, whose columns are made when they are asked for. Rows are in the order of the record, which is that
 * of index and time. Arrays hold `length` values; what an iteration lacks is NaN.
 */
export class IterationTable implements IterationColumns, ColumnOwner {
  #length = 0;
  /** With room for more rows as long as the table grows; `null` = forgotten. */
  #columns: Columns | null = {
    index: new Float64Array(firstCapacity),
    start: new Float64Array(firstCapacity),
    end: new Float64Array(firstCapacity),
    numbers: new Map(),
  };
  /** Columns of a table that is settled. */
  #packed: PackedColumns | null = null;
  #phase = new Uint8Array(firstCapacity);
  #hasPhases = false;
  readonly #others = new Map<number, Record<string, unknown>>();

  get length(): number {
    return this.#length;
  }
  /** Index of each iteration, growing. */
  get indices(): Float64Array {
    return this.#read().index.subarray(0, this.#length);
  }
  /** Start of each iteration, ns of CLOCK_MONOTONIC. */
  get startsNs(): Float64Array {
    return this.#read().start.subarray(0, this.#length);
  }
  /** End of each iteration, ns of CLOCK_MONOTONIC. */
  get endsNs(): Float64Array {
    return this.#read().end.subarray(0, this.#length);
  }
  /** Names of the numeric columns that the record has beside index, start and end: `n`, `c`, `q`, `v` and others. */
  get metrics(): readonly string[] {
    return [...(this.#packed ?? this.#read()).numbers.keys()];
  }

  /** Values of one numeric key of the record, NaN where an iteration has none; `null` when none has it. */
  metric(key: string): Float64Array | null {
    if (this.#packed?.numbers.has(key) === false) return null;
    return this.#read().numbers.get(key)?.subarray(0, this.#length) ?? null;
  }

  /** Times of single invocations in a row, ns; `null` = it has none. */
  invocationTimes(row: number): readonly number[] | null {
    const times = this.#others.get(row)?.['d'];
    return Array.isArray(times) ? (times as readonly number[]) : null;
  }

  /** True if iterations themselves say which of them are warm-up. */
  get hasPhases(): boolean {
    return this.#hasPhases;
  }

  /** True if an iteration is marked as warm-up. */
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
    const { index, start, end, numbers } = this.#read();
    const iteration: Iteration = { i: index[row] ?? 0, s: start[row] ?? 0, e: end[row] ?? 0 };
    const phase = this.#phase[row];
    if (phase !== phaseNumber.none) iteration.p = phase === phaseNumber.warmup ? 'warmup' : 'measure';
    for (const [key, values] of numbers) {
      const value = values[row];
      if (value !== undefined && !Number.isNaN(value)) iteration[key] = value;
    }
    return Object.assign(iteration, this.#others.get(row));
  }

  /** Row with this index, -1 = none. */
  rowOf(index: number): number {
    const { index: indices } = this.#read();
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((indices[middle] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low < this.#length && indices[low] === index ? low : -1;
  }

  /** Appends an iteration that has been checked, to a table that is not settled; `phase` as {@link phaseNumber}. */
  append(index: number, startNs: number, { endNs, phase }: { readonly endNs: number; readonly phase: number }): void {
    if (this.#length === this.#phase.length) this.#resize(this.#length * 2);
    const columns = this.#read();
    const row = this.#length++;
    columns.index[row] = index;
    columns.start[row] = startNs;
    columns.end[row] = endNs;
    this.#phase[row] = phase;
    if (phase !== phaseNumber.none) this.#hasPhases = true;
  }

  /** Sets a number of the last iteration. */
  setMetric(key: string, value: number): void {
    const { numbers } = this.#read();
    let column = numbers.get(key);
    if (column === undefined) {
      column = new Float64Array(this.#phase.length).fill(Number.NaN);
      numbers.set(key, column);
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

  /** Says that no row may come: gives back what is kept for more, and keeps a long table in little memory. */
  settle(): void {
    const { index, start, end, numbers } = this.#read();
    if ((3 + numbers.size) * this.#length * Float64Array.BYTES_PER_ELEMENT < longTableBytes) {
      this.#resize(this.#length);
      return;
    }
    const pack = (values: Float64Array): GrowingFloats => GrowingFloats.of(values.subarray(0, this.#length));
    this.#packed = {
      index: pack(index),
      start: pack(start),
      end: pack(end),
      numbers: new Map(Array.from(numbers, ([key, values]) => [key, pack(values)])),
    };
    this.#columns = null;
    this.#phase = this.#phase.slice(0, this.#length);
  }

  forgetColumns(): void {
    if (this.#packed !== null) this.#columns = null;
  }

  #read(): Columns {
    if (this.#columns !== null) return this.#columns;
    const packed = this.#packed;
    if (packed === null) throw new TypeError('columns without what they are made of');
    const columns = {
      index: packed.index.toArray(),
      start: packed.start.toArray(),
      end: packed.end.toArray(),
      numbers: new Map(Array.from(packed.numbers, ([key, values]) => [key, values.toArray()])),
    };
    this.#columns = columns;
    keepColumns(this, (3 + columns.numbers.size) * columns.index.byteLength);
    return columns;
  }

  #resize(capacity: number): void {
    const { index, start, end, numbers } = this.#read();
    const kept = this.#length;
    function resized(values: Float64Array): Float64Array {
      const copy = new Float64Array(capacity).fill(Number.NaN, kept);
      copy.set(values.subarray(0, kept));
      return copy;
    }
    this.#columns = {
      index: resized(index),
      start: resized(start),
      end: resized(end),
      numbers: new Map(Array.from(numbers, ([key, values]) => [key, resized(values)])),
    };
    const phase = new Uint8Array(capacity);
    phase.set(this.#phase.subarray(0, kept));
    this.#phase = phase;
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
