import { describe, expect, test } from 'vitest';
// The pool that the benchmark uses: worker threads outside the package, over its built form.
import { BootstrapPool } from '../../../bench/stats/bootstrap-pool.js';
import { createRandom, hierarchicalBootstrap } from '../src/index.ts';

describe('worker threads', () => {
  test('one worker, two or three: the bits of a single call', async () => {
    const random = createRandom('workers');
    const values = Float64Array.from({ length: 6 * 4 * 70 }, () => 100 + random.normal());
    const offsets = [
      Int32Array.from({ length: 7 }, (_, i) => 4 * i),
      Int32Array.from({ length: 25 }, (_, i) => 70 * i),
    ];
    const sample = { values, offsets };
    const alone = hierarchicalBootstrap(sample, { replicates: 3000, random: createRandom(11) });
    for (const size of [1, 2, 3]) {
      const pool = new BootstrapPool(size);
      expect(await pool.replicates({ sample, seed: 11, replicates: 3000 })).toEqual(alone);
      await pool.close();
    }
  });
});
