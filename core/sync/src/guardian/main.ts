import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { isGone, ownerOfMark } from '../owner.ts';
import { removeAbandonedPages, sharedMemoryDirectory } from '../page.ts';
import { endAll, markedProcesses, processesBelow, processesMarked, readStat } from '../processes.ts';
import { guardianMark, hookPatienceMs, type GuardianOrder } from './guardian.ts';

/**
 * The guardian is a process in a session of its own that waits for the end of its standard input, which comes when the
 * engine closes the pipe or dies for any reason. The guardian then ends the processes and removes the files of its last
 * order.
 *
 * First it does so for engines of which nothing is left that could: their guardian was killed with them.
 */
let order: GuardianOrder = { processes: [], files: [] };
let pending = '';

const repetitions = 8;
const repetitionMs = 1000;
const pollMs = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

function carryOut(commands: readonly (readonly string[])[]): void {
  for (const [program = '', ...rest] of commands) spawnSync(program, rest, { stdio: 'ignore' });
}

/** Processes that were started for an engine that is gone. Its guardian may be at work, unless it was stopped. */
function abandonedProcesses(): readonly number[] {
  return [...markedProcesses()].flatMap(([pid, mark]) => {
    const owner = ownerOfMark(mark);
    if (owner === null || !isGone(owner)) return [];
    return mark.endsWith(guardianMark) && readStat(pid)?.state !== 'T' ? [] : [pid];
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
endAll(abandonedProcesses);
const directory = sharedMemoryDirectory();
if (directory !== null) removeAbandonedPages(directory);

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
  for (const file of order.files) rmSync(file, { force: true, recursive: true });
  // A container that was being created when the engine died may appear only after the first attempt.
  for (let again = 0; again < repetitions && commands.length > 0; again++) {
    Atomics.wait(pause, 0, 0, repetitionMs);
    carryOut(commands);
  }
  const end = performance.now() + hookPatienceMs;
  while (later.some((pid) => readStat(pid) !== null) && performance.now() < end) Atomics.wait(pause, 0, 0, pollMs);
  endAll(() => [...later, ...later.flatMap(processesBelow)]);
});
