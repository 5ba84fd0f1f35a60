// How much a fleet takes: simulated workers, whose runs are timers, and one real submitter, over a database of their own.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPooler, whyNoPooler } from '../lib/pooler.js';
import { startPostgres } from '../lib/postgres.js';
import { printMachine, printTable, root } from '../lib/tools.js';

const bin = join(root, 'core/cli/bin/deadheat.js');
const simulation = fileURLToPath(new URL('simulated-workers.js', import.meta.url));
/** Processes that the simulated workers share. */
const processes = 2;
/** Ticks of the kernel's clock a second, in which it counts CPU time. */
const ticks = 100;
/** For how long idle workers are watched, s: two of their pauses. */
const idleS = 20;
/** What counts statements. */
const settings = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.max=500'];

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
  // The disks of so many machines are not this one's.
  const disks = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'deadheat-scale-'));
  const server = startPostgres({ connections: pooled ? 100 : workers + 50, settings });
  const pooler = pooled ? startPooler({ server: server.folder, connections: 50 }) : null;
  const url = (pooler ?? server).url('postgres', 'postgres');
  const simulated = [];
  try {
    server.sql('create extension pg_stat_statements');
    const sample = await sampleResult({ server, url, folder });
    server.sql(
      'set client_min_messages = warning; truncate deadheat_fleet.experiment, deadheat_fleet.worker cascade; vacuum full',
    );
    const before = readCounts(server);
    const enrolBeganMs = performance.now();
    for (let index = 0; index < processes; index++) {
      const [first, end] = [index, index + 1].map((part) => Math.floor((workers * part) / processes));
      const options = { url, folder: disks, first, workers: end - first, runMs, sample, toolVersion: sample.version };
      simulated.push(
        spawn(process.execPath, [simulation, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] }),
      );
    }
    await Promise.all(
      simulated.map(({ stdout }) =>
        Promise.race([
          once(stdout, 'data'),
          once(stdout, 'end').then(() => Promise.reject(new Error('the simulated workers ended'))),
        ]),
      ),
    );
    const enrolS = (performance.now() - enrolBeganMs) / 1e3;
    const enrolled = readCounts(server);
    const cpuOfWorkers = () => simulated.reduce((sum, { pid }) => sum + (usageOf(pid)?.cpuS ?? 0), 0);
    const enrolledS = cpuOfWorkers();
    const submitter = submit({ url, folder, name: 'scale', runs });
    let connections = 0;
    let submitted = { cpuS: 0, peakBytes: 0 };
    while (submitter.child.exitCode === null && submitter.child.signalCode === null) {
      submitted = usageOf(submitter.child.pid) ?? submitted;
      connections = Math.max(
        connections,
        Number(server.sql("select count(*) from pg_stat_activity where backend_type = 'client backend'")) - 1,
      );
      await sleep(2000);
    }
    if (submitter.child.exitCode !== 0) throw new Error(readFileSync(submitter.log, 'utf8'));
    const done = readCounts(server);
    const madeS = cpuOfWorkers();
    const found = server.sql(
      "select count(*), count(distinct run), max(attempt), extract(epoch from max(finished_at) - min(started_at)) from deadheat_fleet.run where state = 'gathered'",
    );
    const [stored, different, attempts, seconds] = found.split('|').map(Number);
    await sleep(idleS * 1000);
    const idle = readCounts(server);
    const perRun = (count, digits = 1) => ((done[count] - enrolled[count]) / runs).toFixed(digits);
    printTable(
      ['', `${workers} workers, ${runs} runs of ${runMs / 1000} s${pooled ? ', pooled' : ''}`],
      [
        ['all workers enrolled in', `${enrolS.toFixed(1)} s`],
        ['statements an enrolment', ((enrolled.statements - before.statements) / workers).toFixed(1)],
        ['from the first run to the end of the last', `${seconds.toFixed(1)} s`],
        ['throughput', `${(runs / seconds).toFixed(1)} runs/s`],
        ['of what the workers could make', `${((100 * runs * runMs) / 1e3 / workers / seconds).toFixed(0)} %`],
        [
          'runs stored once, at the first attempt',
          `${stored === runs && different === runs ? 'all' : 'NOT ALL'}, ${attempts === 1 ? 'all' : 'NOT ALL'}`,
        ],
        ['connections of the database at most', String(connections)],
        ['statements a run', perRun('statements')],
        ['rows that statements gave or changed, a run', perRun('rows')],
        ['write-ahead log a run', `${perRun('walBytes', 0)} bytes`],
        ['size of the database a run', `${perRun('sizeBytes', 0)} bytes`],
        ['CPU time of the database a run', `${((1e3 * (done.cpuS - enrolled.cpuS)) / runs).toFixed(2)} ms`],
        ['CPU time of the submitter a run', `${((1e3 * submitted.cpuS) / runs).toFixed(2)} ms`],
        ['CPU time of a worker a run', `${((1e3 * (madeS - enrolledS)) / runs).toFixed(2)} ms`],
        ['memory of the submitter at most', `${(submitted.peakBytes / 1e6).toFixed(0)} MB`],
        [
          'polls of an idle worker in 10 s, just after its last run',
          ((idle.takes - done.takes) / workers / (idleS / 10)).toFixed(2),
        ],
      ],
    );
    console.log('');
    const own = server.sql(
      "select calls, rows, wal_bytes, regexp_replace(left(query, 90), '\\s+', ' ', 'g') from pg_stat_statements order by calls desc limit 14",
    );
    printTable(
      ['calls a run', 'rows a run', 'log a run, bytes', 'statement'],
      own.split('\n').map((line) => {
        const [calls, rows, walBytes, ...query] = line.split('|');
        const share = (count) => (Number(count) / runs).toFixed(2);
        return [share(calls), share(rows), share(walBytes), query.join('|')];
      }),
    );
  } finally {
    for (const child of simulated) child.stdin.end();
    const living = simulated.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(living.map((child) => once(child, 'exit')));
    pooler?.stop();
    server.stop();
    for (const one of [folder, disks]) rmSync(one, { recursive: true, force: true });
  }
}

