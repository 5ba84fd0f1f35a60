// npm run bench -- fleet footprint [ROUNDS]: what a worker costs the runs that it makes.
// npm run bench -- fleet scale [WORKERS] [RUNS] [MS] [pooled]: throughput, connections, size and CPU with simulated workers.
// npm run bench -- fleet [SEED]: four workers, 200 runs, 20 kills and a database that is away for 10 s. Nothing may be lost or come twice.
import { chaos } from '../lib/chaos.js';
import { whyNoNamespaces } from '../lib/namespaces.js';
import { whyNoPostgres } from '../lib/postgres.js';
import { footprint } from './footprint.js';
import { scale } from './scale.js';

export async function run([seed = 'chaos-1', rounds = '8', ...more] = []) {
  if (seed === 'scale') {
    const [runs = '10000', runMs = '100', how] = more;
    const wanted = { workers: Number(rounds), runs: Number(runs), runMs: Number(runMs), pooled: how === 'pooled' };
    if (whyNoPostgres() !== null) console.log(`skipped: ${whyNoPostgres()}`);
    else await scale(wanted);
    return;
  }
  if (seed === 'footprint') {
    if (whyNoPostgres() !== null) console.log(`skipped: ${whyNoPostgres()}`);
    else await footprint(Number(rounds));
    return;
  }
  const why = whyNoPostgres() ?? whyNoNamespaces();
  if (why !== null) {
    console.log(`skipped: ${why}`);
    return;
  }
  const wanted = { workers: 4, runs: 200, kills: 20, killPauseMs: 3000, outageMs: 10_000, executionS: 0.7123, seed };
  const { restartMs, trials, submitterLog, ...found } = await chaos({ ...wanted, log: (text) => console.log(text) });
  const isExact = JSON.stringify(found.runs) === JSON.stringify(Array.from({ length: wanted.runs }, (_, run) => run));
  console.log(submitterLog);
  console.log(
    `kills ${found.kills}, attempts ${found.attempts} for ${trials.length} runs, ${found.dropped} late results dropped`,
  );
  console.log(`runs by host: ${JSON.stringify(found.hosts)}`);
  console.log(`begun again after a kill, s: ${restartMs.map(({ ms }) => (ms / 1000).toFixed(1)).join(' ')}`);
  console.log(
    `in the recording ${trials.length}, in the database ${found.stored}, different ${found.different.length}`,
  );
  console.log(`processes left: ${found.leftovers.length}; took ${found.seconds.toFixed(0)} s`);
  const isRight =
    isExact && found.stored === wanted.runs && found.different.length === 0 && found.leftovers.length === 0;
  console.log(isRight && found.status === 0 ? 'nothing lost, nothing twice' : 'WRONG');
  if (!isRight || found.status !== 0) process.exitCode = 1;
}
