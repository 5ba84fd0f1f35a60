// What the harness itself costs: an empty function measured by it, by mitata and by tinybench in the same process, and
// the time between the iterations of a duet.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPage, getAffinity, removePage, sharedMemoryDirectory } from '@deadheat/sync';
import { median, printMachine, printTable, quantile } from '../lib/tools.js';

const processes = 5;
const iterations = 20_000;
const emptyPath = fileURLToPath(new URL('./empty.js', import.meta.url));
const sidePath = fileURLToPath(new URL('./side.js', import.meta.url));
const execute = promisify(execFile);

export async function run() {
  printMachine();
  await measureEmptyFunction();
  await measureBetweenIterations();
}

async function measureEmptyFunction() {
  const results = [];
  for (let k = 0; k < processes; k++) {
    const { stdout } = await execute(process.execPath, [emptyPath]);
    results.push(JSON.parse(stdout));
  }
  const of = (key) => median(results.map((result) => result[key]));
  const ns = (value) => `${value.toFixed(3)} ns`;
  const above = median(results.map(({ harness, mitata }) => harness - mitata));
  printTable(
    ['empty function', 'harness', 'mitata', 'tinybench', 'harness - mitata', 'must reach'],
    [
      [
        `median of ${processes} processes`,
        ns(of('harness')),
        ns(of('mitata')),
        ns(of('tinybench')),
        ns(above),
        '<= 1 ns',
      ],
    ],
  );
}

async function measureBetweenIterations() {
  const cpus = getAffinity();
  const directory = sharedMemoryDirectory();
  if (cpus.length < 2 || directory === null) return console.log('\nskipped: a duet needs two CPUs and shared memory');
  const page = createPage(directory);
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  try {
    const sides = await Promise.all(
      ['A', 'B'].map(async (side, party) => {
        const { stdout } = await execute(process.execPath, [sidePath, String(cpus[party])], {
          env: {
            ...process.env,
            DEADHEAT_SIDE: side,
            DEADHEAT_PAGE: page.path,
            DEADHEAT_RECORD: join(folder, side),
            DEADHEAT_ITERATIONS: String(iterations),
          },
          maxBuffer: 1e8,
        });
        return JSON.parse(stdout);
      }),
    );
    console.log();
    printTable(
      ['side', 'iterations', 'from end to start: median', '90 %', '99 %', 'must reach'],
      sides.map((gapsNs, party) => {
        const us = (p) => `${(quantile(gapsNs, p) / 1e3).toFixed(2)} us`;
        return ['AB'[party], iterations, us(0.5), us(0.9), us(0.99), 'median <= 15 us'];
      }),
    );
  } finally {
    removePage(page.path);
    rmSync(folder, { recursive: true, force: true });
  }
}
