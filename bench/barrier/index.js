// How far apart the two sides' clocks are after the barrier has released them.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPage, getAffinity, removePage, sharedMemoryDirectory } from '@deadheat/sync';
import { printMachine, printTable, quantile } from '../lib/tools.js';

const barriers = 50_000;
const sidePath = fileURLToPath(new URL('./side.js', import.meta.url));

export async function run() {
  printMachine();
  const cpus = getAffinity();
  if (cpus.length < 2) return console.log('skipped: one CPU');
  const page = createPage(sharedMemoryDirectory());
  try {
    const [a, b] = await Promise.all(
      [0, 1].map(async (party) => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [sidePath, page.path, String(party), String(cpus[party]), String(barriers)],
          { encoding: 'buffer', maxBuffer: 1e8 },
        );
        return new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
      }),
    );
    const skews = Array.from(a, (stamp, i) => Math.abs(stamp - b[i]))
      .slice(100)
      .sort((x, y) => x - y);
    const us = (p) => `${(quantile(skews, p) / 1e3).toFixed(2)} us`;
    printTable(
      ['barriers', 'median skew', '90 %', '99 %', '99.9 %', 'must reach'],
      [[barriers, us(0.5), us(0.9), us(0.99), us(0.999), 'median <= 0.5 us, 99 % <= 20 us']],
    );
  } finally {
    removePage(page.path);
  }
}
