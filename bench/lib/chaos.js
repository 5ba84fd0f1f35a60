// A fleet whose workers are killed, stopped, cut off and out of disk, whose pooler and database are lost, and what is left of its
// experiment in the end.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@deadheat/stats';
import { makeNamespaces } from './namespaces.js';
import { startPooler } from './pooler.js';
import { startPostgres } from './postgres.js';

// The addresses of the namespaces are no other machines.
const env = { ...process.env, DEADHEAT_ALLOW_PLAINTEXT: '1' };
const bin = fileURLToPath(new URL('../../core/cli/bin/deadheat.js', import.meta.url));

/**
 * Events: what they happen to, for how long, s, at least and at most, and what is done at its beginning and end. A worker that ends by
 * itself is started again after a second, as by systemd.
 */
const kinds = {
  /** A worker gets SIGKILL. */
  kill: { of: 'worker', lastsS: [0.2, 4], begin: ({ kill }) => kill(), end: ({ start }) => start() },
  /** A worker gets SIGSTOP, and SIGCONT after its lease has run out, mostly. */
  hang: {
    of: 'worker',
    lastsS: [2, 8],
    begin: ({ child }) => child.kill('SIGSTOP'),
    end: ({ child }) => child.kill('SIGCONT'),
  },
  /** A worker is off the network. */
  cut: { of: 'worker', lastsS: [1, 6], begin: ({ cut }) => cut(), end: ({ mend }) => mend() },
  /** Nothing fits into the folder of a worker any more. */
  disk: {
    of: 'worker',
    lastsS: [2, 5],
    begin: ({ ballast }) => fill(ballast),
    end: ({ ballast }) => rmSync(ballast, { force: true }),
  },
  /** The pooler is killed. */
  pooler: { of: 'pooler', lastsS: [0.5, 2], begin: (pooler) => pooler.crash(), end: (pooler) => pooler.start() },
  /** The database ends without a word. */
  database: { of: 'database', lastsS: [0.5, 3], begin: (server) => server.crash(), end: (server) => server.start() },
};

/**
 * Runs an experiment over workers in network namespaces while one event after the other befalls them, their pooler or their database, in
 * the random order of a seed. Every second worker, and who submits, come through the pooler, which gives every transaction any connection.
 *
 * @param events how many of each of `kinds`
 * @param pauseMs between the beginnings of two events, on average
 * @param mostS how long an event lasts at most, whatever its kind
 * @param executionS of each side in each run
 * @param lease of the workers
 */
