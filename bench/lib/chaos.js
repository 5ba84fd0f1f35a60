// A fleet whose workers are killed and whose database is lost, and what is left of its experiment in the end.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@deadheat/stats';
import { makeNamespaces } from './namespaces.js';
import { startPostgres } from './postgres.js';

// The addresses of the namespaces are no other machines.
const env = { ...process.env, DEADHEAT_ALLOW_PLAINTEXT: '1' };
const bin = fileURLToPath(new URL('../../packages/cli/bin/deadheat.js', import.meta.url));

/**
 * Runs an experiment over workers in network namespaces while workers are killed with SIGKILL at random moments, and come back after a
 * while, and the database is taken away once.
 *
 * @param kills how often a worker is killed, about every `killPauseMs`
 * @param outageMs how long the database is away; 0 = never
 * @param executionS of each side in each run
 */
export async function chaos({ workers, runs, kills, killPauseMs, outageMs, executionS, seed, log = () => {} }) {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-chaos-'));
  const namespaces = makeNamespaces(workers);
  const { address, network, names } = namespaces;
  const server = startPostgres({ tcp: { address, port: 20000 + (process.pid % 10000), trusted: network } });
  const beganMs = Date.now();
  const say = (text) => log(`${((Date.now() - beganMs) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const url = server.url('postgres', 'postgres');
  const fleet = names.map((name, index) => ({
    index,
    name,
    log: join(folder, `worker-${index + 1}.log`),
    child: null,
  }));
  const start = (worker) => {
    const output = openSync(worker.log, 'a');
    const own = ['--directory', join(folder, `w${worker.index}`), '--lock-directory', join(folder, `l${worker.index}`)];
    const args = [bin, 'worker', '--fleet', url, '--allow-commands', '--label', `number=${worker.index + 1}`, ...own];
    worker.child = spawn('ip', ['netns', 'exec', worker.name, process.execPath, ...args], {
      stdio: ['ignore', output, output],
      env,
    });
  };
  try {
    for (const worker of fleet) start(worker);
    while (fleet.some((worker) => !readFileSync(worker.log, 'utf8').includes('is ready'))) {
      const ended = fleet.find(({ child }) => isOver(child));
      if (ended !== undefined) throw new Error(`a worker ended: ${readFileSync(ended.log, 'utf8')}`);
      await sleep(100);
    }
    say(`${workers} workers are ready, each in a network namespace of its own`);
    const command = `sleep ${executionS}`;
    const file = join(folder, 'chaos.yaml');
    const sides = `{ A: { command: '${command}', environment: { X: a } }, B: { command: '${command}', environment: { X: b } } }`;
    writeFileSync(
      file,
      `name: chaos\nseed: ${seed}\nruns: ${runs}\nmethods: [sequential]\nbenchmarks:\n  sleep: ${sides}\n`,
    );
    const recording = join(folder, 'recording');
    const submitterLog = join(folder, 'submitter.log');
    const output = openSync(submitterLog, 'a');
    const submitter = spawn(
      process.execPath,
      [bin, 'run', file, '--fleet', url, '--code', 'here', '--output', recording, '--style', 'basic'],
      { stdio: ['ignore', output, output], env },
    );
    const ended = new Promise((resolve) => submitter.on('exit', resolve));
    // What it says when the first runs are in queues; before that a lost database is an error.
    while (!isOver(submitter) && !/experiment \w+ on /.test(readFileSync(submitterLog, 'utf8'))) await sleep(50);
    const killings = [];
    const outageAt = Math.floor(kills / 2);
    for (let kill = 0; kill < kills && !isOver(submitter); kill++) {
      await Promise.race([ended, sleep(killPauseMs * (0.5 + random.int(1000) / 1000))]);
      if (isOver(submitter)) break;
      if (kill === outageAt && outageMs > 0) {
        say('the database is taken away');
        server.crash();
        await sleep(outageMs);
        server.start();
        say(`the database is back after ${outageMs / 1000} s`);
      }
      const living = fleet.filter(({ child }) => !isOver(child));
      if (living.length === 0) {
        await sleep(500);
        kill -= 1;
        continue;
      }
      const worker = living[random.int(living.length)];
      worker.child.kill('SIGKILL');
      worker.child = null;
      killings.push({ atMs: Date.now(), worker });
      say(`worker ${worker.index + 1} is killed (${kill + 1} of ${kills})`);
      setTimeout(
        () => {
          if (!isOver(submitter) && worker.child === null) start(worker);
        },
        200 + random.int(4000),
      );
    }
    const status = await ended;
    say(`the submitter ended with ${status}`);
    const ask = (text) => server.sql(text).split('\n');
    const trials = readFileSync(join(recording, 'trials.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return {
      status,
      submitterLog: readFileSync(submitterLog, 'utf8'),
      kills: killings.length,
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
      restartMs: restarts(killings, fleet),
      dropped: fleet.reduce((sum, worker) => sum + readFileSync(worker.log, 'utf8').split('was dropped').length - 1, 0),
      leftovers: processesWith(`sleep\0${executionS}\0`),
    };
  } finally {
    for (const { child } of fleet) child?.kill('SIGTERM');
    await Promise.all(
      fleet.map(({ child }) => (isOver(child) ? null : new Promise((resolve) => child.on('exit', resolve)))),
    );
    server.stop();
    namespaces.remove();
    rmSync(folder, { recursive: true, force: true });
  }
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
  return killings.flatMap(({ atMs, worker }) => {
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
