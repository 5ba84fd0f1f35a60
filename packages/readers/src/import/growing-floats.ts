const chunkLength = 1024;
const firstLength = 16;
/** Fewer are not worth an array of their own. */
const leastKept = 64;
const mostOffset = 2 ** 32 - 1;

/** Whole numbers that are not far from each other, in half the memory. */
interface Offsets {
  readonly least: number;
  readonly offsets: Uint32Array;
}

/**
 * Numbers whose count is not known beforehand, in little memory: as long as all are the same number it is kept once, and whole numbers take 4
 * bytes where they are within 2^32 of each other, as times in ns often are.
 */
export class GrowingFloats {
  readonly #full: (Float64Array | Offsets)[] = [];
  #fullLength = 0;
  #last: Float64Array | null = null;
  /** In `#last`; without it how often `#same` was pushed. */
  #filled = 0;
  #same = Number.NaN;

  get length(): number {
    return this.#fullLength + this.#filled;
  }

  /** What the numbers take. */
  get bytes(): number {
    const full = this.#full.reduce((sum, chunk) => sum + valuesOf(chunk).byteLength, 0);
    return full + (this.#last?.byteLength ?? 0);
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
    let last = this.#last ?? new Float64Array(firstLength);
    if (this.#filled === last.length) last = this.#grown(last);
    last[this.#filled++] = value;
    this.#last = last;
  }

  /** Frees what is kept for more numbers; to be called when none may come. */
  settle(): void {
    if (this.#last === null || this.#filled < leastKept) return;
    this.#keep(this.#last.slice(0, this.#filled));
    this.#last = null;
    this.#filled = 0;
  }

  /** All numbers, in their order. */
  toArray(): Float64Array {
    const all = new Float64Array(this.length);
    let at = 0;
    for (const chunk of this.#full) {
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
    for (let index = 0; index < this.#full.length; index++) {
      const chunk = this.#full[index] ?? none;
      const least = 'least' in chunk ? chunk.least : 0;
      this.#full[index] = none;
      for (const value of valuesOf(chunk)) yield least + value;
    }
    for (let index = 0; index < this.#filled; index++) yield this.#last?.[index] ?? this.#same;
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
      this.#keep(last);
      this.#filled = 0;
      return new Float64Array(chunkLength);
    }
    const longer = new Float64Array(last.length * 2);
    longer.set(last);
    return longer;
  }

  #keep(values: Float64Array): void {
    this.#full.push(packed(values));
    this.#fullLength += values.length;
  }
}

const none = new Float64Array(0);

function valuesOf(chunk: Float64Array | Offsets): Float64Array | Uint32Array {
  return 'least' in chunk ? chunk.offsets : chunk;
}

function packed(values: Float64Array): Float64Array | Offsets {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (!Number.isInteger(value)) return values;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(most - least <= mostOffset)) return values;
  return { least, offsets: Uint32Array.from(values, (value) => value - least) };
}
