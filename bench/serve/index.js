// npm run bench -- serve [COMMITS] [BENCHMARKS]: what a page of the dashboard costs over 100 000 comparisons, out of a folder and out of
// PostgreSQL.
// npm run bench -- serve deaf [CLIENTS] [WORKERS]: what clients cost that follow a fleet and do not read.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, printMachine, printTable } from '../lib/tools.js';
import { startPostgres, whyNoPostgres } from '../lib/postgres.js';
import { fillPlaces } from '../store/fill-places.js';

const [script, deafScript] = ['./pages.js', './deaf.js'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const rounds = '11';

/** Arguments: commits (2000), benchmarks of each commit (50). */
export async function run(args = []) {
  if (args[0] === 'deaf') return deaf(args.slice(1));
  const [commits = '2000', benchmarks = '50'] = args;
  printMachine();
  const why = whyNoPostgres();
  if (why !== null) console.log(`without PostgreSQL: ${why}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-serve-'));
  const server = why === null ? startPostgres() : null;
  try {
    const places = await fillPlaces({ commits: Number(commits), benchmarks: Number(benchmarks), folder, server });
    console.log(`${Number(commits) * Number(benchmarks)} comparisons: ${commits} commits x ${benchmarks} benchmarks\n`);
    for (const [name, place] of places) {
      const { firstMs, startMs, completeMs, pages, rssBytes } = JSON.parse(
        execFileSync(process.execPath, [script, place, rounds, commits], { encoding: 'utf8', maxBuffer: 1 << 26 }),
      );
      printTable(
        [`${name}: page`, 'median', 'slowest', 'after a push', 'size', 'goal'],
        pages.map((page) => [
          page.name,
          `${page.medianMs.toFixed(0)} ms`,
          `${page.slowestMs.toFixed(0)} ms`,
          `${page.changedMs.toFixed(0)} ms`,
          `${(page.bytes / 1e3).toFixed(0)} kB`,
          '300 ms',
        ]),
      );
      const first = firstMs === null ? '' : `the first start ever ${(firstMs / 1e3).toFixed(1)} s, `;
      console.log(
        `\n${first}start ${(startMs / 1e3).toFixed(1)} s, what changed complete after ${(completeMs / 1e3).toFixed(1)} s, then ${(rssBytes / 1e6).toFixed(0)} MB of memory\n`,
      );
    }
  } finally {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Arguments: clients (200), workers of the fleet that they follow (1000). */
async function deaf([clients = '200', workers = '1000']) {
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-serve-'));
  mkdirSync(join(folder, 'history'));
  const server = fork(deafScript, [join(folder, 'history'), workers]);
  const sockets = [];

  async function rounds(count) {
    const [times, memory] = [[], []];
    for (let round = 0; round < count; round++) {
      for (const path of ['', 'benchmarks', 'fleet', 'api/v1/fleet/workers']) {
        const began = performance.now();
        const response = await fetch(`${url}${path}`);
        await response.text();
        if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
        times.push(performance.now() - began);
      }
      server.send('memory');
      memory.push((await once(server, 'message'))[0].rssBytes);
      await sleep(500);
    }
    return { times, most: Math.max(...memory) };
  }

  function print(who, { times, most }) {
    const pages = `pages ${median(times).toFixed(0)} ms, the slowest ${Math.max(...times).toFixed(0)} ms`;
    console.log(`${who}: ${pages}, at most ${(most / 1e6).toFixed(0)} MB of memory`);
  }

  let url = '';
  try {
    [{ url }] = await once(server, 'message');
    const { hostname, port } = new URL(url);

    function follow(count) {
      for (let at = 0; at < count; at++) {
        const socket = connect(Number(port), hostname).pause();
        socket.write('GET /api/v1/fleet/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
        sockets.push(socket.on('error', () => undefined));
      }
    }

    // One that follows: the state is made and sent every second either way.
    follow(1);
    print('1 client', await rounds(40));
    follow(Number(clients) - 1);
    print(`${clients} clients`, await rounds(60));
  } finally {
    for (const socket of sockets) socket.destroy();
    server.disconnect();
    await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}
