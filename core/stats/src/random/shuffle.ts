import type { Random } from './random.ts';

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
