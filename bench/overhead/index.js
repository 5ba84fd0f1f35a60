// What the tool itself costs a pair, and whether 10 000 pairs make it grow.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printMachine, printTable, root } from '../lib/tools.js';

export async function run() {
  printMachine();
  const rows = [];
  for (const pairs of [1000, 10_000]) {
    const directory = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
    const recording = join(directory, 'recording');
    const args = ['--runs', String(pairs), '--output', recording, '--style', 'none', '/bin/true', '/bin/true'];
    const child = spawn(process.execPath, [join(root, 'core/cli/bin/deadheat.js'), ...args], { stdio: 'ignore' });
    let peak = 0;
    const samples = [];
    const timer = setInterval(() => {
      const kib = residentKib(child.pid);
      peak = Math.max(peak, kib);
      samples.push(kib);
    }, 500);
    await new Promise((resolve) => child.once('close', resolve));
    clearInterval(timer);
    const trials = readFileSync(join(recording, 'trials.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    rmSync(directory, { recursive: true });
    const starts = trials.map(({ sides }) => Math.min(sides.A.iterations[0].s, sides.B.iterations[0].s));
    const ends = trials.map(({ sides }) => Math.max(sides.A.iterations[0].e, sides.B.iterations[0].e));
    const gaps = starts.slice(1).map((start, i) => (start - ends[i]) / 1e6);
    gaps.sort((a, b) => a - b);
    const ms = (p) => `${gaps[Math.floor(gaps.length * p)].toFixed(2)} ms`;
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    rows.push([
      trials.length,
      `${mean.toFixed(2)} ms`,
      ms(0.5),
      ms(0.99),
      `${((samples[2] ?? 0) / 1024).toFixed(0)} MB`,
      `${(peak / 1024).toFixed(0)} MB`,
    ]);
  }
  printTable(
    ['pairs of `true`', 'outside the timed path, mean', 'median', '99 %', 'RSS after 1.5 s', 'peak RSS'],
    rows,
  );
  console.log('must reach: <= 2 ms a pair, < 150 MB');
}

function residentKib(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
