import type { Random } from '@deadheat/stats';

/**
 * A random sample of rows without repeats, in their order; every set of `size` rows is equally likely.
 *
 * @param rows how many there are.
 * @param size how many are wanted, at most `rows`.
 * Source: D. Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S. O(rows).
 */
export const sampleRows = (rows: number, size: number, random: Random): Int32Array => {
  const sample = new Int32Array(size);
  let taken = 0;
  for (let row = 0; taken < size; row++) {
    if (random.int(rows - row) < size - taken) sample[taken++] = row;
  }
  return sample;
};
