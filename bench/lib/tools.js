// What every suite needs: where things are, how to build the workloads, how to run the tool, how to print a table.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const out = join(root, 'bench/out');
const deadheatPath = join(root, 'packages/cli/bin/deadheat.js');

/** Compiles a C file of bench/lib with gcc; returns the program's path. */
export function build(name, ...flags) {
  mkdirSync(out, { recursive: true });
  const program = join(out, name);
  execFileSync('gcc', ['-O2', '-Wall', '-o', program, join(root, `bench/lib/${name}.c`), ...flags]);
  return program;
}

/** Runs the tool and returns its report and what it cost. */
export async function deadheat(args, { environment = {} } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  const json = join(directory, 'report.json');
  try {
    const child = spawn(
      process.execPath,
      [deadheatPath, '--export-json', json, '--output', join(directory, 'recording'), '--style', 'none', ...args],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...environment } },
    );
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    const began = performance.now();
    const status = await new Promise((resolve) => child.once('close', resolve));
    const wallMs = performance.now() - began;
    if (status !== 0) throw new Error(`deadheat ${args.join(' ')} ended with ${status}:\n${errors}`);
    return { report: JSON.parse(readFileSync(json, 'utf8')), wallMs };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Starts a neighbour; `null` for none. Returns what ends it. */
export function startNeighbour(program, { kind, seed, cpus: on }) {
  if (kind === 'none') return { stop: async () => {} };
  const child = spawn(program, [kind, String(seed), ...on.map(String)], { stdio: ['pipe', 'inherit', 'inherit'] });
  return {
    stop: () =>
      new Promise((resolve) => {
        child.once('close', resolve);
        child.stdin.end();
      }),
  };
}

/** Smallest count with which a workload takes about `milliseconds` on its own. */
export function calibrate(program, { kind, milliseconds }) {
  const time = (count) => {
    const runs = Array.from({ length: 5 }, () => {
      const began = performance.now();
      execFileSync(program, [kind, String(count)], { stdio: 'ignore' });
      return performance.now() - began;
    });
    return Math.min(...runs);
  };
  const base = time(1);
  let count = 8;
  while (time(count) - base < milliseconds / 4 && count < 1e6) count *= 2;
  const perCount = (time(count) - base) / count;
  return Math.max(1, Math.round(Math.max(milliseconds - base, milliseconds / 5) / perCount));
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return quantile(sorted, 0.5);
}

export function quantile(sorted, p) {
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
}

/** A Markdown table, its columns aligned. */
export function printTable(header, rows) {
  const text = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...text.map((row) => row[column].length), 3));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  console.log(line(text[0]));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const row of text.slice(1)) console.log(line(row));
}

export function printMachine() {
  const [first] = cpus();
  console.log(`Machine: ${cpus().length} x ${first?.model.trim()}, Node ${process.version}\n`);
}

/** Interval width relative to the estimate, in percent. */
export function widthPercent({ low, high }) {
  return (high - low) * 100;
}

export function percent(value) {
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(1)} %`;
}

export function times(value) {
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(0)}x`;
}
