import type { Random } from './random.ts';
import { Xoshiro } from './xoshiro.ts';

const MASK = 0xffffffffffffffffn;

/** splitmix64: spreads 64 bits of seed over the 256 bits of state. */
const expand = (seed: bigint): number[] => {
  const state: number[] = [];
  let x = seed & MASK;
  for (let i = 0; i < 4; i++) {
    x = (x + 0x9e3779b97f4a7c15n) & MASK;
    let z = x;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    z ^= z >> 31n;
    state.push(Number(z & 0xffffffffn), Number(z >> 32n));
  }
  return state;
};

/** FNV-1a with 64 bits over the UTF-16 code units, low byte first. */
const hash = (text: string): bigint => {
  let h = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h = ((h ^ BigInt(unit & 255)) * 0x100000001b3n) & MASK;
    h = ((h ^ BigInt(unit >> 8)) * 0x100000001b3n) & MASK;
  }
  return h;
};

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
export const createRandom = (seed: number | bigint | string): Random => {
  if (typeof seed === 'string') return new Xoshiro(expand(hash(seed)));
  if (typeof seed === 'number' && !Number.isSafeInteger(seed)) {
    throw new RangeError(`seed must be a safe integer, a bigint or a string, got ${String(seed)}`);
  }
  return new Xoshiro(expand(BigInt.asUintN(64, BigInt(seed))));
};
