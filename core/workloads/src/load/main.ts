import { hasNativeCalls, monotonicNowNs, setAffinity } from '@deadheat/sync';
import { integerWork, createMemoryData, memoryWork } from '../javascript/workloads.ts';

/**
 * One core's process of a load in JavaScript: `main.js CPU integer|memory`. It does the same as c/load.c and reads the
 * same lines from standard input. The event loop runs between slices, so that the end of the input is seen while the
 * process is busy.
 */
const [cpu = '', work = ''] = process.argv.slice(2);
const turnNs = 10e6;
const unitsPerLook = 10;
/** Timers of the event loop are late by up to a millisecond, so the last milliseconds are waited for without them. */
const coarseMs = 2;

const next = work === 'memory' ? createMemoryData() : null;
let at = 0;

function slice(): void {
  at = next === null ? integerWork(unitsPerLook) : memoryWork(unitsPerLook, next, at);
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

const phases: { readonly start: number; readonly end: number }[] = [];
let running = false;
let pending = '';

function turn(): void {
  const [phase] = phases;
  running = phase !== undefined;
  if (phase === undefined) return;
  const waitMs = (phase.start - monotonicNowNs()) / 1e6;
  if (waitMs > coarseMs) {
    setTimeout(turn, waitMs - coarseMs);
    return;
  }
  if (waitMs > 0) Atomics.wait(sleeper, 0, 0, waitMs);
  const until = Math.min(phase.end, monotonicNowNs() + turnNs);
  while (monotonicNowNs() < until) slice();
  if (until >= phase.end) phases.shift();
  setImmediate(turn);
}

if (hasNativeCalls()) setAffinity([Number(cpu)]);
else process.stderr.write(`load: not held to CPU ${cpu}: the C library cannot be called here\n`);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (pending + text).split('\n');
  pending = lines.pop() ?? '';
  for (const line of lines) {
    const [start = Number.NaN, end = Number.NaN] = line.split(' ').map(Number);
    phases.push({ start, end });
  }
  if (!running) turn();
});
process.stdin.on('end', () => process.exit(0));
process.stdout.write('ready\n');
