// How long it takes to find the segments of a benchmark's runs, classify them and compute every interval: each of the data sets of
// 10 x 3 000 iterations, on two workers that share the runs. Where R with its package changepoint is installed, it looks for the same
// change points in the same run.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { chooseMethod, segmentInterval } from '../../core/analysis/dist/segments/segment-interval.js';
import { classifyBenchmark } from '../../core/analysis/dist/steady-state/classify-run.js';
import { createRandom, varianceComponents } from '@deadheat/stats';
import { flatten } from '../lib/flatten-runs.js';
import { median, printMachine, printTable } from '../lib/tools.js';

const workers = 2;
const data = join(
  process.env.DEADHEAT_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'steady-state',
);

/** Detection and classes on the workers; components, choice and all six intervals here. */
async function analyse(pool, series) {
  const started = performance.now();
  const parts = await Promise.all(
    pool.map((worker, k) =>
      ask(
        worker,
        series.filter((_, r) => r % workers === k),
      ),
    ),
  );
  const found = parts.flat();
  const sample = flatten(found);
  const components = varianceComponents(sample);
  classifyBenchmark(found.map((run) => run.class));
  chooseMethod(components);
  for (const segments of ['aware', 'ignorant']) {
    for (const kind of ['normal', 't', 'resampling'])
      segmentInterval(sample, { segments, kind }, { random: createRandom(kind) });
  }
  return { ms: performance.now() - started, segments: components.segments };
}

function ask(worker, series) {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(series);
  });
}

const script = `
suppressMessages(library(changepoint))
runs <- readLines("runs.txt")
began <- proc.time()[["elapsed"]]
for (line in runs) {
  x <- as.numeric(strsplit(line, " ")[[1]])
  n <- length(x)
  suppressWarnings(cpt.meanvar(x, method = "PELT", penalty = "CROPS", pen.value = c(4 * log(n), 1e5 * log(n))))
}
cat(1000 * (proc.time()[["elapsed"]] - began))
`;

function withR(series) {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  try {
    writeFileSync(join(folder, 'runs.txt'), series.map((run) => run.join(' ')).join('\n'));
    return Number(execFileSync('Rscript', ['-e', script], { cwd: folder, encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function run(args) {
  printMachine();
  if (!existsSync(data)) {
    console.log(`skipped: there are no data sets in ${data} (DEADHEAT_DATA)`);
    return;
  }
  const hasR = spawnSync('Rscript', ['-e', 'library(changepoint)']).status === 0;
  const files = readdirSync(data)
    .filter((file) => file.endsWith('.json.gz'))
    .slice(0, args[0] === undefined ? undefined : Number(args[0]));
  const pool = Array.from({ length: workers }, () => new Worker(new URL('./worker.js', import.meta.url)));
  const rows = [];
  for (const file of files) {
    const { series } = JSON.parse(gunzipSync(readFileSync(join(data, file))).toString());
    if (rows.length === 0) await analyse(pool, series);
    const { ms, segments } = await analyse(pool, series);
    rows.push({ file, ms, segments, r: hasR ? withR(series) : null });
  }
  await Promise.all(pool.map((worker) => worker.terminate()));
  const shown = rows.toSorted((a, b) => a.ms - b.ms);
  const of = (list) => list.map(({ ms }) => ms);
  const time = (ms) => (ms === null ? '-' : `${(ms / 1000).toFixed(2)} s`);
  printTable(
    ['10 runs of 3 000 iterations', 'segments', 'two workers', 'R changepoint, CROPS only', 'goal'],
    [
      ...[shown[0], shown.at(-1)].map(({ file, segments, ms, r }) => [
        file.slice(0, 40),
        segments,
        time(ms),
        time(r),
        '',
      ]),
      [
        `median of ${rows.length}`,
        median(rows.map(({ segments }) => segments)),
        time(median(of(rows))),
        time(hasR ? median(rows.map(({ r }) => r)) : null),
        '3 s',
      ],
    ],
  );
  if (!hasR) console.log('R with the package changepoint is not installed here, so there is no comparison.');
}
