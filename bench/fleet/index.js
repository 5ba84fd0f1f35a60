// npm run bench -- fleet [chaos] [SEED]: four workers, 60 events, of which some hang, fill disks or take the pooler or the database away.
// npm run bench -- fleet footprint [ROUNDS]: what a worker costs the runs that it makes.
// npm run bench -- fleet scale [WORKERS] [RUNS] [MS] [pooled]: throughput, connections, size and CPU with simulated workers.
import { chaos } from '../lib/chaos.js';
import { whyNoNamespaces } from '../lib/namespaces.js';
import { whyNoPooler } from '../lib/pooler.js';
import { whyNoPostgres } from '../lib/postgres.js';
import { footprint } from './footprint.js';
import { scale } from './scale.js';

const suites = {
  chaos: {
    why: () => whyNoPostgres() ?? whyNoPooler() ?? whyNoNamespaces(),
    run: ([seed = 'chaos-1']) => runChaos(seed),
  },
  footprint: { why: whyNoPostgres, run: ([rounds = '8']) => footprint(Number(rounds)) },
  scale: {
    why: whyNoPostgres,
    run: ([workers = '100', runs = '10000', runMs = '5000', how]) =>
      scale({ workers: Number(workers), runs: Number(runs), runMs: Number(runMs), pooled: how === 'pooled' }),
  },
};

export async function run([name = 'chaos', ...more] = []) {
  // A seed alone is one of the chaos.
  const [suite, args] = Object.hasOwn(suites, name) ? [suites[name], more] : [suites.chaos, [name]];
  const why = suite.why();
  if (why === null) await suite.run(args);
  else console.log(`skipped: ${why}`);
}

/** Nothing may be lost or come twice. */
async function runChaos(seed) {
  const events = { kill: 22, hang: 12, cut: 8, disk: 8, pooler: 5, database: 5 };
  const wanted = { workers: 4, runs: 250, events, pauseMs: 3000, executionS: 0.7123, lease: '3s', seed };
  const { restartMs, trials, submitterLog, ...found } = await chaos({ ...wanted, log: (text) => console.log(text) });
  const isExact = JSON.stringify(found.runs) === JSON.stringify(Array.from({ length: wanted.runs }, (_, run) => run));
  console.log(submitterLog);
  console.log(`events: ${JSON.stringify(found.events)}`);
  console.log(
    `attempts ${found.attempts} for ${trials.length} runs, ${found.dropped} late results dropped, ${found.falls} workers ended by themselves`,
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
