import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Environment for our own helper processes: the user's, without what would make Node debug, preload or trace them. */
export function helperEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...environment } = process.env;
  return environment;
}

/** Signal that ends a process: SIGTERM asks it to end, SIGKILL ends it. */
export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** Processes below `pid`, from the top down; empty where /proc does not exist. */
export function descendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  for (const name of names) {
    const child = Number(name);
    if (!Number.isInteger(child)) continue;
    const parent = parentOf(child);
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [child]);
    else siblings.push(child);
  }
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const below = children.get(next) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

/** Sends a signal to every process below `pid`, but not to `pid` itself, and returns their number. */
export function killDescendants(pid: number, signal: EndSignal = 'SIGKILL'): number {
  const below = descendants(pid);
  for (const process of below) kill(process, signal);
  return below.length;
}

/** Sends a signal to one process; a process that is gone already is fine. */
export function kill(pid: number, signal: EndSignal = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Parent of a process that has not ended yet; `null` for one that is gone or a zombie. */
export function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses: fields count from the last one.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || parent === undefined ? null : Number(parent);
  } catch {
    return null;
  }
}

/** Processes whose environment had `DEADHEAT_MARK=mark` when they were started; empty where /proc does not exist. */
export function processesMarked(mark: string): readonly number[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.map(Number).filter((pid) => {
    if (!Number.isInteger(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`DEADHEAT_MARK=${mark}`);
    } catch {
      return false;
    }
  });
}

/** How processes used CPUs while they were observed. */
export interface TaskObservation {
  /** Number of samples in which there was at least one thread. */
  readonly samples: number;
  /** Share of the samples in which a thread was running or waiting for a CPU, 0..1; 0 without samples. */
  readonly runnable: number;
  /** Mean number of such threads in those samples; 0 without any. */
  readonly tasks: number;
}

const everyMs = 4;

/**
 * Samples the state of every thread of some processes every 4 ms. A sample costs some tenths of a millisecond, so it is
 * only for executions that do not enter a verdict. The state tells a thread that waits for a CPU from one that waits
 * for anything else, which the CPU time of processes does not. Where /proc does not exist there are no samples.
 *
 * @param processes called for each sample; returns the processes
 * @returns a function that ends the observation and returns its result
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

/** Access modes and flags of an open file, in octal as `/proc/PID/fdinfo` tells them (fcntl.h of Linux). */
const writing = 0o3;
const appending = 0o2000;

/**
 * Samples every 4 ms which regular files some processes have open for writing, those at whose end they only add excluded. As
 * `observeTasks` it is only for executions that do not enter a verdict, and sees nothing where /proc does not exist.
 *
 * @param processes called for each sample; returns the processes
 * @returns a function that ends the observation and returns the paths, absolute
 */
export function observeWrites(processes: () => readonly number[]): { stop(): readonly string[] } {
  const written = new Set<string>();
  function look(): void {
    for (const pid of processes()) {
      for (const fd of names(`/proc/${pid}/fd`)) {
        const path = target(`/proc/${pid}/fd/${fd}`);
        if (written.has(path) || !path.startsWith('/') || /^\/(?:dev|proc|sys)\/| \(deleted\)$|^\/memfd:/.test(path))
          continue;
        const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(text(`/proc/${pid}/fdinfo/${fd}`))?.[1] ?? '0', 8);
        if ((flags & writing) !== 0 && (flags & appending) === 0) written.add(path);
      }
    }
  }
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return [...written];
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

function target(link: string): string {
  try {
    return readlinkSync(link, 'utf8');
  } catch {
    return '';
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
