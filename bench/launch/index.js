// `true` timed by deadheat and by hyperfine -N, in turns.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deadheat, median, out, printMachine, printTable } from '../lib/tools.js';

const rounds = 5;
const runs = 400;

export async function run() {
  printMachine();
  try {
    execFileSync('hyperfine', ['--version'], { stdio: 'ignore' });
  } catch {
    return console.log('skipped: hyperfine is not installed (apt-get install hyperfine)');
  }
  const rows = [];
  for (let round = 0; round < rounds; round++) {
    const { report } = await deadheat(['--runs', String(runs), '/bin/true', '/bin/true']);
    const single = await deadheat(['--runs', String(runs), '--method', 'sequential', '/bin/true', '/bin/true']);
    mkdirSync(out, { recursive: true });
    const json = join(out, 'hyperfine.json');
    execFileSync('hyperfine', ['-N', '--runs', String(runs), '--warmup', '5', '--export-json', json, '/bin/true'], {
      stdio: 'ignore',
    });
    const hyperfine = JSON.parse(readFileSync(json, 'utf8')).results[0].median * 1e6;
    const us = (value) => median(value.comparisons[0].sides.A.times) * 1e6;
    rows.push({ duet: us(report), sequential: us(single.report), hyperfine });
  }
  const middle = (key) => median(rows.map((row) => row[key]));
  const shown = (key) => `${middle(key).toFixed(0)} us`;
  printTable(
    ['median of `true`', 'deadheat sync-duet', 'deadheat sequential', 'hyperfine -N', 'sequential / hyperfine'],
    [
      [
        `${rounds} rounds x ${runs}`,
        shown('duet'),
        shown('sequential'),
        shown('hyperfine'),
        median(rows.map(({ sequential, hyperfine }) => sequential / hyperfine)).toFixed(3),
      ],
    ],
  );
  console.log(`duet / hyperfine ${median(rows.map(({ duet, hyperfine }) => duet / hyperfine)).toFixed(3)}`);
}
