/**
 * A stream of random numbers that a seed determines completely, on every machine.
 *
 * Everything in this package that draws takes one of these as an argument; nothing draws from a hidden source. A stream is
 * stateful: each call moves it on.
 */
export interface Random {
  /** A number in [0, 1) with 53 random bits. */
  next(): number;
  /** An integer in [0, 2^32). */
  uint32(): number;
  /** Fills the array with random 32-bit words, two for each step of the generator: the fast way to many. */
  fill(words: Uint32Array): void;
  /** An integer in [0, n), every value equally likely (no modulo bias). `RangeError` unless 1 <= n <= 2^53 - 1, an integer. */
  int(n: number): number;
  /** A draw from the standard normal distribution. */
  normal(): number;
  /** Moves on by 2^128 draws, so that what follows cannot overlap with what a copy would have drawn. */
  jump(): void;
  /**
   * A child that goes on from here, while this stream jumps: the two never overlap as long as the child neither jumps nor splits
   * itself.
   */
  split(): Random;
}

const two32 = 4294967296;
const two21 = 2097152;

// Jump polynomial of xoshiro256 (x^(2^128) modulo the characteristic polynomial), as 32-bit words: low, high, low, high...
const jumpPolynomial = [0x3cfd0aba, 0x180ec6d3, 0xf0c9392c, 0xd5a61266, 0xe03fc9aa, 0xa9582618, 0x29b1661c, 0x39abdc45];

/** The carry out of the 32-bit addition a + b = total. */
function carry(a: number, b: number, total: number): number {
  return ((a & b) | ((a | b) & ~total)) >>> 31;
}

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
    return (this.#pair[0]! * two21 + (this.#pair[1]! >>> 11)) / 9007199254740992;
  }

  int(n: number): number {
    if (!(n >= 1 && n <= Number.MAX_SAFE_INTEGER && Math.floor(n) === n)) {
      throw new RangeError(`n must be an integer in [1, 2^53 - 1], got ${String(n)}`);
    }
    if (n <= two21) {
      // Lemire's multiplication with rejection; the product stays below 2^53, so it is exact.
      let product = this.uint32() * n;
      let fraction = product % two32;
      if (fraction < n) {
        const bias = two32 % n;
        while (fraction < bias) {
          product = this.uint32() * n;
          fraction = product % two32;
        }
      }
      return Math.floor(product / two32);
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
    for (const word of jumpPolynomial) {
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

const mask64 = 0xffffffffffffffffn;

/** splitmix64: spreads 64 bits of seed over the 256 bits of state. */
function expand(seed: bigint): number[] {
  const state: number[] = [];
  let x = seed & mask64;
  for (let i = 0; i < 4; i++) {
    x = (x + 0x9e3779b97f4a7c15n) & mask64;
    let z = x;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask64;
    z ^= z >> 31n;
    state.push(Number(z & 0xffffffffn), Number(z >> 32n));
  }
  return state;
}

/** FNV-1a with 64 bits over the UTF-16 code units, low byte first. */
function hash(text: string): bigint {
  let h = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h = ((h ^ BigInt(unit & 255)) * 0x100000001b3n) & mask64;
    h = ((h ^ BigInt(unit >> 8)) * 0x100000001b3n) & mask64;
  }
  return h;
}

/**
 * A seeded stream of random numbers: xoshiro256**, period 2^256 - 1.
 *
 * @param seed a safe integer, a bigint (its low 64 bits count; negative ones in two's complement) or any string (hashed with
 *   FNV-1a). `5` and `5n` give the same stream; `'5'` another one.
 * @returns the stream; the same seed gives the same numbers on every machine and in every version of this package.
 * @throws RangeError when a number is not a safe integer.
 *
 * Not for secrets. Sources: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47:4 (2021);
 * seeding by splitmix64 as they advise. A draw costs some nanoseconds; `jump` and `split` cost 256 draws.
 */
export function createRandom(seed: number | bigint | string): Random {
  if (typeof seed === 'string') return new Xoshiro(expand(hash(seed)));
  if (typeof seed === 'number' && !Number.isSafeInteger(seed)) {
    throw new RangeError(`seed must be a safe integer, a bigint or a string, got ${String(seed)}`);
  }
  return new Xoshiro(expand(BigInt.asUintN(64, BigInt(seed))));
}

/**
 * Puts the values into a random order; every order is equally likely. Draws what `shuffle` draws.
 *
 * Source: Durstenfeld's form of the Fisher-Yates shuffle (CACM 7:7, 1964). O(n).
 */
export function shuffleInPlace(values: Float64Array, random: Random): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    const swap = values[i]!;
    values[i] = values[j]!;
    values[j] = swap;
  }
}

/**
 * A random permutation of the values, as a new array; every order is equally likely.
 *
 * @param values anything with a length; it is left as it is. Empty and single values come back as a copy.
 * Source: Durstenfeld's form of the Fisher-Yates shuffle (CACM 7:7, 1964). O(n).
 */
export function shuffle<T>(values: ArrayLike<T>, random: Random): T[] {
  const out: T[] = Array.from(values);
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    const swap = out[i]!;
    out[i] = out[j]!;
    out[j] = swap;
  }
  return out;
}
