import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the kernel's scheduler has counted of a thread so far. */
interface Counted {
  readonly executedNs: number;
  /** Time that it was ready to be executed and waited for a CPU. */
  readonly queuedNs: number;
  /** How often it was given a CPU. */
  readonly turns: number;
}

/** Threads of a process by their id. */
export type Threads = ReadonlyMap<string, Counted>;

/** What the thread of a program that was executed most did while the program waited at a barrier. */
export interface Waiting {
  readonly elapsedNs: number;
  readonly executedNs: number;
  /** Whether it held on to the CPU whenever it had one: neither slept nor gave it to somebody else. */
  readonly isBusyLoop: boolean;
}

/** A waiting thread that sleeps or yields has turns of some µs; the scheduler ends those of a busy loop after ms. */
const longTurnNs = 200e3;
/** A busy loop is executed all the time that it is not queued. */
const leastShare = 1 / 4;
/** So long a thread that was executed is given to be executed once more. */
const nextTurnMs = 250;

/** Reads what the kernel tells of a process; `null` where it tells nothing (`/proc/PID/task/TID/schedstat`). */
export function readThreads(pid: number): Threads | null {
  const folder = `/proc/${pid}/task`;
  const threads = new Map<string, Counted>();
  try {
    for (const id of readdirSync(folder)) {
      const fields = readFileSync(`${folder}/${id}/schedstat`, 'latin1').split(' ').map(Number);
      const [executedNs = 0, queuedNs = 0, turns = 0] = fields;
      threads.set(id, { executedNs, queuedNs, turns });
    }
  } catch {
    return null;
  }
  return threads;
}

/**
 * Reads again what the kernel tells of a process, at the end of a wait. It counts the time that a thread is queued only when the thread is executed
 * again, so that this is waited for: the one that was executed most since `before`, 250 ms at most.
 */
export async function readThreadsAfterTurn(pid: number, before: Threads | null): Promise<Threads | null> {
  const first = readThreads(pid);
  if (before === null || first === null) return first;
  const used = new Map([...first].map(([id, { executedNs }]) => [id, executedNs - executedOf(before, id)]));
  const [most = ''] = [...used].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const end = performance.now() + nextTurnMs;
  let last: Threads | null = first;
  while (last !== null && executedOf(last, most) === executedOf(first, most) && performance.now() < end) {
    await sleep(1);
    last = readThreads(pid);
  }
  return last ?? first;
}

function executedOf(threads: Threads, id: string): number {
  return threads.get(id)?.executedNs ?? 0;
}

/** What a process did between two readings; `null` when a reading is missing. */
export function compareThreads(
  before: Threads | null,
  after: Threads | null,
  { elapsedNs }: { readonly elapsedNs: number },
): Waiting | null {
  if (before === null || after === null) return null;
  let most: Waiting = { elapsedNs, executedNs: 0, isBusyLoop: false };
  for (const [id, now] of after) {
    const then = before.get(id);
    if (then === undefined) continue;
    const executedNs = now.executedNs - then.executedNs;
    if (executedNs <= most.executedNs) continue;
    const notQueuedNs = elapsedNs - (now.queuedNs - then.queuedNs);
    const turnNs = executedNs / (now.turns - then.turns + 1);
    const isBusyLoop = executedNs > leastShare * notQueuedNs && turnNs > longTurnNs;
    most = { elapsedNs, executedNs, isBusyLoop };
  }
  return most;
}
