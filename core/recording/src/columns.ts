const chunkLength = 1024;
const firstLength = 16;
/** Fewer are not worth an array of their own. */
const leastKept = 64;

/** Arrays that were filled and packed, by their lengths: new ones for each of very many runs would be more garbage than is collected in time. */
const spare = new Map<number, Float64Array[]>();
const mostSpare = 16;

function arrayOf(length: number): Float64Array {
  return spare.get(length)?.pop() ?? new Float64Array(length);
}

function giveBack(values: Float64Array): void {
  const arrays = spare.get(values.length);
  if (arrays === undefined) spare.set(values.length, [values]);
  else if (arrays.length < mostSpare) arrays.push(values);
}

/** Whole numbers that are not far from each other. */
interface Offsets {
  readonly least: number;
  readonly offsets: Uint8Array | Uint16Array | Uint32Array;
}

/**
 * Numbers whose count is not known beforehand, in little memory: as long as all are the same number it is kept once, and whole numbers take 1,
 * 2 or 4 bytes where they are within 2^8, 2^16 or 2^32 of each other, as times in ns often are.
 */
export class GrowingFloats {
  /** `null` = none; most of very many lists have one. */
  #full: (Float64Array | Offsets)[] | null = null;
  #fullLength = 0;
  #last: Float64Array | null = null;
  /** In `#last`; without it how often `#same` was pushed. */
  #filled = 0;
  #same = Number.NaN;

  /** Numbers of which there are no more. */
  static of(values: Float64Array): GrowingFloats {
    const floats = new GrowingFloats();
    for (const value of values) floats.push(value);
    floats.settle();
    return floats;
  }

  get length(): number {
    return this.#fullLength + this.#filled;
  }

  /** Memory of the numbers, bytes. */
  get bytes(): number {
    const full = (this.#full ?? []).reduce((sum, chunk) => sum + valuesOf(chunk).byteLength, 0);
    return full + (this.#last?.byteLength ?? 0);
  }

  /** The number that was pushed last; not a number without any. */
  get last(): number {
    if (this.#filled > 0) return this.#last?.[this.#filled - 1] ?? this.#same;
    const chunk = this.#full?.at(-1);
    if (chunk === undefined) return Number.NaN;
    return 'least' in chunk ? chunk.least + (chunk.offsets.at(-1) ?? 0) : (chunk.at(-1) ?? Number.NaN);
  }

  /** The number at a place, from 0, below the length. */
  at(place: number): number {
    const after = place - this.#fullLength;
    if (after >= 0) return this.#last?.[after] ?? this.#same;
    // Every array but the last holds as many.
    const chunk = this.#full?.[Math.floor(place / chunkLength)] ?? none;
    const within = place % chunkLength;
    return chunk instanceof Float64Array ? (chunk[within] ?? Number.NaN) : chunk.least + (chunk.offsets[within] ?? 0);
  }

  push(value: number): void {
    if (this.#last === null) {
      if (this.length === 0) this.#same = value;
      if (this.#fullLength === 0 && this.#same === value) {
        this.#filled += 1;
        return;
      }
      this.#spread();
    }
    let last = this.#last ?? arrayOf(firstLength);
    if (this.#filled === last.length) last = this.#grown(last);
    last[this.#filled++] = value;
    this.#last = last;
  }

  /** Frees what is kept for more numbers; to be called when none may come. */
  settle(): void {
    if (this.#last === null || this.#filled < leastKept) return;
    this.#keep(this.#last, this.#filled);
    this.#last = null;
    this.#filled = 0;
  }

  /** All numbers, in their order. */
  toArray(): Float64Array {
    const all = new Float64Array(this.length);
    let at = 0;
    for (const chunk of this.#full ?? []) {
      const values = valuesOf(chunk);
      all.set(values, at);
      if ('least' in chunk) for (let k = at; k < at + values.length; k++) all[k] = (all[k] ?? 0) + chunk.least;
      at += values.length;
    }
    if (this.#last === null) all.fill(this.#same, at);
    else all.set(this.#last.subarray(0, this.#filled), at);
    return all;
  }

  /** All numbers, in their order, each of which is gone then. */
  *drain(): Generator<number> {
    const full = this.#full ?? [];
    for (const [index, chunk] of full.entries()) {
      const least = 'least' in chunk ? chunk.least : 0;
      full[index] = none;
      for (const value of valuesOf(chunk)) yield least + value;
    }
    for (let index = 0; index < this.#filled; index++) yield this.#last?.[index] ?? this.#same;
  }

  /** Replaces the one number by several. */
  #spread(): void {
    const count = this.#filled;
    this.#last = arrayOf(firstLength);
    this.#filled = 0;
    for (let k = 0; k < count; k++) this.push(this.#same);
  }

  /** Room for one more at the least. */
  #grown(last: Float64Array): Float64Array {
    if (last.length >= chunkLength) {
      this.#keep(last, last.length);
      this.#filled = 0;
      return arrayOf(chunkLength);
    }
    const longer = arrayOf(last.length * 2);
    longer.set(last);
    giveBack(last);
    return longer;
  }

  /** Packs the first numbers of an array that is not needed any more. */
  #keep(values: Float64Array, count: number): void {
    const numbers = values.subarray(0, count);
    const chunk = packed(numbers) ?? numbers.slice();
    // An array to which one is pushed has room for many more.
    if (this.#full === null) this.#full = [chunk];
    else this.#full.push(chunk);
    this.#fullLength += count;
    giveBack(values);
  }
}

const none = new Float64Array(0);

function valuesOf(chunk: Float64Array | Offsets): Float64Array | Offsets['offsets'] {
  return 'least' in chunk ? chunk.offsets : chunk;
}

/** `null` where they are not whole numbers near each other. */
function packed(values: Float64Array): Offsets | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isInteger(value)) return null;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const range = most - least;
  if (!(range < 2 ** 32)) return null;
  const { length } = values;
  const offsets =
    range < 2 ** 8 ? new Uint8Array(length) : range < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
  for (const [index, value] of values.entries()) offsets[index] = value - least;
  return { least, offsets };
}

/** Who could make its columns again. */
export interface ColumnOwner {
  forgetColumns(): void;
}

/** Most bytes of columns that are kept of all owners together. */
const mostBytes = 2 ** 25;
/** Columns of so few bytes stay: knowing of them would take more. */
const shortColumnBytes = 2 ** 10;

/** Owners whose columns are kept, and the bytes of these, the oldest first. */
const kept = new Set<{ readonly owner: WeakRef<ColumnOwner>; readonly bytes: number }>();
let keptBytes = 0;

/**
 * Says that an owner made so many bytes of columns: what was made longest ago of all is forgotten beyond 32 MiB, so that many long series
 * can be gone through one after the other in little memory.
 */
export function keepColumns(owner: ColumnOwner, bytes: number): void {
  if (bytes <= shortColumnBytes) return;
  kept.add({ owner: new WeakRef(owner), bytes });
  keptBytes += bytes;
  for (const oldest of kept) {
    if (keptBytes <= mostBytes || kept.size === 1) return;
    kept.delete(oldest);
    keptBytes -= oldest.bytes;
    const forgotten = oldest.owner.deref();
    if (forgotten !== owner) forgotten?.forgetColumns();
  }
}
