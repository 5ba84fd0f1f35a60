// What a history costs: 10 000 000 iterations pushed into PostgreSQL and into a folder, and a series over 5000 commits out of both.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, printMachine, printTable } from '../lib/tools.js';
import { startPostgres, whyNoPostgres } from '../lib/postgres.js';
import { fillPlaces } from './fill-places.js';

const script = (name) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));
const runs = 20;
const rounds = 11;

/** Arguments: number of iterations (10 000 000), commits (5000), benchmarks of each commit (1). */
export async function run([iterations = '10000000', commits = '5000', benchmarks = '1'] = []) {
  printMachine();
  const why = whyNoPostgres();
  if (why !== null) console.log(`without PostgreSQL: ${why}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-store-'));
  const server = why === null ? startPostgres() : null;
  try {
    await push(Number(iterations), { folder, server });
    console.log();
    await series({ commits: Number(commits), benchmarks: Number(benchmarks), folder, server });
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function push(iterations, { folder, server }) {
  const recording = join(folder, 'recording');
  // Made in a process of its own, whose memory is not that of the push.
  execFileSync(process.execPath, [
    '--max-old-space-size=6000',
    script('record'),
    recording,
    String(runs),
    String(iterations),
  ]);
  const rows = [];
  for (const [name, place] of [
    ['PostgreSQL', server?.url()],
    ['folder', join(folder, 'pushed')],
  ]) {
    if (place === undefined) continue;
    const { seconds, peakBytes } = JSON.parse(execFileSync(process.execPath, [script('push'), recording, place]));
    rows.push([
      `${name}: ${iterations} iterations`,
      `${seconds.toFixed(1)} s`,
      `${(peakBytes / 1e6).toFixed(0)} MB`,
      '60 s, 400 MB',
    ]);
  }
  const stored = server?.sql('select pg_database_size(current_database())');
  printTable(['push', 'time', 'peak RSS', 'goal'], rows);
  if (stored !== undefined) console.log(`\nthe database then takes ${(Number(stored) / 1e6).toFixed(0)} MB`);
}

async function series({ commits, benchmarks, folder, server }) {
  const places = await fillPlaces({ commits, benchmarks, folder, server });
  const rows = [];
  for (const [name, at] of places) {
    // The first look makes the index.
    const { times, points } = JSON.parse(execFileSync(process.execPath, [script('series'), at, String(rounds)]));
    if (points !== commits) throw new Error(`${name}: ${points} points of ${commits}`);
    rows.push([
      `${name}: ${commits} commits x ${benchmarks} benchmarks`,
      `${(times[0] / 1000).toFixed(1)} s`,
      `${median(times.slice(1)).toFixed(0)} ms`,
      '100 ms',
    ]);
  }
  printTable(['series of one benchmark', 'first look', 'median of the next', 'goal'], rows);
}
