import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from './process-tree.ts';

/** How processes used CPUs while they were observed. */
export interface TaskObservation {
  /** How often there was a thread to look at. */
  readonly samples: number;
  /** Share of the samples in which a thread was running or waiting for a CPU, 0..1; 0 without samples. */
  readonly runnable: number;
  /** Mean number of such threads in those samples; 0 without any. */
  readonly tasks: number;
}

const everyMs = 4;

/**
 * Looks at the state of every thread of some processes every 4 ms, which costs some tenths of a millisecond each time: for
 * executions that are not judged. The state tells a thread that waits for a CPU from one that waits for anything else, which
 * the CPU time of processes does not. Where /proc does not exist there are no samples.
 *
 * @param processes gives the processes at each look
 * @returns what ends the observation and gives what was seen
 */
export function observeTasks(processes: () => readonly number[]): { stop(): TaskObservation } {
  let samples = 0;
  let busy = 0;
  let tasks = 0;
  const timer = setInterval(() => {
    const states = processes().flatMap(statesOf);
    if (states.length === 0) return;
    const runnable = states.filter((state) => state === 'R').length;
    samples++;
    if (runnable > 0) busy++;
    tasks += runnable;
  }, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return { samples, runnable: samples === 0 ? 0 : busy / samples, tasks: busy === 0 ? 0 : tasks / busy };
    },
  };
}

/** Processes below a process. */
export function processesBelow(pid: number): readonly number[] {
  if (!hasChildrenFiles) return descendants(pid);
  const found: number[] = [];
  const queue = [...childrenOf(pid)];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    found.push(next);
    queue.push(...childrenOf(next));
  }
  return found;
}

/** States of the threads of a process, without those that have ended. */
function statesOf(pid: number): readonly string[] {
  const states = names(`/proc/${pid}/task`).map((thread) => {
    const stat = text(`/proc/${pid}/task/${thread}/stat`);
    // The name in parentheses may itself hold spaces and parentheses.
    return stat.charAt(stat.lastIndexOf(')') + 2);
  });
  return states.filter((state) => state !== '' && state !== 'Z' && state !== 'X');
}

/** Whether the kernel lists the children of a thread (CONFIG_PROC_CHILDREN). */
const hasChildrenFiles = names('/proc/self/task').some((thread) =>
  names(`/proc/self/task/${thread}`).includes('children'),
);

function childrenOf(pid: number): readonly number[] {
  return names(`/proc/${pid}/task`).flatMap((thread) =>
    text(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
