import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom, longRunVariance, rankVonNeumann, shuffle, variance } from '../src/index.ts';
import { close } from './golden.ts';

// oxlint-disable-next-line typescript/no-explicit-any
const reference: any = JSON.parse(
  readFileSync(new URL('./fixtures/long-run-variance-reference.json', import.meta.url), 'utf8'),
);

describe('the long-run variance by cosines', () => {
  test('is that of the discrete cosine transform of scipy', () => {
    for (const { values, cosines, variance: expected } of reference.cases) {
      close(longRunVariance(values, cosines), expected, 1e-10, 0, `${values.length} values, ${cosines} cosines`);
    }
  });

  test('is the variance with all cosines, whatever the order', () => {
    const random = createRandom('all cosines');
    for (const n of [2, 3, 10, 101]) {
      const values = Array.from({ length: n }, () => 5 + random.normal());
      close(longRunVariance(values, n - 1), variance(values), 1e-10);
      close(longRunVariance(shuffle(values, random), n - 1), variance(values), 1e-10);
    }
  });

  test('is refused for fewer than one cosine and more than n - 1', () => {
    expect(() => longRunVariance([1, 2, 3], 0)).toThrow(/cosines/);
    expect(() => longRunVariance([1, 2, 3], 3)).toThrow(/cosines/);
    expect(() => longRunVariance([1], 1)).toThrow(/values/);
  });
});

describe('von Neumann over ranks', () => {
  test('is that of the definition', () => {
    // Ranks 1 2 3 4 5: four steps of 1, over squares 4 + 1 + 0 + 1 + 4.
    expect(rankVonNeumann([1, 2, 5, 7, 90]).ratio).toBeCloseTo(0.4, 12);
    expect(rankVonNeumann([3, 3, 3, 3]).p).toBe(1);
    expect(() => rankVonNeumann([1, 2, 3])).toThrow(RangeError);
  });

  test('rejects one in twenty of independent series, and nearly all of wandering ones', () => {
    const random = createRandom('series');
    let independent = 0;
    let wandering = 0;
    const draws = 1500;
    for (let draw = 0; draw < draws; draw++) {
      const values = shuffle(
        Array.from({ length: 20 }, (_, i) => i),
        random,
      );
      if (rankVonNeumann(values).p <= 0.05) independent++;
      let level = 0;
      const walk = Array.from({ length: 20 }, () => (level = 0.9 * level + random.next() - 0.5));
      if (rankVonNeumann(walk).p <= 0.05) wandering++;
    }
    expect(independent / draws).toBeGreaterThan(0.033);
    expect(independent / draws).toBeLessThan(0.067);
    expect(wandering / draws).toBeGreaterThan(0.9);
  });
});
