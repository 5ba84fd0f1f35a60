import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { kill, killDescendants, processesMarked } from '../processes.ts';
import type { GuardianOrder } from './guardian.ts';

/**
 * The guardian is a process in a session of its own that waits for the end of its standard input, which comes when the
 * engine closes the pipe or dies for any reason. The guardian then ends the processes and removes the files of its last
 * order.
 */
let order: GuardianOrder = { processes: [], files: [] };
let pending = '';

const repetitions = 8;
const repetitionMs = 1000;
const pause = new Int32Array(new SharedArrayBuffer(4));

function carryOut(commands: readonly (readonly string[])[]): void {
  for (const [program = '', ...rest] of commands) spawnSync(program, rest, { stdio: 'ignore' });
}

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (pending + text).split('\n');
  pending = lines.pop() ?? '';
  const last = lines.at(-1);
  if (last !== undefined) order = JSON.parse(last) as GuardianOrder;
});
process.stdin.on('end', () => {
  const { commands = [] } = order;
  carryOut(commands);
  const started = order.mark === undefined ? [] : processesMarked(order.mark);
  for (const pid of [...order.processes, ...started]) {
    // A process may start others while its children are being ended: look until none is found.
    while (killDescendants(pid) > 0);
    kill(pid);
  }
  for (const file of order.files) rmSync(file, { force: true, recursive: true });
  // A container that was being created when the engine died may appear only after the first attempt.
  for (let again = 0; again < repetitions && commands.length > 0; again++) {
    Atomics.wait(pause, 0, 0, repetitionMs);
    carryOut(commands);
  }
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
