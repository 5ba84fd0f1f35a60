// What is measured. A case prepares its input (not timed) and gives the function to time; `note` reads its last result.
import {
  bcaInterval,
  bootstrapMeans,
  createRandom,
  mannWhitneyU,
  pelt,
  penaltyPath,
  percentileInterval,
  ratioReplicates,
  ucvBandwidth,
} from '@deadheat/stats';
import { BootstrapPool } from './bootstrap-pool.js';
import { hierarchy, realFork, steps, times } from './data.js';

const WORKERS = 2;

const forkBootstrap = (replicates) => async () => {
  const pool = new BootstrapPool(WORKERS);
  const a = hierarchy(5, 50, 1000, 'a');
  const b = hierarchy(5, 50, 1000, 'b');
  const options = { replicates, weights: 'pooled' };
  return {
    run: async () => {
      const above = await pool.replicates({ ...options, sample: b, seed: 'above' });
      const below = await pool.replicates({ ...options, sample: a, seed: 'below' });
      return percentileInterval(ratioReplicates(above, below), 0.99);
    },
    close: () => pool.close(),
  };
};

const changes = (n, every, options) => () => {
  const x = steps(n, every);
  return { run: () => pelt(x, options), note: (result) => `${result.changepoints.length} changes` };
};

/** How far the approximate mode stays above the optimum: relative to the penalised cost, and in penalties. */
const gap = (n, every) => () => {
  const x = steps(n, every);
  const exact = pelt(x, { penalty: 'bic' });
  return {
    run: () => pelt(x, { penalty: 'bic', maxCandidates: 500 }),
    note: (result) => {
      const above = result.penalisedCost - exact.penalisedCost;
      const share = (Math.max(0, above) / Math.abs(exact.penalisedCost)).toExponential(1);
      return `${result.changepoints.length} changes (exact ${exact.changepoints.length}); cost above the optimum ${above.toFixed(3)} (${share})`;
    },
  };
};

export const cases = {
  'fork-bootstrap-1000': { repeat: 3, prepare: forkBootstrap(1000) },
  'fork-bootstrap-10000': { repeat: 1, prepare: forkBootstrap(10_000) },
  'three-stage': {
    repeat: 3,
    prepare: async () => {
      const pool = new BootstrapPool(WORKERS);
      const sample = hierarchy(20, 5, 200, 'runs');
      return {
        run: async () => percentileInterval(await pool.replicates({ sample, seed: 1, replicates: 33_000 }), 0.99),
        close: () => pool.close(),
      };
    },
  },
  'pelt-1m': { repeat: 3, prepare: changes(1_000_000, 500, { penalty: 'bic' }) },
  'pelt-20k-none': { repeat: 3, prepare: changes(20_000, 0, { penalty: 'bic' }) },
  'pelt-100k-none': { repeat: 3, prepare: changes(100_000, 0, { penalty: 'bic' }) },
  'pelt-100k-approximate': { repeat: 3, prepare: gap(100_000, 0) },
  'pelt-100k-approximate-steps': { repeat: 3, prepare: gap(100_000, 10_000) },
  crops: {
    repeat: 5,
    prepare: () => {
      const real = realFork();
      const x = real ?? steps(3000, 150);
      return {
        run: () => penaltyPath(x),
        note: (path) => `${real ? 'real fork' : 'synthetic series'} of ${x.length}, ${path.length} segmentations`,
      };
    },
  },
  bca: {
    repeat: 15,
    prepare: () => {
      const sample = times(20, 'bca');
      const random = createRandom(1);
      return { run: () => bcaInterval(bootstrapMeans(sample, { replicates: 9999, random }), 0.95, { sample }) };
    },
  },
  percentile: {
    repeat: 15,
    prepare: () => {
      const sample = times(10, 'percentile');
      const random = createRandom(1);
      return { run: () => percentileInterval(bootstrapMeans(sample, { replicates: 10_000, random }), 0.99) };
    },
  },
  'mann-whitney': {
    repeat: 3,
    prepare: () => {
      const a = times(1_000_000, 'a');
      const b = times(1_000_000, 'b', 0.0002);
      return { run: () => mannWhitneyU(a, b) };
    },
  },
  ucv: {
    repeat: 5,
    prepare: () => {
      const x = times(100_000, 'ucv');
      return { run: () => ucvBandwidth(x) };
    },
  },
};
