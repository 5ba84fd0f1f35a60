const chunkLength = 8192;
const firstLength = 16;

/**
 * Numbers whose count is not known beforehand; never holds more than one chunk too much. As long as all are the same number
 * it is kept once.
 */
export class GrowingFloats {
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

  /** Turns the one number into so many. */
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
