import type { Random } from './random.ts';

const TWO_32 = 4294967296;
const TWO_21 = 2097152;

// Jump polynomial of xoshiro256 (x^(2^128) modulo the characteristic polynomial), as 32-bit words: low, high, low, high...
const JUMP = [0x3cfd0aba, 0x180ec6d3, 0xf0c9392c, 0xd5a61266, 0xe03fc9aa, 0xa9582618, 0x29b1661c, 0x39abdc45];

/** The carry out of the 32-bit addition a + b = total. */
const carry = (a: number, b: number, total: number): number => ((a & b) | ((a | b) & ~total)) >>> 31;

/** The generator behind `createRandom`: xoshiro256** on pairs of 32-bit integers. State: low and high halves of s0..s3. */
export class Xoshiro implements Random {
  readonly #state: Int32Array;
  readonly #pair: Uint32Array = new Uint32Array(2);

  constructor(state: ArrayLike<number>) {
    this.#state = Int32Array.from(state);
  }

  fill(words: Uint32Array): void {
    const s = this.#state;
    let s0l = s[0]!;
    let s0h = s[1]!;
    let s1l = s[2]!;
    let s1h = s[3]!;
    let s2l = s[4]!;
    let s2h = s[5]!;
    let s3l = s[6]!;
    let s3h = s[7]!;
    for (let i = 0; i < words.length; i += 2) {
      // result = rotl(s1 * 5, 7) * 9, the products as shift and add with the carry from the low half
      let shifted = s1l << 2;
      const fiveLow = (s1l + shifted) | 0;
      const fiveHigh = (s1h + ((s1h << 2) | (s1l >>> 30)) + carry(s1l, shifted, fiveLow)) | 0;
      const rotLow = (fiveLow << 7) | (fiveHigh >>> 25);
      const rotHigh = (fiveHigh << 7) | (fiveLow >>> 25);
      shifted = rotLow << 3;
      const low = (rotLow + shifted) | 0;
      words[i] = rotHigh + ((rotHigh << 3) | (rotLow >>> 29)) + carry(rotLow, shifted, low);
      if (i + 1 < words.length) words[i + 1] = low;

      const tl = s1l << 17;
      const th = (s1h << 17) | (s1l >>> 15);
      s2l ^= s0l;
      s2h ^= s0h;
      s3l ^= s1l;
      s3h ^= s1h;
      s1l ^= s2l;
      s1h ^= s2h;
      s0l ^= s3l;
      s0h ^= s3h;
      s2l ^= tl;
      s2h ^= th;
      // rotl(s3, 45): 45 = 32 + 13, so the halves change places
      const half = s3l;
      s3l = (s3h << 13) | (half >>> 19);
      s3h = (half << 13) | (s3h >>> 19);
    }
    s[0] = s0l;
    s[1] = s0h;
    s[2] = s1l;
    s[3] = s1h;
    s[4] = s2l;
    s[5] = s2h;
    s[6] = s3l;
    s[7] = s3h;
  }

  uint32(): number {
    this.fill(this.#pair);
    return this.#pair[0]!;
  }

  next(): number {
    this.fill(this.#pair);
    return (this.#pair[0]! * TWO_21 + (this.#pair[1]! >>> 11)) / 9007199254740992;
  }

  int(n: number): number {
    if (!(n >= 1 && n <= Number.MAX_SAFE_INTEGER && Math.floor(n) === n)) {
      throw new RangeError(`n must be an integer in [1, 2^53 - 1], got ${String(n)}`);
    }
    if (n <= TWO_21) {
      // Lemire's multiplication with rejection; the product stays below 2^53, so it is exact.
      let product = this.uint32() * n;
      let fraction = product % TWO_32;
      if (fraction < n) {
        const bias = TWO_32 % n;
        while (fraction < bias) {
          product = this.uint32() * n;
          fraction = product % TWO_32;
        }
      }
      return Math.floor(product / TWO_32);
    }
    const limit = 9007199254740992 - (9007199254740992 % n);
    for (;;) {
      const value = this.next() * 9007199254740992;
      if (value < limit) return value % n;
    }
  }

  normal(): number {
    // Marsaglia's polar method; the second of the pair is dropped, so that a stream has no hidden half-used state.
    for (;;) {
      const u = 2 * this.next() - 1;
      const v = 2 * this.next() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  }

  jump(): void {
    const total = new Int32Array(8);
    for (const word of JUMP) {
      for (let bit = 0; bit < 32; bit++) {
        if ((word >>> bit) & 1) this.#state.forEach((half, i) => (total[i]! ^= half));
        this.fill(this.#pair);
      }
    }
    this.#state.set(total);
  }

  split(): Random {
    const child = new Xoshiro(this.#state);
    this.jump();
    return child;
  }
}
