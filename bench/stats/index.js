// npm run bench -- stats [--write] [CASE...]: a table of times and memory against goals and peers.
// --write puts it into docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleSize } from './bundle-size.js';

// [case, what, goal in ms (null: none), what others take, where that was not measured here]
const rows = [
  [
    'fork-bootstrap-1000',
    'Bootstrap of a ratio, 2 versions x 5 forks x 50 iterations x 1 000 invocations, 3 levels, 1 000 replicates, 2 workers',
    2000,
    'Go tool pa 0.1.0: 27 s, 4.3 GB',
  ],
  ['fork-bootstrap-10000', 'The same, 10 000 replicates', null, ''],
  [
    'three-stage',
    'Bootstrap of 20 runs x 5 segments x 200 measurements, 3 stages, 33 000 replicates, 2 workers',
    1500,
    '',
  ],
  [
    'pelt-1m',
    'PELT, mean and variance, 1 000 000 points, a change every 500, exact',
    900,
    'R changepoint 2.3 (C): 0.9 s',
  ],
  ['pelt-20k-none', 'PELT, 20 000 points without a change, exact', 2000, ''],
  ['pelt-100k-none', 'PELT, 100 000 points without a change, exact', null, ''],
  ['pelt-100k-approximate', 'PELT, the same, approximate (500 candidates)', 1000, ''],
  [
    'pelt-100k-approximate-steps',
    'PELT, 100 000 points, a change every 10 000, approximate (500 candidates)',
    1000,
    '',
  ],
  ['crops', 'All optimal segmentations (CROPS), penalties 4 ln n to 100 000 ln n', null, ''],
  ['bca', 'BCa interval, 9 999 replicates of the mean of 20', 10, ''],
  ['percentile', 'Percentile interval, 10 000 replicates of the mean of 10', 5, ''],
  ['mann-whitney', 'Mann-Whitney U, 1 000 000 against 1 000 000', 600, ''],
  ['ucv', 'Bandwidth by cross-validation, 100 000 values', 100, ''],
];

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

const measure = (name) => {
  const child = spawnSync(process.execPath, [script('measure.js'), name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`case ${name} failed with exit code ${child.status}`);
  return JSON.parse(child.stdout);
};

/** A peer's figures, or null where it is not installed. Python's own interpreter first: Debian's packages belong to it. */
const peer = (commands, file) => {
  for (const command of commands) {
    const child = spawnSync(command, [script(file)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    if (child.status === 0) return JSON.parse(child.stdout.trim().split('\n').at(-1));
  }
  return null;
};

const duration = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`);
const size = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`;

export const run = async (args) => {
  const chosen = args.filter((arg) => !arg.startsWith('--'));
  const selected = rows.filter(([name]) => chosen.length === 0 || chosen.includes(name));
  const peers =
    chosen.length === 0
      ? [peer(['/usr/bin/python3', 'python3'], 'peers/peers.py'), peer(['Rscript'], 'peers/peers.R')].filter(Boolean)
      : [];
  const lines = ['| what | time | goal | memory (whole process) | others | notes |', '|---|---|---|---|---|---|'];
  for (const [name, what, goal, others] of selected) {
    const result = measure(name);
    const measured = peers.filter((p) => p[name] !== undefined).map((p) => `${p.name}: ${duration(p[name])}`);
    const verdict = goal === null ? '' : `${duration(goal)} ${result.ms <= goal ? 'reached' : 'MISSED'}`;
    const beside = [...measured, others && `${others} (not in this run)`].filter(Boolean).join('; ');
    lines.push(
      `| ${what} | ${duration(result.ms)} | ${verdict} | ${size(result.maxRssBytes)} | ${beside} | ${result.note ?? ''} |`,
    );
    console.error(`${name}: ${duration(result.ms)}`);
  }
  if (chosen.length === 0) {
    const { gzipBytes } = await bundleSize();
    const right = gzipBytes <= 40_000 ? 'reached' : 'MISSED';
    lines.push(
      `| Whole package, one minified browser module | ${(gzipBytes / 1000).toFixed(1)} kB gzip | 40 kB ${right} | | | |`,
    );
  }
  const table = lines.join('\n');
  console.log(table);
  if (args.includes('--write')) write(table);
};

const write = (table) => {
  const file = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
  const machine = `${availableParallelism()} cores, ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  const section = `<!-- stats -->\n\nMachine: ${machine}. Other programs ran on it at times.\n\n${table}\n\n<!-- /stats -->`;
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/<!-- stats -->[\s\S]*<!-- \/stats -->/, () => section),
  );
};
