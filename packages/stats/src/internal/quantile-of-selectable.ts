import { select } from './select.ts';

/** The definitions of a sample quantile in Hyndman and Fan's numbering. */
export type QuantileType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

// Plotting position: the quantile p lies at n p + a + p (1 - a - b) of the order statistics; a and b of types 4 to 9.
const POSITIONS: Record<4 | 5 | 6 | 7 | 8 | 9, readonly [number, number]> = {
  4: [0, 1],
  5: [0.5, 0.5],
  6: [0, 0],
  7: [1, 1],
  8: [1 / 3, 1 / 3],
  9: [3 / 8, 3 / 8],
};

const FUZZ = 4 * Number.EPSILON;

/** Where p falls: the 1-based order statistic below it and the weight of the next one. */
export const quantilePosition = (n: number, p: number, type: QuantileType): { index: number; weight: number } => {
  if (type === 1 || type === 2 || type === 3) {
    const exact = type === 3 ? n * p - 0.5 : n * p;
    const index = Math.floor(exact + FUZZ * n);
    const between = Math.abs(exact - index) > FUZZ * n;
    if (type === 1) return { index, weight: between ? 1 : 0 };
    if (type === 2) return { index, weight: between ? 1 : 0.5 };
    return { index, weight: between || index % 2 !== 0 ? 1 : 0 };
  }
  const [a, b] = POSITIONS[type];
  const exact = type === 7 ? 1 + (n - 1) * p : a + p * (n + 1 - a - b);
  const index = Math.floor(exact + FUZZ);
  const weight = exact - index;
  return { index, weight: Math.abs(weight) < FUZZ ? 0 : weight };
};

/** Quantile of a buffer whose order may be changed. Expected O(n). */
export const quantileOfSelectable = (buffer: Float64Array, p: number, type: QuantileType): number => {
  const n = buffer.length;
  const { index, weight } = quantilePosition(n, p, type);
  if (index < 1) return select(buffer, 0);
  if (index >= n) return select(buffer, n - 1);
  const low = select(buffer, index - 1);
  if (weight === 0) return low;
  // Everything from here on is >= low, so the next order statistic is their minimum.
  let high = Infinity;
  for (let i = index; i < n; i++) if (buffer[i]! < high) high = buffer[i]!;
  return weight === 1 ? high : low + weight * (high - low);
};
