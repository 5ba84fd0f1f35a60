// Serves a history and asks for its pages, several times each; prints how long they took. Usage: pages.js PLACE ROUNDS COMMITS
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from '../lib/tools.js';
import { serveHistory } from './serve-history.js';

const [, , place, rounds, commits] = process.argv;
const isFolder = !place.startsWith('postgres:');

const start = async () => {
  const began = performance.now();
  const server = await serveHistory(place);
  return { server, ms: performance.now() - began };
};

/** Pushes by a process of its own, as everywhere, so that its memory is not counted as the dashboard's. */
const pusher = fork(fileURLToPath(new URL('./push-more.js', import.meta.url)), [place]);

/** Pushes another recording, so that what was kept of the history does not count any more. */
async function push() {
  pusher.send('push');
  const [failure] = await once(pusher, 'message');
  if (failure !== null) throw new Error(failure);
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
const startedAtMs = performance.now();
const wasSearched = async () => !(await (await fetch(server.url)).text()).includes('are searched so far');
while (!(await wasSearched())) await new Promise((resolve) => setTimeout(resolve, 200));
const completeMs = startMs + performance.now() - startedAtMs;
const series = 'project=parser&benchmark=benchmark+0&params=%7B%22size%22%3A%225%22%7D';
const pages = [];
for (const [name, path] of [
  ['what changed', ''],
  ['two commits', `compare?from=c1&to=c${Math.min(900, Number(commits))}&show=all`],
  ['projects', 'projects'],
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
    await push();
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
await server.close();
pusher.disconnect();
console.log(JSON.stringify({ firstMs, startMs, completeMs, pages, rssBytes }));
