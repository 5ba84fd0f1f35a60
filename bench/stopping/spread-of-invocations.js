// Where the code's reading stops when nothing but its own draws changes: a constant level, invocations that scatter log-normally.
import { createRandom } from '@deadheat/stats';
import { replayReconfiguration } from '../../lab/lab/dist/study/replay-reconfiguration.js';
import { median } from '../lib/tools.js';

const forks = 10;
const invocations = 5000;
const longest = 60;

/** Header and rows: median warm-up of ten forks, and how many of them reach the limit of 50, by coefficient of variation and criterion. */
export function spreadOfInvocations() {
  const rows = [0.02, 0.1, 0.5, 1, 2].map((variation) => {
    const random = createRandom(`spread ${variation}`);
    const sigma = Math.sqrt(Math.log1p(variation ** 2));
    const fork = () =>
      Array.from({ length: longest }, () =>
        Float64Array.from({ length: invocations }, () => Math.exp(sigma * random.normal())),
      );
    const series = Array.from({ length: forks }, fork);
    const found = ['cv', 'rciw', 'kld'].map((criterion) => {
      const options = { criteria: [criterion], like: 'jmh-reconfigure', seed: 'spread' };
      const warmups = replayReconfiguration([series], { ...options, config: { fMin: forks, fMax: forks } }).forks;
      return `${median(warmups.map(({ warmup }) => warmup))} (${warmups.filter(({ warmup }) => warmup === 50).length})`;
    });
    return [variation, ...found];
  });
  return [['variation of invocations', 'cv (at 50)', 'rciw (at 50)', 'kld (at 50)'], rows];
}
