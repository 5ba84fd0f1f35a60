// Serves a history and asks for its pages, several times each; prints how long they took. Usage: pages.js PLACE ROUNDS
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { openHistory } from '@deadheat/history';
import { startServer } from '@deadheat/server';
import pg from 'pg';
import { median } from '../lib/tools.js';

const [, , place, rounds] = process.argv;
const isFolder = !place.startsWith('postgres:');

const start = async () => {
  const began = performance.now();
  const server = await startServer({
    openHistory: () => openHistory(place, { forWriting: false, variables: process.env }),
    fleet: null,
    renderReport: async () => '',
    tokens: [],
    host: '127.0.0.1',
    port: 0,
    toolVersion: '0.1.0',
    tell: (error) => console.error(error),
  });
  return { server, ms: performance.now() - began };
};

/** Changes the history as little as a push would, so that what was kept of it does not count any more. */
async function change(client) {
  if (client !== null) {
    await client.query("update deadheat.recording set pushed_at = clock_timestamp() where id = 'experiment-1'");
    return;
  }
  const report = join(place, readdirSync(place).find((name) => name.startsWith('r')) ?? '', 'report.json');
  const { mtime } = statSync(report);
  utimesSync(report, mtime, new Date(mtime.getTime() + 1000));
}

async function ask(url) {
  const began = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}\n${text}`);
  return { ms: performance.now() - began, bytes: text.length };
}

// The first look at a folder makes its index.
let firstMs = null;
if (isFolder) {
  const first = await start();
  firstMs = first.ms;
  await first.server.close();
}
const { server, ms: startMs } = await start();
const client = isFolder ? null : new pg.Client({ connectionString: place });
await client?.connect();
const series = 'project=parser&benchmark=benchmark+0&params=%7B%22size%22%3A%225%22%7D';
const pages = [];
for (const [name, path] of [
  ['projects', ''],
  ['benchmarks', 'benchmarks'],
  ['benchmarks by name', 'benchmarks?q=benchmark+1'],
  ['series', `series?${series}`],
  ['commits', 'commits'],
  ['last page of the commits', 'commits?page=100000'],
  ['experiment', 'experiments/experiment-1'],
  ['comparison', `experiments/experiment-1/comparison?${series}`],
  ['JSON: benchmarks', 'api/v1/benchmarks?limit=1000'],
  ['JSON: series', `api/v1/series?${series}`],
]) {
  const times = [];
  let bytes = 0;
  for (let round = 0; round < Number(rounds); round++) {
    const answer = await ask(`${server.url}${path}`);
    times.push(answer.ms);
    ({ bytes } = answer);
  }
  const changed = [];
  for (let round = 0; round < 3; round++) {
    await change(client);
    changed.push((await ask(`${server.url}${path}`)).ms);
  }
  pages.push({
    name,
    medianMs: median(times),
    slowestMs: Math.max(...times),
    changedMs: Math.max(...changed),
    bytes,
  });
}
const rssBytes = process.memoryUsage.rss();
await client?.end();
await server.close();
console.log(JSON.stringify({ firstMs, startMs, pages, rssBytes }));
