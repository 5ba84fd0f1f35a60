import { createRandom } from '@deadheat/stats';
import { expect, it } from 'vitest';
import { sampleRows } from '../src/compare/compare-benchmark.ts';

it('a sample of rows grows, has its size, and holds every row equally often', () => {
  const random = createRandom('rows');
  const counts = new Map<number, number>();
  const draws = 4000;
  for (let k = 0; k < draws; k++) {
    const rows = [...sampleRows(10, 4, random)];
    expect(rows).toHaveLength(4);
    expect(rows).toEqual([...new Set(rows)].toSorted((left, right) => left - right));
    for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  // Each row is in a sample with probability 0.4: 1 600 of 4 000, give or take 31.
  for (let row = 0; row < 10; row++) expect(Math.abs((counts.get(row) ?? 0) - 1600)).toBeLessThan(5 * 31);
});

it('a sample of all rows is all rows', () => {
  expect([...sampleRows(5, 5, createRandom(1))]).toEqual([0, 1, 2, 3, 4]);
});
