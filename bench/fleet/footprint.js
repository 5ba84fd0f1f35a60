// What a worker costs the runs that it makes: A/A intervals of the same experiment here, here beside an idle worker, and by a worker.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mean, meanInterval } from '../lib/mean-interval.js';
import { startPostgres } from '../lib/postgres.js';
import { calibrateCommand, deadheat, printMachine, printTable, quote, root, workload } from '../lib/tools.js';

const bin = join(root, 'core/cli/bin/deadheat.js');
const runs = 40;
const milliseconds = 50;
const variants = ['without a worker', 'beside an idle worker', 'by the worker'];

export async function footprint(rounds) {
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-footprint-'));
  const server = startPostgres();
  const url = server.url('postgres', 'postgres');
  const integer = workload('integer');
  const command = quote(integer(calibrateCommand(integer, milliseconds)));
  const file = join(folder, 'aa.yaml');
  writeFileSync(
    file,
    `name: footprint\nruns: ${runs}\nswap: run\nmax-time: none\nbenchmarks:\n  integer: { command: ${JSON.stringify(command)} }\n`,
  );
  const widths = Object.fromEntries(variants.map((name) => [name, []]));
  const times = Object.fromEntries(variants.map((name) => [name, []]));
  const measure = async (name, round) => {
    const worker = name === variants[0] ? null : await startWorker(url, folder);
    try {
      const where = name === variants[2] ? ['--on', `fleet:${url}`, '--code', 'here'] : [];
      const { report } = await deadheat(['run', file, '--seed', `footprint ${round}`, ...where]);
      const { interval, sides } = report.comparisons[0];
      widths[name].push(Math.log(interval.high / interval.low));
      times[name].push(sides.A.median);
    } finally {
      if (worker !== null) {
        worker.kill('SIGTERM');
        await new Promise((resolve) => worker.once('close', resolve));
      }
    }
  };
  try {
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < variants.length; turn++)
        await measure(variants[(turn + round) % variants.length], round);
    }
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${rounds} rounds of an A/A sync-duet each: ${runs} runs of ${milliseconds} ms\n`);
  const rows = variants.map((name) => [
    name,
    `${(mean(widths[name]) * 100).toFixed(2)} %`,
    ratioTo(widths[variants[0]], widths[name]),
    `${(mean(times[name]) * 1e3).toFixed(2)} ms`,
    ratioTo(times[variants[0]], times[name]),
  ]);
  printTable(
    ['', 'width of the interval', 'of that without, 95 % CI', 'median time of A', 'of that without, 95 % CI'],
    rows,
  );
}

async function startWorker(url, folder) {
  const log = join(folder, 'worker.log');
  rmSync(log, { force: true });
  const output = openSync(log, 'w');
  const own = ['--directory', join(folder, 'worker'), '--lock-directory', join(folder, 'lock')];
  const child = spawn(process.execPath, [bin, 'fleet', 'worker', '--fleet', url, '--allow-commands', ...own], {
    stdio: ['ignore', output, output],
  });
  while (!readFileSync(log, 'utf8').includes('is ready')) {
    if (child.exitCode !== null) throw new Error(`the worker ended: ${readFileSync(log, 'utf8')}`);
    await sleep(50);
  }
  return child;
}

/** Geometric mean of the paired ratios with its interval. */
function ratioTo(before, after) {
  if (before === after) return '1';
  const logs = after.map((value, round) => Math.log(value / before[round]));
  const { mean: centre, low, high } = meanInterval(logs);
  return `${Math.exp(centre).toFixed(2)} [${Math.exp(low).toFixed(2)}, ${Math.exp(high).toFixed(2)}]`;
}
