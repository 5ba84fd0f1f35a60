// What it takes to read, pair and judge the records of programs with very many iterations, in a process of its own each time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, printMachine, printTable } from '../lib/tools.js';
import { writeRecords } from './write-records.js';

const rounds = 5;
const script = (name) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

export async function run() {
  printMachine();
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-records-'));
  try {
    writeRecords(directory, { runs: 2, iterations: 250_000 });
    const rows = ['sync-duet', 'async-duet'].map((method) => {
      const results = Array.from({ length: rounds }, () =>
        JSON.parse(execFileSync(process.execPath, [script('judge'), directory, method])),
      );
      const middle = (field) => median(results.map((result) => result[field]));
      return [
        method,
        `${middle('readMs').toFixed(0)} ms`,
        `${middle('judgeMs').toFixed(0)} ms`,
        `${(middle('readMs') + middle('judgeMs')).toFixed(0)} ms`,
        `${(middle('peakBytes') / 1e6).toFixed(0)} MB`,
        '2000 ms, 400 MB',
      ];
    });
    printTable(['2 runs x 2 sides x 250 000 iterations', 'read', 'judge', 'both', 'peak RSS', 'goal'], rows);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  console.log();
  const times = Array.from({ length: rounds }, () => JSON.parse(execFileSync(process.execPath, [script('pair')])));
  printTable(
    ['pairing by overlap', 'median', 'goal'],
    [['100 000 x 100 000 iterations', `${median(times).toFixed(1)} ms`, '200 ms']],
  );
}
