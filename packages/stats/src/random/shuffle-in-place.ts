import type { Random } from './random.ts';

/**
 * Puts the values into a random order; every order is equally likely. Draws what `shuffle` draws.
 *
 * Source: Durstenfeld's form of the Fisher-Yates shuffle (CACM 7:7, 1964). O(n).
 */
export const shuffleInPlace = (values: Float64Array, random: Random): void => {
  for (let i = values.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    const swap = values[i]!;
    values[i] = values[j]!;
    values[j] = swap;
  }
};
