import { expect, test } from 'vitest';
import { ascendingOrder, createRandom, rankSumShift, signedRankShift } from '../src/index.ts';

const random = createRandom('order');

test('the ascending order is that of a stable sort by value, with ties and both zeros', () => {
  for (const n of [0, 1, 2, 7, 500]) {
    const values = Array.from(
      { length: n },
      () => [-0, 0, Math.round(3 * random.normal()), random.normal()][random.int(4)]!,
    );
    const expected = values.map((_, place) => place).toSorted((a, b) => values[a]! - values[b]! || a - b);
    expect(Array.from(ascendingOrder(values))).toEqual(expected);
  }
});

test('of heavy tails, ties and far values too a shift is the median of all pairs, and its ends are of them', () => {
  const kinds = [
    (): number => Math.exp(12 * random.normal()),
    (): number => random.int(4),
    (): number => (random.int(20) === 0 ? 1e12 * random.normal() : random.normal()),
  ];
  for (const draw of kinds) {
    const [x, y] = [Array.from({ length: 61 }, draw), Array.from({ length: 40 }, draw)];
    const walsh = Float64Array.from(x.flatMap((a, i) => x.slice(i).map((b) => a / 2 + b / 2))).sort();
    const differences = Float64Array.from(x.flatMap((a) => y.map((b) => a - b))).sort();
    for (const [pairs, shift] of [
      [walsh, signedRankShift(x)],
      [differences, rankSumShift(x, y)],
    ] as const) {
      const half = pairs.length / 2;
      expect(shift.estimate).toBe(pairs[Math.floor(half)]! / 2 + pairs[Math.ceil(half) - 1]! / 2);
      const { low, high } = shift.interval(0.99);
      expect(pairs).toContain(low);
      expect(high).toBe(pairs[pairs.length - pairs.lastIndexOf(low) - 1]);
    }
  }
});
