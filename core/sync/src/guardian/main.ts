import { spawnSync } from 'node:child_process';
import { sweepLedgers } from '../ledger.ts';
import { endAll, processesBelow, processesMarked, readStat } from '../processes.ts';
import { hookPatienceMs, type GuardianOrder } from './guardian.ts';

/**
 * The guardian is a process in a session of its own that waits for the end of its standard input, which comes when the
 * engine closes the pipe or dies for any reason. The guardian then ends the processes of its last order
 * and removes what is on the engine's ledger.
 *
 * First it does so for engines of which nothing is left that could: their guardian was killed with them.
 */
let order: GuardianOrder = { processes: [] };
let pending = '';

const repetitions = 8;
const repetitionMs = 1000;
const pollMs = 100;
const ledgerLooks = 5;
const pause = new Int32Array(new SharedArrayBuffer(4));

function carryOut(commands: readonly (readonly string[])[]): void {
  for (const [program = '', ...rest] of commands) spawnSync(program, rest, { stdio: 'ignore' });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
const engine = process.ppid;
sweepLedgers();

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (pending + text).split('\n');
  pending = lines.pop() ?? '';
  const last = lines.at(-1);
  if (last !== undefined) order = JSON.parse(last) as GuardianOrder;
});
process.stdin.on('end', () => {
  const { commands = [], marks = [], processes, later = [] } = order;
  carryOut(commands);
  endAll(() => {
    const roots = [...processes, ...processesMarked(marks)];
    return [...roots, ...roots.flatMap(processesBelow)];
  });
  sweepLedgers();
  // The kernel may close the pipe of an engine that ends before it gives the engine's ledger free.
  for (let again = 0; again < ledgerLooks && process.ppid !== engine; again++) {
    Atomics.wait(pause, 0, 0, pollMs);
    sweepLedgers();
  }
  // A container that was being created when the engine died may appear only after the first attempt.
  for (let again = 0; again < repetitions && commands.length > 0; again++) {
    Atomics.wait(pause, 0, 0, repetitionMs);
    carryOut(commands);
  }
  const end = performance.now() + hookPatienceMs;
  while (later.some((pid) => readStat(pid) !== null) && performance.now() < end) Atomics.wait(pause, 0, 0, pollMs);
  endAll(() => [...later, ...later.flatMap(processesBelow)]);
});
