import { readdirSync, readFileSync } from 'node:fs';
import { descendants } from './process-tree.ts';

/** How the processes below a process used CPUs while they were observed. */
export interface TaskObservation {
  /** How often there was a process to look at. */
  readonly samples: number;
  /** Share of the samples in which a thread was running or waiting for a CPU, 0..1; 0 without samples. */
  readonly runnable: number;
  /** Mean number of such threads in those samples; 0 without any. */
  readonly tasks: number;
}

const everyMs = 4;

/**
 * Looks at the state of every thread below a process every 4 ms, which costs some tenths of a millisecond each time: for
 * executions that are not judged. The state tells a thread that waits for a CPU from one that waits for anything else, which
 * the CPU time of a process tree does not. Where /proc does not exist there are no samples.
 *
 * @returns what ends the observation and gives what was seen
 */
export function observeTasks(pid: number): { stop(): TaskObservation } {
  let samples = 0;
  let busy = 0;
  let tasks = 0;
  const timer = setInterval(() => {
    const states = statesBelow(pid);
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

/** States of the threads below a process, zombies left out. */
function statesBelow(pid: number): readonly string[] {
  const states: string[] = [];
  const queue = [...childrenOf(pid)];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const thread of names(`/proc/${next}/task`)) {
      const stat = text(`/proc/${next}/task/${thread}/stat`);
      // The name in parentheses may itself hold spaces and parentheses.
      const state = stat.charAt(stat.lastIndexOf(')') + 2);
      if (state !== '' && state !== 'Z' && state !== 'X') states.push(state);
    }
    if (hasChildrenFiles) queue.push(...childrenOf(next));
  }
  return states;
}

/** Whether the kernel lists the children of a thread (CONFIG_PROC_CHILDREN). */
const hasChildrenFiles = names('/proc/self/task').some((thread) =>
  names(`/proc/self/task/${thread}`).includes('children'),
);

/** Children of a process; where the kernel does not list them, everything below it. */
function childrenOf(pid: number): readonly number[] {
  if (!hasChildrenFiles) return descendants(pid);
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
