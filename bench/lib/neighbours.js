// What else runs on the machine while a bench measures.
import { spawn } from 'node:child_process';
import { getAffinity } from '@deadheat/sync';
import { startLoad } from '@deadheat/workloads';

/** By name, what people are told. `both` and `one`: bursts at real-time priority where that is allowed. */
export const neighbours = {
  none: 'nothing of ours',
  both: 'bursts on both cores at the same moments',
  one: 'bursts on one core',
  loops: 'a busy loop of ordinary priority on each of the cores',
};

/**
 * Does `work` beside a neighbour, which is gone afterwards.
 *
 * @template Result
 * @param {string} name one of {@link neighbours}
 * @param {{ seed: string | number }} options of the moments of bursts
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function beside(name, { seed }, work) {
  if (!Object.hasOwn(neighbours, name))
    throw new RangeError(`no neighbour ${name}; there are: ${Object.keys(neighbours).join(', ')}`);
  const load = await start(name, String(seed));
  try {
    return await work();
  } finally {
    await load?.stop();
  }
}

function start(name, seed) {
  const cpus = getAffinity().slice(0, 2);
  const common = { language: 'c', work: 'integer' };
  if (name === 'none') return null;
  if (name === 'loops') return startLoad({ ...common, plan: { mode: 'busy' }, cpus, priority: 'normal' });
  const plan = { mode: 'bursts', seed, busyMeanNs: 15e6, idleMeanNs: 25e6 };
  return startLoad({ ...common, plan, cpus: name === 'both' ? cpus : cpus.slice(0, 1), priority: 'realtime' });
}

/**
 * Does `work` beside so many busy loops of one session, as other people's work is: the scheduler may share each CPU among sessions first.
 *
 * @template Result
 * @param {number} count
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function besideLoops(count, work) {
  if (count === 0) return work();
  const script = `for k in $(seq ${count}); do while :; do :; done & done; wait`;
  const loops = spawn('sh', ['-c', script], { stdio: 'ignore', detached: true });
  try {
    return await work();
  } finally {
    if (loops.pid !== undefined) process.kill(-loops.pid, 'SIGKILL');
  }
}