/** What a database did so far. */
function readCounts(server) {
  const counts = server.sql(`select (select coalesce(sum(calls), 0) from pg_stat_statements),
    (select coalesce(sum(rows), 0) from pg_stat_statements),
    (select coalesce(sum(calls), 0) from pg_stat_statements where query like '%deadheat_fleet.take(%'),
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), pg_database_size('postgres')`);
  const [statements, rows, takes, walBytes, sizeBytes] = counts.split('|').map(Number);
  return { statements, rows, takes, walBytes, sizeBytes, cpuS: cpuOfTree(server.pid()) };
}

function submit({ url, folder, name, runs }) {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: ${name}\nseed: scale\nruns: ${runs}\nmax-time: none\nmethods: [sequential]\nbenchmarks:\n  nothing: { command: 'true' }\n`,
  );
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  const args = ['run', file, '--on', `fleet:${url}`, '--code', 'here', '--output', join(folder, name)];
  const child = spawn(process.execPath, [bin, ...args, '--style', 'basic'], { stdio: ['ignore', output, output] });
  return { child, log };
}

/** What a real worker of this machine stores for a run, which the simulated ones store as well. */
async function sampleResult({ server, url, folder }) {
  const log = join(folder, 'worker.log');
  const output = openSync(log, 'a');
  const own = ['--directory', join(folder, 'worker'), '--lock-directory', join(folder, 'lock')];
  const worker = spawn(process.execPath, [bin, 'fleet', 'worker', '--fleet', url, '--allow-commands', ...own], {
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
    return JSON.parse(
      server.sql(
        "select json_build_object('host', host, 'trial', trial, 'version', tool_version) from deadheat_fleet.run_result, deadheat_fleet.worker limit 1",
      ),
    );
  } finally {
    worker.kill('SIGTERM');
    await ended;
  }
}

/** What a process used so far; `null` = it has ended. */
function usageOf(pid) {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const { cpuS } = readStat(pid);
    return { cpuS, peakBytes: Number(peak?.[1] ?? 0) * 1024 };
  } catch {
    return null;
  }
}

/** CPU time of a process, of those that it started, and of those of them that have ended, s. */
function cpuOfTree(pid) {
  const own = readStat(pid);
  let cpuS = own.cpuS + own.endedS;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readStat(name);
      if (stat.parent === pid) cpuS += stat.cpuS;
    } catch {
      // It has ended in the meantime.
    }
  }
  return cpuS;
}

function readStat(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  return { parent: fields[1], cpuS: (fields[11] + fields[12]) / ticks, endedS: (fields[13] + fields[14]) / ticks };
}
