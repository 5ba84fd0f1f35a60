import { describe, expect, it } from 'vitest';
import { GrowingFloats, keepColumns } from '../src/columns.ts';

describe('numbers that grow', () => {
  const kinds: Readonly<Record<string, (k: number) => number>> = {
    'the same': () => 7,
    'the same and then others': (k) => (k < 3000 ? 7 : k),
    'whole and within a byte of each other': (k) => 1e9 + ((k * 7919) % 256),
    'whole and within two bytes of each other': (k) => -5 + ((k * 7919) % 65_536),
    'whole and within four bytes of each other': (k) => 1e9 + ((k * 7919) % 1_000_003),
    'times of a wall clock in ns': (k) => 1.7e18 + 4096 * k,
    'whole and far from each other': (k) => (k % 2) * 1e12,
    'with fractions': (k) => k + 0.1,
    'not all there': (k) => (k % 5 === 0 ? Number.NaN : k),
    'as large as they come': (k) => (k % 2 === 0 ? Number.MAX_VALUE : Number.POSITIVE_INFINITY),
  };

  it.each(Object.entries(kinds))('and are %s come back as they were', (_, valueOf) => {
    for (const count of [0, 1, 16, 17, 1024, 1025, 5000]) {
      for (const settlesAt of [0, 10, 100, 1500]) {
        const floats = new GrowingFloats();
        const expected = Float64Array.from({ length: count }, (_none, k) => valueOf(k));
        for (const [k, value] of expected.entries()) {
          floats.push(value);
          if (k === settlesAt) floats.settle();
        }
        expect(floats.length).toBe(count);
        // Far faster than to compare arrays.
        for (const found of [floats.toArray(), Float64Array.from(floats.drain())]) {
          expect(Buffer.from(found.buffer).equals(Buffer.from(expected.buffer)), `${count} ${settlesAt}`).toBe(true);
        }
      }
    }
  });

  it('take less memory where they are whole and near each other, none where all are the same', () => {
    const floats = { near: new GrowingFloats(), far: new GrowingFloats(), same: new GrowingFloats() };
    for (let k = 0; k < 100 * 1024; k++) {
      floats.near.push(5e9 + 1e5 * (k % 1000));
      floats.far.push(k + 0.5);
      floats.same.push(3);
    }
    for (const one of Object.values(floats)) one.settle();
    expect([floats.near.bytes, floats.far.bytes, floats.same.bytes]).toEqual([4 * 100 * 1024, 8 * 100 * 1024, 0]);
  });
});

describe('columns that are kept', () => {
  it('are at most 32 MiB of all, of which the oldest are forgotten', () => {
    const forgotten: number[] = [];
    const owners = Array.from({ length: 12 }, (_, k) => ({ forgetColumns: () => forgotten.push(k) }));
    for (const owner of owners) keepColumns(owner, 4 * 2 ** 20);
    expect(forgotten.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(forgotten.length).toBe(4);
    keepColumns({ forgetColumns: () => forgotten.push(-1) }, 2 ** 30);
    expect(forgotten).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('are not counted where they are short', () => {
    let times = 0;
    for (let k = 0; k < 100_000; k++) keepColumns({ forgetColumns: () => (times += 1) }, 1000);
    expect(times).toBe(0);
  });
});
