// What every suite needs: where things are, the workloads, how to run the tool, how to print a table.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workloadCommand } from '@deadheat/workloads';
import { calibrate } from '../../core/workloads/dist/agree-on-amount.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const out = join(root, 'bench/out');
const deadheatPath = join(root, 'core/cli/bin/deadheat.js');

/**
 * Runs the tool and returns its report and what it cost. `plain`: a subcommand that takes no folder for its recording; where it makes
 * one it is lost. `command`: words behind all options; `exitCodes`: those that are no failure.
 */
export async function deadheat(
  args,
  { environment = {}, output = null, plain = false, cwd = null, command = [], exitCodes = [0] } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-bench-'));
  const json = join(directory, 'report.json');
  try {
    const child = spawn(
      process.execPath,
      [
        deadheatPath,
        ...args,
        ...(plain ? [] : ['--output', output ?? join(directory, 'recording')]),
        '--export',
        `json:${json}`,
        '--style',
        'none',
        ...command,
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...environment },
        ...(plain ? { cwd: directory } : cwd === null ? {} : { cwd }),
      },
    );
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    const began = performance.now();
    const status = await new Promise((resolve) => child.once('close', resolve));
    const wallMs = performance.now() - began;
    if (!exitCodes.includes(status)) throw new Error(`deadheat ${args.join(' ')} ended with ${status}:\n${errors}`);
    return { report: JSON.parse(readFileSync(json, 'utf8')), wallMs };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Gives the command of a workload in C, to be executed as a whole, for an amount of work; `further` as in its order. */
export function workload(name, further = {}) {
  return (amount) => workloadCommand({ workload: name, amount, iterations: 1, ...further }, 'c');
}

/**
 * The amount with which a command uses about `milliseconds` of CPU time, its start included. What was extrapolated is corrected, since a
 * unit may cost less the more there are: virtual machines compile what runs long.
 */
export function calibrateCommand(command, milliseconds) {
  const measure = (amount) => Math.min(...Array.from({ length: 5 }, () => cpuMs(command(amount)))) * 1e6;
  let amount = calibrate(measure, milliseconds * 1e6);
  const start = measure(1);
  const wanted = Math.max(milliseconds * 1e6 - start, (milliseconds * 1e6) / 5);
  for (let correction = 0; correction < 3; correction++) {
    const work = measure(amount) - start;
    if (work > 0) amount = Math.max(1, Math.round((amount * wanted) / work));
  }
  return amount;
}

/**
 * User and system time of one execution, told in whole milliseconds: unlike its wall time no neighbour makes it much longer. bash takes a socket
 * on its standard input for a login from elsewhere and would read the user's file of commands.
 */
export function cpuMs(words, environment = process.env) {
  const script = `TIMEFORMAT='%3U %3S'; { time "$@" > /dev/null 2>&3; } 3>&2`;
  const { stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    encoding: 'utf8',
    env: environment,
  });
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return (user + system) * 1000;
}

/** A command as the tool takes it: one text, its words quoted. */
export function quote(words) {
  return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return quantile(sorted, 0.5);
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export function quantile(sorted, p) {
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
}

/** A Markdown table, its columns aligned. */
export function tableText(header, rows) {
  const text = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...text.map((row) => row[column].length), 3));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(text[0]), rule, ...text.slice(1).map(line)].join('\n');
}

export const printTable = (header, rows) => console.log(tableText(header, rows));

export function printMachine() {
  const [first] = cpus();
  console.log(`Machine: ${cpus().length} x ${first?.model.trim()}, Node ${process.version}\n`);
}

/** Interval width relative to the estimate, in percent. */
export function widthPercent({ low, high }) {
  return (high - low) * 100;
}

/** The known words among the arguments of a bench, and the number, `count` when absent. Throws for any other word. */
export function readArguments(given, { bench, known, count }) {
  const asked = known.filter((word) => given.includes(word));
  const number = Number(given.find((word) => /^\d+$/.test(word)) ?? count);
  const unknown = given.filter((word) => ![...asked, String(number)].includes(word));
  if (unknown.length > 0) throw new RangeError(`${bench} takes no ${unknown.join(' and no ')}`);
  return { asked, number };
}

export function percent(value) {
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(1)} %`;
}

export function times(value) {
  return `${value < 10 ? value.toPrecision(2) : value.toFixed(0)}x`;
}

/** `3 slower, 1 undecided`: how often each word stands among them. */
export function countsOf(words) {
  return [...new Set(words)].map((word) => `${words.filter((one) => one === word).length} ${word}`).join(', ');
}
