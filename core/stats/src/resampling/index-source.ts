import type { Random } from '../random/create-random.ts';

const two32 = 4294967296;
const bufferSize = 512;

/** floor(word n / 2^32) for n < 2^15, in 32-bit integers only. */
function digit(word: number, n: number): number {
  return (Math.imul(word >>> 16, n) + (Math.imul(word & 0xffff, n) >>> 16)) >>> 16;
}

/**
 * Uniform indices in bulk: several from each 32-bit random word, without bias.
 *
 * A word x is read as the fraction x / 2^32; its first digit in base n is floor(x n / 2^32), the rest (x n mod 2^32) gives the
 * next one, and so on for k digits with n^k <= 2^29. The digits together are uniform when words whose final rest is below
 * 2^32 mod n^k are refused (at most one in eight). Larger n draw one by one.
 * Source: N. Brackett-Rozinsky, D. Lemire, "Batched ranged random integer generation", Software: Practice and Experience (2024).
 */
export class IndexSource {
  readonly #random: Random;
  readonly #words: Uint32Array = new Uint32Array(bufferSize);
  #at: number = bufferSize;
  #indices: Int32Array = new Int32Array(0);

  constructor(random: Random) {
    this.#random = random;
  }

  /** Fills `out[0..count)` with independent uniform indices in [0, n). `out` needs 8 places more than `count`. */
  fill(out: Int32Array, count: number, n: number): void {
    if (n === 1) {
      out.fill(0, 0, count);
    } else if (n <= 812) {
      this.#digits(out, count, n);
    } else if (n <= 23170) {
      this.#pairs(out, count, n);
    } else {
      for (let i = 0; i < count; i++) out[i] = this.#random.int(n);
    }
  }

  /**
   * Sum of `count` values drawn from values[offset..offset + n): the same as `fill` and a sum over its indices, in one
   * pass. The running sums are kept apart so that they do not wait for each other.
   */
  sum(values: Float64Array, offset: number, count: number, n: number): number {
    if (n === 1) return count * values[offset]!;
    // Digits a word: three from 182 to 812 values, two up to 23 170; the rest goes through indices.
    if (n < 182 || n > 23170) return this.#sumByIndices(values, offset, count, n);
    const words = this.#words;
    let at = this.#at;
    let a = 0;
    let b = 0;
    let c = 0;
    let i = 0;
    if (n <= 812) {
      const bias = two32 % (n * n * n);
      while (i < count) {
        if (at === bufferSize) {
          this.#random.fill(words);
          at = 0;
        }
        const first = words[at++]!;
        const second = Math.imul(first, n);
        const third = Math.imul(second, n);
        if (Math.imul(third, n) >>> 0 < bias) continue;
        i += 3;
        a += values[offset + digit(first, n)]!;
        if (i <= count) {
          b += values[offset + digit(second, n)]!;
          c += values[offset + digit(third, n)]!;
        } else if (i === count + 1) b += values[offset + digit(second, n)]!;
      }
    } else {
      const bias = two32 % (n * n);
      while (i < count) {
        if (at === bufferSize) {
          this.#random.fill(words);
          at = 0;
        }
        const first = words[at++]!;
        const second = Math.imul(first, n);
        if (Math.imul(second, n) >>> 0 < bias) continue;
        a += values[offset + digit(first, n)]!;
        if (i + 1 < count) b += values[offset + digit(second, n)]!;
        i += 2;
      }
    }
    this.#at = at;
    return a + b + c;
  }

  /**
   * Sum of `count` values drawn from a table that `drawTable` laid out at `base`: ten random bits are the index, three indices a
   * word; an index from `limit` on is refused (the table holds 0 there, so that refusing needs no branch).
   */
  sumTable(table: Float64Array, base: number, limit: number, count: number): number {
    const words = this.#words;
    let at = this.#at;
    let a = 0;
    let b = 0;
    let c = 0;
    let i = 0;
    const last = limit - 1;
    while (i + 3 <= count) {
      if (at === bufferSize) {
        this.#random.fill(words);
        at = 0;
      }
      // This many words are enough, whatever is refused.
      const end = Math.min(bufferSize, at + Math.floor((count - i) / 3));
      let refused = 0;
      i += 3 * (end - at);
      for (; at < end; at++) {
        const word = words[at]!;
        const first = word & 1023;
        const second = (word >>> 10) & 1023;
        const third = (word >>> 20) & 1023;
        a += table[base + first]!;
        b += table[base + second]!;
        c += table[base + third]!;
        // A negative difference adds its sign bit: -1.
        refused += ((last - first) >> 31) + ((last - second) >> 31) + ((last - third) >> 31);
      }
      i += refused;
    }
    while (i < count) {
      if (at === bufferSize) {
        this.#random.fill(words);
        at = 0;
      }
      const index = words[at++]! >>> 22;
      if (index > last) continue;
      a += table[base + index]!;
      i++;
    }
    this.#at = at;
    return a + b + c;
  }

  #sumByIndices(values: Float64Array, offset: number, count: number, n: number): number {
    if (this.#indices.length < count + 8) this.#indices = indexBuffer(2 * count);
    const indices = this.#indices;
    this.fill(indices, count, n);
    let a = 0;
    let b = 0;
    let i = 0;
    for (; i + 1 < count; i += 2) {
      a += values[offset + indices[i]!]!;
      b += values[offset + indices[i + 1]!]!;
    }
    if (i < count) a += values[offset + indices[i]!]!;
    return a + b;
  }

  #digits(out: Int32Array, count: number, n: number): void {
    let digits = 1;
    let range = n;
    while (digits < 8 && range * n <= 536870912) {
      range *= n;
      digits++;
    }
    const bias = two32 % range;
    const words = this.#words;
    let at = this.#at;
    if (digits === 3) {
      for (let i = 0; i < count;) {
        if (at === bufferSize) {
          this.#random.fill(words);
          at = 0;
        }
        const first = words[at++]!;
        const second = Math.imul(first, n) >>> 0;
        const third = Math.imul(second, n) >>> 0;
        out[i] = digit(first, n);
        out[i + 1] = digit(second, n);
        out[i + 2] = digit(third, n);
        if (Math.imul(third, n) >>> 0 >= bias) i += 3;
      }
    } else {
      for (let i = 0; i < count;) {
        if (at === bufferSize) {
          this.#random.fill(words);
          at = 0;
        }
        let rest = words[at++]!;
        for (let d = 0; d < digits; d++) {
          out[i + d] = digit(rest, n);
          rest = Math.imul(rest, n) >>> 0;
        }
        if (rest >= bias) i += digits;
      }
    }
    this.#at = at;
  }

  #pairs(out: Int32Array, count: number, n: number): void {
    const bias = two32 % (n * n);
    const words = this.#words;
    let at = this.#at;
    for (let i = 0; i < count;) {
      if (at === bufferSize) {
        this.#random.fill(words);
        at = 0;
      }
      const first = words[at++]!;
      const second = Math.imul(first, n) >>> 0;
      out[i] = digit(first, n);
      out[i + 1] = digit(second, n);
      if (Math.imul(second, n) >>> 0 >= bias) i += 2;
    }
    this.#at = at;
  }
}

/** Room for `count` indices plus what `IndexSource.fill` may write beyond them. */
export function indexBuffer(count: number): Int32Array {
  return new Int32Array(count + 8);
}