export async function chaos(options) {
  const { workers, runs, events, pauseMs, mostS = Infinity, executionS, lease, seed, log = () => {} } = options;
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-chaos-'));
  const namespaces = makeNamespaces(workers);
  const { address, network, names } = namespaces;
  const port = 20000 + (process.pid % 10000);
  const server = startPostgres({ tcp: { address, port, trusted: network } });
  const pooler = startPooler({
    server: server.folder,
    serverPort: port,
    connections: 5,
    tcp: { address, port: port + 10000 },
  });
  const beganMs = Date.now();
  const say = (text) => log(`${((Date.now() - beganMs) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const pooled = pooler.url('postgres', 'postgres');
  const fleet = names.map((name, index) => makeWorker({ name, index, folder, lease, namespaces, say, server, pooled }));
  const over = new AbortController();
  const happening = new Set();
  try {
    for (const worker of fleet) worker.start();
    while (fleet.some((worker) => !readFileSync(worker.log, 'utf8').includes('is ready'))) {
      const ended = fleet.find(({ child }) => isOver(child));
      if (ended !== undefined) throw new Error(`a worker ended: ${readFileSync(ended.log, 'utf8')}`);
      await sleep(100);
    }
    say(`${workers} workers are ready, each in a network namespace of its own`);
    const submitter = submit({ folder, url: pooled, runs, executionS, seed });
    // What it says when the first runs are in queues; before that a lost database is an error.
    while (!isOver(submitter.child) && !/experiment \w+ on /.test(readFileSync(submitter.log, 'utf8'))) await sleep(50);
    const ended = new Promise((resolve) => {
      const end = (status) => {
        over.abort();
        resolve(status);
      };
      if (isOver(submitter.child)) end(submitter.child.exitCode);
      else submitter.child.on('exit', end);
    });
    const wanted = shuffled(
      Object.entries(events).flatMap(([kind, count]) => Array.from({ length: count }, () => kind)),
      random,
    );
    const happened = [];
    for (const kind of wanted) {
      await sleep(pauseMs * (0.5 + random.int(1000) / 1000), undefined, { signal: over.signal }).catch(() => undefined);
      const { of, lastsS, begin, end } = kinds[kind];
      const everything = { worker: fleet, pooler: [pooler], database: [server] }[of];
      const isFree = (one) => !happening.has(one) && (of !== 'worker' || !isOver(one.child));
      while (!over.signal.aborted && !everything.some(isFree)) await sleep(100);
      if (over.signal.aborted) break;
      const free = everything.filter(isFree);
      const subject = free[random.int(free.length)];
      const s = lastsS[0] + (random.int(1000) / 1000) * (Math.min(mostS, lastsS[1]) - lastsS[0]);
      happened.push({ kind, subject, atMs: Date.now() });
      say(
        `${happened.length} of ${wanted.length}: ${kind}${of === 'worker' ? ` of worker ${subject.index + 1}` : ''} for ${s.toFixed(1)} s`,
      );
      happening.add(subject);
      begin(subject);
      void sleep(s * 1000, undefined, { signal: over.signal })
        .catch(() => undefined)
        .then(() => {
          end(subject);
          happening.delete(subject);
        });
    }
    const status = await ended;
    say(`the submitter ended with ${status}`);
    while (happening.size > 0) await sleep(50);
    const ask = (text) => server.sql(text).split('\n');
    const trials = readFileSync(join(submitter.recording, 'trials.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const kills = happened.filter(({ kind }) => kind === 'kill');
    const logs = fleet.map((worker) => readFileSync(worker.log, 'utf8'));
    return {
      status,
      submitterLog: readFileSync(submitter.log, 'utf8'),
      workerLogs: logs,
      /** How many events of each kind there were. */
      events: countBy(happened, ({ kind }) => kind),
      seconds: (Date.now() - beganMs) / 1000,
      trials,
      runs: trials.map(({ run }) => run).sort((a, b) => a - b),
      /** Runs by host. */
      hosts: countBy(trials, ({ host }) => host),
      stored: Number(ask('select count(*) from deadheat_fleet.run_result')[0]),
      /** Runs whose result here is not the one in the database. */
      different: differences(trials, ask('select trial from deadheat_fleet.run_result order by run')),
      attempts: Number(ask('select sum(attempt) from deadheat_fleet.run')[0]),
      /** How long it took until a run in hand was begun again elsewhere, ms, of every killing that hit one. */
      restartMs: restarts(kills, fleet),
      /** How often a worker ended by itself. */
      falls: fleet.reduce((sum, worker) => sum + worker.falls, 0),
      dropped: logs.reduce((sum, text) => sum + text.split('was dropped').length - 1, 0),
      leftovers: processesWith(`sleep\0${executionS}\0`),
    };
  } finally {
    over.abort();
    while (happening.size > 0) await sleep(50);
    await Promise.all(fleet.map((worker) => worker.stop()));
    pooler.stop();
    server.stop();
    namespaces.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A worker in a namespace, its folder on a disk of 1 MB. */
function makeWorker({ name, index, folder, lease, namespaces, say, server, pooled }) {
  const own = join(folder, `w${index}`);
  mkdirSync(own);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', own]);
  const url = index % 2 === 0 ? server.url('postgres', 'postgres') : pooled;
  const words = [
    'fleet',
    'worker',
    '--fleet',
    url,
    '--allow-commands',
    '--label',
    `number=${index + 1}`,
    '--lease',
    lease,
  ];
  const places = ['--directory', own, '--lock-directory', join(folder, `l${index}`)];
  let isWanted = true;
  const worker = {
    index,
    log: join(folder, `worker-${index + 1}.log`),
    ballast: join(own, 'ballast'),
    child: null,
    falls: 0,
    cut: () => namespaces.cut(index),
    mend: () => namespaces.mend(index),
    start: () => {
      if (!isWanted) return;
      const output = openSync(worker.log, 'a');
      const child = spawn('ip', ['netns', 'exec', name, process.execPath, bin, ...words, ...places], {
        stdio: ['ignore', output, output],
        env,
      });
      worker.child = child;
      child.on('exit', () => {
        if (!isWanted || worker.child !== child) return;
        worker.falls++;
        say(`worker ${index + 1} ended by itself`);
        worker.child = null;
        setTimeout(worker.start, 1000);
      });
    },
    kill: () => {
      const { child } = worker;
      worker.child = null;
      child.kill('SIGKILL');
    },
    stop: async () => {
      isWanted = false;
      const { child } = worker;
      if (!isOver(child)) {
        const ended = new Promise((resolve) => child.on('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      execFileSync('umount', ['-l', own]);
    },
  };
  return worker;
}

function submit({ folder, url, runs, executionS, seed }) {
  const command = `sleep ${executionS}`;
  const file = join(folder, 'chaos.yaml');
  const sides = `{ A: { command: '${command}', environment: { X: a } }, B: { command: '${command}', environment: { X: b } } }`;
  writeFileSync(
    file,
    `name: chaos\nseed: ${seed}\nruns: ${runs}\nmethods: [sequential]\nbenchmarks:\n  sleep: ${sides}\n`,
  );
  const recording = join(folder, 'recording');
  const log = join(folder, 'submitter.log');
  const output = openSync(log, 'a');
  const child = spawn(
    process.execPath,
    [bin, 'run', file, '--on', `fleet:${url}`, '--code', 'here', '--output', recording, '--style', 'basic'],
    { stdio: ['ignore', output, output], env },
  );
  return { child, log, recording };
}

/** Fills the disk of a file. */
function fill(path) {
  for (let size = 1 << 18; size >= 1024; size /= 2) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Nothing of that size fits any more.
    }
  }
}

function shuffled(items, random) {
  const left = [...items];
  return items.map(() => left.splice(random.int(left.length), 1)[0]);
}

function isOver(child) {
  return child === null || child.exitCode !== null || child.signalCode !== null;
}

function countBy(items, keyOf) {
  const counts = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

function differences(trials, stored) {
  const own = (trial) => JSON.stringify([trial.run, trial.wallNs, trial.sides.A.iterations, trial.sides.B.iterations]);
  const known = new Set(stored.map((line) => own(JSON.parse(line))));
  return trials.filter((trial) => !known.has(own(trial))).map(({ run }) => run);
}

function restarts(killings, fleet) {
  const starts = fleet.flatMap((worker) =>
    readFileSync(worker.log, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, at, run] = /^(\S+Z) .*: run (\d+) of/.exec(line) ?? [];
        if (at !== undefined) return [{ kind: 'start', worker, atMs: Date.parse(at), run: Number(run) }];
        const [, end] = /^(\S+Z) .*: stored/.exec(line) ?? [];
        return end === undefined ? [] : [{ kind: 'end', worker, atMs: Date.parse(end) }];
      }),
  );
  return killings.flatMap(({ atMs, subject: worker }) => {
    const last = starts.findLast((one) => one.worker === worker && one.atMs <= atMs);
    if (last?.kind !== 'start') return [];
    const again = starts.filter((one) => one.kind === 'start' && one.run === last.run && one.atMs > atMs);
    return again.length === 0 ? [] : [{ run: last.run, ms: Math.min(...again.map((one) => one.atMs)) - atMs }];
  });
}

function processesWith(text) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}
