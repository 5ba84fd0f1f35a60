// Calls of the C library that fail below a recording, one after the other or all from one on, and what the next start makes of it:
// npm run bench -- faults [faults] [work] [seed] [minutes]. A fault takes two executions of the command, or one where it changed nothing, three at a time;
// after so many minutes no other begins.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@deadheat/stats';
import { buildFaults, Sweep, workNames } from '../lib/faults.js';
import { printMachine, printTable } from '../lib/tools.js';

const atOnce = 3;

/** Classes of calls and the errors that they end with: once, and from then on. */
const ways = {
  open: { once: ['EMFILE', 'EACCES', 'EIO'], on: ['EMFILE', 'ENOSPC'] },
  read: { once: ['EIO'], on: ['EIO'] },
  write: { once: ['ENOSPC', 'EIO', 'EINTR', 'SHORT'], on: ['ENOSPC', 'EDQUOT'] },
  sync: { once: ['EIO'], on: ['EIO', 'ENOSPC'] },
  truncate: { once: ['EIO'], on: ['EIO'] },
  rename: { once: ['EACCES', 'ENOSPC'], on: ['EIO'] },
  unlink: { once: ['EACCES'], on: ['EIO'] },
  mkdir: { once: ['ENOSPC'], on: ['EACCES'] },
  close: { once: ['EIO'], on: ['EDQUOT'] },
  stat: { once: ['EIO'], on: ['EACCES'] },
  list: { once: ['EMFILE'], on: ['EACCES'] },
  lock: { once: ['ENOLCK'], on: ['ENOLCK'] },
  map: { once: ['ENOMEM'], on: ['ENOMEM'] },
  memfd: { once: ['EMFILE'], on: ['ENOSYS'] },
  spawn: { once: ['EAGAIN'], on: ['ENOMEM'] },
  fork: { once: ['EAGAIN'], on: ['EAGAIN'] },
  pipe: { once: ['EMFILE'], on: ['EMFILE'] },
  affinity: { once: ['EINVAL'], on: ['EINVAL'] },
};
const ofLoading = new Set(['open', 'read', 'stat', 'list']);

export async function run([wanted = '2000', only = 'all', seed = 'faults', minutes = 'Infinity']) {
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-faults-'));
  try {
    const library = buildFaults(folder);
    if (library === null) return console.log('skipped: there is no gcc');
    const sweeps = workNames
      .filter((work) => only === 'all' || only === work)
      .flatMap((work) =>
        Object.entries(ways).flatMap(([call, { once, on }]) => {
          if (work === 'loading' && !ofLoading.has(call)) return [];
          return [...once.map((error) => ({ error, isOn: false })), ...on.map((error) => ({ error, isOn: true }))].map(
            (way) => ({ work, call, ...way }),
          );
        }),
      );
    const counted = new Map();
    const rows = new Map();
    const random = createRandom(seed);
    const queue = [];
    for (const one of sweeps) {
      const { work, call } = one;
      if (!counted.has(work)) counted.set(work, await Sweep.count(work, { library }));
      const { counts, state } = counted.get(work);
      const count = counts[call];
      if (count === 0) continue;
      const sweep = new Sweep({ ...one, library });
      rows.set(sweep.name, { count, tried: 0, wrong: 0 });
      queue.push({ sweep, state, left: shuffled(count, random) });
    }
    const positions = queue.reduce((sum, { left }) => sum + left.length, 0);
    console.log(`${queue.length} sweeps with ${positions} positions; at most ${wanted} faults`);
    const faults = inTurns(queue).slice(0, Number(wanted));
    const end = performance.now() + Number(minutes) * 60_000;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = faults.shift(); next !== undefined && performance.now() < end; next = faults.shift()) {
          const { sweep, at, state } = next;
          const found = await sweep.fault(at, state);
          const row = rows.get(sweep.name);
          row.tried++;
          if (found.wrong.length === 0) continue;
          row.wrong++;
          const said = [found.log, ...(found.next === 0 ? [] : [found.nextLog])].map((log) =>
            log.slice(0, 1500).trim(),
          );
          console.log(
            `${sweep.name}, call ${at}: ${found.wrong.join('; ')} (${found.status})\n${said.join('\n---\n')}\n`,
          );
        }
      }),
    );
    const all = [...rows].filter(([, { tried }]) => tried > 0);
    printTable(
      ['work', 'sweeps', 'exact', 'faults', 'not as they should be'],
      [...workNames, 'all'].flatMap((work) => {
        const own = all.filter(([name]) => work === 'all' || name.startsWith(`${work}, `)).map(([, row]) => row);
        const sum = (of) => own.reduce((total, row) => total + row[of], 0);
        if (own.length === 0) return [];
        return [[work, own.length, own.filter(({ wrong }) => wrong === 0).length, sum('tried'), sum('wrong')]];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shuffled(count, random) {
  const left = Array.from({ length: count }, (_, index) => index + 1);
  return Array.from({ length: count }, () => left.splice(random.int(left.length), 1)[0]);
}

/** One position of each sweep, then a second of each, and so on. */
function inTurns(queue) {
  const most = Math.max(0, ...queue.map(({ left }) => left.length));
  return Array.from({ length: most }, (_, turn) =>
    queue.flatMap(({ sweep, state, left }) => (turn < left.length ? [{ sweep, state, at: left[turn] }] : [])),
  ).flat();
}
