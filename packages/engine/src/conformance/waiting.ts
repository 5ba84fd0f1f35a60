import { readdirSync, readFileSync } from 'node:fs';

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
/** A busy loop is executed all the time that it is not queued; the kernel counts the time in the queue at its end. */
const leastShare = 1 / 4;

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
