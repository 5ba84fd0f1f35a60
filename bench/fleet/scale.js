// How much a fleet takes: simulated workers that sleep instead of making runs, and one real submitter, over a database of their own.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPooler, whyNoPooler } from '../lib/pooler.js';
import { startPostgres } from '../lib/postgres.js';
import { printMachine, printTable, root } from '../lib/tools.js';

const bin = join(root, 'packages/cli/bin/deadheat.js');
const leaseMs = 30_000;
/** Ticks of the kernel's clock a second, in which it counts CPU time. */
const ticks = 100;

/**
 * @param workers how many are simulated
 * @param runs of one experiment
 * @param runMs for which a worker sleeps instead of each run
 * @param pooled whether all connections but those that measure go through a pooler of transactions with 50 connections
 */
export async function scale({ workers, runs, runMs, pooled }) {
  printMachine();
  if (pooled && whyNoPooler() !== null) {
    console.log(`skipped: ${whyNoPooler()}`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-scale-'));
  const server = startPostgres({ connections: pooled ? 100 : workers + 50 });
  const pooler = pooled ? startPooler({ server: server.folder, connections: 50 }) : null;
  const url = (pooler ?? server).url('postgres', 'postgres');
  const ending = new AbortController();
  const counts = { takes: 0, stored: 0, dropped: 0 };
  let making = [];
  try {
    const sample = await sampleResult({ url, folder });
    server.sql(
      'set client_min_messages = warning; truncate deadheat_fleet.experiment, deadheat_fleet.worker cascade; vacuum full',
    );
    const sizeBefore = Number(server.sql("select pg_database_size('postgres')"));
    const enrolBeganMs = performance.now();
    const simulated = await enrolAll({ url, workers, sample });
    const enrolS = (performance.now() - enrolBeganMs) / 1e3;
    making = simulated.map((worker) => work(worker, { sample, runMs, counts, signal: ending.signal }));
    const submitter = submit({ url, folder, name: 'scale', runs });
    let connections = 0;
    let cpuS = 0;
    while (submitter.child.exitCode === null && submitter.child.signalCode === null) {
      cpuS = cpuSeconds(submitter.child.pid) ?? cpuS;
      connections = Math.max(
        connections,
        Number(server.sql("select count(*) from pg_stat_activity where backend_type = 'client backend'")) - 1,
      );
      await sleep(Math.min(2000, 200 + runs / 10));
    }
    if (submitter.child.exitCode !== 0) throw new Error(readFileSync(submitter.log, 'utf8'));
    const seconds = Number(
      server.sql('select extract(epoch from max(finished_at) - min(started_at)) from deadheat_fleet.run'),
    );
    const size = Number(server.sql("select pg_database_size('postgres')")) - sizeBefore;
    const idle = counts.takes;
    const idleSeconds = 10;
    await sleep(idleSeconds * 1000);
    printTable(
      ['', `${workers} workers, ${runs} runs of ${runMs} ms${pooled ? ', pooled' : ''}`],
      [
        ['all workers enrolled in', `${enrolS.toFixed(1)} s`],
        ['from the first run to the end of the last', `${seconds.toFixed(1)} s`],
        ['throughput', `${(runs / seconds).toFixed(0)} runs/s`],
        ['of what the workers could make', `${((100 * runs * runMs) / 1e3 / workers / seconds).toFixed(0)} %`],
        ['connections of the database at most', String(connections)],
        ['size of the database', `${(size / 1e6).toFixed(1)} MB, ${(size / runs).toFixed(0)} bytes a run`],
        ['CPU time of the submitter', `${cpuS.toFixed(1)} s, ${((cpuS / runs) * 1e3).toFixed(2)} ms a run`],
        [
          'polls of an idle worker in 10 s, just after its last run',
          ((counts.takes - idle) / workers / (idleSeconds / 10)).toFixed(2),
        ],
        ['results that did not count', String(counts.dropped)],
      ],
    );
  } finally {
    ending.abort();
    await Promise.allSettled(making);
    pooler?.stop();
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function submit({ url, folder, name, runs }) {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: ${name}\nseed: scale\nruns: ${runs}\nmax-time: none\nmethods: [sequential]\nbenchmarks:\n  nothing: { command: 'true' }\n`,
  );
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  const args = ['run', file, '--fleet', url, '--code', 'here', '--output', join(folder, name), '--style', 'basic'];
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', output, output] });
  return { child, log };
}

/** What a real worker of this machine stores for a run, which the simulated ones store as well. */
async function sampleResult({ url, folder }) {
  const log = join(folder, 'worker.log');
  const output = openSync(log, 'a');
  const own = ['--directory', join(folder, 'worker'), '--lock-directory', join(folder, 'lock')];
  const worker = spawn(process.execPath, [bin, 'worker', '--fleet', url, '--allow-commands', ...own], {
    stdio: ['ignore', output, output],
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  try {
    while (!readFileSync(log, 'utf8').includes('is ready')) {
      if (worker.exitCode !== null) throw new Error(readFileSync(log, 'utf8'));
      await sleep(50);
    }
    const { child, log: submitterLog } = submit({ url, folder, name: 'sample', runs: 2 });
    const status = await new Promise((resolve) => child.once('exit', resolve));
    if (status !== 0) throw new Error(readFileSync(submitterLog, 'utf8'));
    const client = await connected(url);
    const { rows } = await client.query('select host, trial from deadheat_fleet.run_result limit 1');
    const versions = await client.query('select tool_version as version from deadheat_fleet.worker limit 1');
    await client.end();
    return { ...rows[0], version: versions.rows[0].version };
  } finally {
    worker.kill('SIGTERM');
    await ended;
  }
}

async function connected(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Simulated workers, 20 at a time, each with a connection. */
async function enrolAll({ url, workers, sample }) {
  const enrolled = [];
  const numbers = Array.from({ length: workers }, (_, index) => index);
  const enrolNext = async () => {
    for (let index = numbers.shift(); index !== undefined; index = numbers.shift()) {
      const client = await connected(url);
      const [id, session] = [`simulated-${index}`, randomUUID()];
      const { rows: own } = await client.query('select pg_backend_pid() as pid');
      const direct = own[0].pid === client.processID;
      const machine = JSON.stringify(sample.host.machine);
      const values = [id, randomUUID(), session, machine, '{}', sample.version, leaseMs, direct];
      const { rows } = await client.query(
        'select deadheat_fleet.enroll($1, $2, $3, $4, $5, $6, $7, $8) as number',
        values,
      );
      if (direct) await client.query(`listen deadheat_worker_${rows[0].number}`);
      enrolled.push({ id, session, client, direct });
    }
  };
  await Promise.all(Array.from({ length: 20 }, enrolNext));
  return enrolled;
}

/** What a worker does (packages/fleet/src/worker/run-worker.ts), with a sleep in place of each run. */
async function work({ id, session, client, direct }, { sample, runMs, counts, signal }) {
  let waking = new AbortController();
  let isCalled = false;
  let workedAtMs = -Infinity;
  client.on('notification', () => {
    isCalled = true;
    waking.abort();
  });
  while (!signal.aborted) {
    isCalled = false;
    counts.takes++;
    const { rows } = await client.query('select * from deadheat_fleet.take($1, $2, $3)', [id, session, leaseMs]);
    if (rows.length === 0) {
      waking = new AbortController();
      const brisk = !direct && performance.now() - workedAtMs < 30_000;
      if (!isCalled) {
        const either = AbortSignal.any([waking.signal, signal]);
        await sleep(brisk ? 500 : 10_000, undefined, { signal: either }).catch(() => undefined);
      }
      continue;
    }
    const { token, benchmark, phase, run } = rows[0];
    await sleep(runMs);
    const values = [
      { ...sample.host, id, labels: {} },
      { ...sample.trial, benchmark, phase, run },
    ];
    const stored = await client.query("select deadheat_fleet.store($1, $2, $3, false, '[]', null, null) as stored", [
      token,
      ...values.map((value) => JSON.stringify(value)),
    ]);
    if (stored.rows[0].stored) counts.stored++;
    else counts.dropped++;
    workedAtMs = performance.now();
  }
  await client.end();
}

/** CPU time of a process so far, s; `null` = it has ended. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticks;
  } catch {
    return null;
  }
}
