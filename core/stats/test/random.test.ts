import { describe, expect, test } from 'vitest';
import { createRandom, shuffle } from '../src/index.ts';
import { Xoshiro } from '../src/random/create-random.ts';

const mask64 = 0xffffffffffffffffn;

function rotl(x: bigint, k: bigint): bigint {
  return ((x << k) | (x >> (64n - k))) & mask64;
}

/** The published algorithm on 64-bit integers, word for word: what the 32-bit code is held to. */
function reference(state: bigint[]) {
  const s = [...state] as [bigint, bigint, bigint, bigint];
  return (): bigint => {
    const result = (rotl((s[1] * 5n) & mask64, 7n) * 9n) & mask64;
    const t = (s[1] << 17n) & mask64;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45n);
    return result;
  };
}

function halves(state: bigint[]): number[] {
  return state.flatMap((word) => [Number(word & 0xffffffffn), Number(word >> 32n)]);
}

describe('createRandom', () => {
  test('is xoshiro256**: the first outputs from state 1, 2, 3, 4 are the published ones', () => {
    const words = new Uint32Array(20);
    new Xoshiro(halves([1n, 2n, 3n, 4n])).fill(words);
    const outputs = Array.from({ length: 5 }, (_, i) => (BigInt(words[2 * i]!) << 32n) | BigInt(words[2 * i + 1]!));
    expect(outputs).toEqual([11520n, 0n, 1509978240n, 1215971899390074240n, 1216172134540287360n]);
  });

  test('agrees with 64-bit arithmetic over 10 000 steps from a full state', () => {
    const state = [0x9e3779b97f4a7c15n, 0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn, 0xfedcba9876543210n];
    const next = reference(state);
    const words = new Uint32Array(20_000);
    new Xoshiro(halves(state)).fill(words);
    for (let i = 0; i < 10_000; i++) {
      expect((BigInt(words[2 * i]!) << 32n) | BigInt(words[2 * i + 1]!)).toBe(next());
    }
  });

  test('next, uint32 and fill read the same stream', () => {
    const words = new Uint32Array(6);
    createRandom(7).fill(words);
    const other = createRandom(7);
    expect(other.uint32()).toBe(words[0]);
    expect(other.next()).toBe((words[2]! * 2097152 + (words[3]! >>> 11)) / 2 ** 53);
    const odd = new Uint32Array(5);
    createRandom(7).fill(odd);
    expect([...odd]).toEqual([...words.subarray(0, 5)]);
  });

  test('the same seed gives the same stream, another seed another one', () => {
    function draw(seed: number | bigint | string): number[] {
      const random = createRandom(seed);
      return Array.from({ length: 4 }, () => random.uint32());
    }

    expect(draw(5)).toEqual(draw(5n));
    expect(draw('five')).toEqual(draw('five'));
    const all = [0, 1, -1, 2 ** 53 - 1, 1n << 63n, '', '1', 'a', 'b', '\u0100', '\u0001'].map((seed) =>
      draw(seed).join(),
    );
    expect(new Set(all).size).toBe(all.length);
    // Seeds are part of recordings: these numbers may never change.
    expect(draw(42)).toEqual([360188718, 1627707782, 2920764210, 3971525959]);
    expect(() => createRandom(0.5)).toThrow(/seed must be a safe integer/);
    expect(() => createRandom(Number.NaN)).toThrow(RangeError);
  });

  test('jump equals 2^128 steps, by squaring the transition matrix over GF(2) 128 times', () => {
    const state = [0x9e3779b97f4a7c15n, 0xbf58476d1ce4e5b9n, 0x94d049bb133111ebn, 0xfedcba9876543210n];

    function pack(words: bigint[]): bigint {
      return words.reduce((all, word, i) => all | (word << BigInt(64 * i)), 0n);
    }

    function unpack(all: bigint): bigint[] {
      return [0n, 64n, 128n, 192n].map((shift) => (all >> shift) & mask64);
    }

    function step(words: bigint[]): bigint[] {
      const [a, b, c, d] = words as [bigint, bigint, bigint, bigint];
      return [a ^ d ^ b, b ^ c ^ a, c ^ a ^ ((b << 17n) & mask64), rotl(d ^ b, 45n)];
    }

    // Column j: where one step takes the state whose only bit is j.
    let columns = Array.from({ length: 256 }, (_, j) => pack(step(unpack(1n << BigInt(j)))));

    function apply(matrix: bigint[], vector: bigint): bigint {
      let out = 0n;
      const bits = vector.toString(2);
      for (let i = 0; i < bits.length; i++) if (bits[i] === '1') out ^= matrix[bits.length - 1 - i]!;
      return out;
    }

    for (let i = 0; i < 128; i++) columns = columns.map((column) => apply(columns, column));
    const jumped = new Xoshiro(halves(state));
    jumped.jump();
    const there = new Xoshiro(halves(unpack(apply(columns, pack(state)))));
    expect(Array.from({ length: 8 }, () => jumped.uint32())).toEqual(Array.from({ length: 8 }, () => there.uint32()));
  });

  test('split continues the stream in the child and jumps in the parent', () => {
    const parent = createRandom(9);
    const child = parent.split();
    const copy = createRandom(9);
    expect(child.uint32()).toBe(copy.uint32());
    const jumped = createRandom(9);
    jumped.jump();
    expect(parent.uint32()).toBe(jumped.uint32());
  });

  test('int is unbiased for small, large and very large n, and refuses anything else', () => {
    const random = createRandom('int');
    for (const n of [1, 2, 3, 7, 1000, 2 ** 21, 2 ** 21 + 1, 3e9, 2 ** 53 - 1]) {
      const bins = new Float64Array(Math.min(n, 6));
      const draws = 30_000;
      for (let i = 0; i < draws; i++) {
        const value = random.int(n);
        if (!(value >= 0 && value < n && Number.isInteger(value))) expect.fail(`int(${n}) gave ${value}`);
        bins[Math.floor((value / n) * bins.length)]! += 1;
      }
      const expected = draws / bins.length;
      const slack = n % bins.length === 0 || n > 1e5 ? 0 : draws / n;
      for (const count of bins) expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected) + slack);
    }
    for (const n of [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])
      expect(() => random.int(n)).toThrow(/^n must be an integer/);
  });

  test('normal has the moments of a standard normal distribution', () => {
    const random = createRandom('normal');
    const n = 200_000;
    let [first, second, third, fourth] = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const z = random.normal();
      first += z / n;
      second += z ** 2 / n;
      third += z ** 3 / n;
      fourth += z ** 4 / n;
    }
    // Standard errors of the k-th raw moment: sqrt((E z^2k - (E z^k)^2)/n) = sqrt(1, 2, 15, 96)/sqrt(n); five of them.
    expect(Math.abs(first)).toBeLessThan((5 * 1) / Math.sqrt(n));
    expect(Math.abs(second - 1)).toBeLessThan((5 * Math.SQRT2) / Math.sqrt(n));
    expect(Math.abs(third)).toBeLessThan((5 * Math.sqrt(15)) / Math.sqrt(n));
    expect(Math.abs(fourth - 3)).toBeLessThan((5 * Math.sqrt(96)) / Math.sqrt(n));
  });
});

describe('shuffle', () => {
  test('gives every order of three equally often and leaves its input alone', () => {
    const random = createRandom('shuffle');
    const input = ['a', 'b', 'c'];
    const seen = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const key = shuffle(input, random).join('');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(input).toEqual(['a', 'b', 'c']);
    expect(seen.size).toBe(6);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(1000));
    expect(shuffle([], random)).toEqual([]);
  });
});
