// The series and samples that the cases measure; seeded, so that every run measures the same.
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createRandom } from '@deadheat/stats';

/** Normal noise whose mean and spread change every `every` values; 0: never. */
export const steps = (n, every, seed = 1) => {
  const random = createRandom(seed);
  const x = new Float64Array(n);
  let mean = 0;
  let spread = 1;
  for (let i = 0; i < n; i++) {
    if (every > 0 && i % every === 0) {
      mean = 3 * random.normal();
      spread = Math.exp(0.5 * random.normal());
    }
    x[i] = mean + spread * random.normal();
  }
  return x;
};

/** Log-normal values, as times are. */
export const times = (n, seed, shift = 0) => {
  const random = createRandom(seed);
  return Float64Array.from({ length: n }, () => Math.exp(4.6 + shift + 0.1 * random.normal()));
};

/** A hierarchy in the flat form, with an effect of each run and each segment, in shared memory. */
export const hierarchy = (runs, segments, measurements, seed) => {
  const random = createRandom(seed);
  const values = new Float64Array(new SharedArrayBuffer(8 * runs * segments * measurements));
  let at = 0;
  for (let r = 0; r < runs; r++) {
    const run = random.normal();
    for (let s = 0; s < segments; s++) {
      const segment = random.normal();
      for (let m = 0; m < measurements; m++) values[at++] = 100 + run + segment + random.normal();
    }
  }
  const outer = Int32Array.from({ length: runs + 1 }, (_, i) => i * segments);
  const inner = Int32Array.from({ length: runs * segments + 1 }, (_, i) => i * measurements);
  return { values, offsets: [outer, inner] };
};

/** One fork of the steady-state data without its outliers, or null when the data are absent. */
export const realFork = () => {
  let folder = process.env.DEADHEAT_DATA;
  for (let here = dirname(fileURLToPath(import.meta.url)); folder === undefined; here = dirname(here)) {
    if (existsSync(join(here, 'shared', 'data'))) folder = join(here, 'shared', 'data');
    else if (dirname(here) === here) return null;
  }
  const sets = join(folder, 'steady-state');
  if (!existsSync(sets)) return null;
  const name = readdirSync(sets).find((file) => file.startsWith('02-') && file.endsWith('.json.gz'));
  const set = JSON.parse(gunzipSync(readFileSync(join(sets, name))).toString());
  const outliers = new Set(set.outliers[0]);
  return set.series[0].filter((_, i) => !outliers.has(i));
};
