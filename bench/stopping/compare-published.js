// The stop points that each criterion gives on the steady-state data, beside those that its replication package published.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupIterations, replayReconfiguration } from '../../lab/lab/dist/study/replay-reconfiguration.js';
import { readMeasured } from '../../lab/lab/dist/study/read-measured.js';
import { mean } from '../lib/mean-interval.js';
import { median, percent } from '../lib/tools.js';

const names = { cv: 'CV', rciw: 'RCIW', kld: 'KLD' };
const header =
  'reading,criterion,forks compared,same,within 5,median,published,mean,published,at 50,published,mean forks,published'.split(
    ',',
  );

/** Header and rows of the comparison. The forks that the published run made are compared one by one, whatever ours would have made. */
export async function comparePublished({ data, golden }) {
  const { benchmarks } = JSON.parse(readFileSync(join(golden, '11-steady-state.json'), 'utf8'));
  const folder = join(data, 'steady-state');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json.gz'));
  const { sources } = await readMeasured(files.map((file) => join(folder, file)));
  const series = new Map(sources.flatMap(({ steady }) => steady).map((one) => [one.name, one.forks]));
  const rows = ['jmh-reconfigure', 'paper'].flatMap((like) =>
    Object.keys(names).map((criterion) => {
      const pairs = [];
      const forkPairs = [];
      for (const { benchmark, dynconfig } of benchmarks) {
        const published = dynconfig[names[criterion]];
        const forks = series
          .get(benchmark)
          .map((fork) => groupIterations(fork, { shortTime: 1e8, leastTime: 1e9 }).iterations);
        const replay = (config) =>
          replayReconfiguration([forks], { criteria: [criterion], like, seed: 'published', config });
        forkPairs.push([replay({}).forks.length, published.forks]);
        const made = replay({ fMin: published.forks, fMax: published.forks }).forks;
        published.simulated_1s_warmup_iterations.forEach((theirs, f) => pairs.push([made[f].warmup, theirs]));
      }
      const [ours, theirs] = [pairs.map(([own]) => own), pairs.map(([, other]) => other)];
      return [
        like,
        criterion,
        pairs.length,
        percent((100 * pairs.filter(([own, other]) => own === other).length) / pairs.length),
        percent((100 * pairs.filter(([own, other]) => Math.abs(own - other) <= 5).length) / pairs.length),
        median(ours),
        median(theirs),
        mean(ours).toFixed(1),
        mean(theirs).toFixed(1),
        ours.filter((one) => one === 50).length,
        theirs.filter((one) => one === 50).length,
        mean(forkPairs.map(([own]) => own)).toFixed(2),
        mean(forkPairs.map(([, other]) => other)).toFixed(2),
      ];
    }),
  );
  return [header, rows];
}
