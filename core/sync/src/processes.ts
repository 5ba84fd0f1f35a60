import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

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
  const below = processesBelow(pid).filter((pid) => readStat(pid) !== null);
  for (const process of below) kill(process, signal);
  return below.length;
}

/** Processes that were killed are gone within this time, unless the kernel cannot end them. */
const endPatienceMs = 2000;
const endAgainMs = 1;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Kills what `find` returns until it returns nothing that lives: processes may start others while they are being ended. A
 * process that starts itself again and ends is faster than a search for processes, and is met by a signal to its group.
 *
 * @param find processes to end, also ones that have ended already
 * @returns most processes that were found at once; those that live after two seconds are left
 */
export function endAll(find: () => readonly number[]): number {
  const end = performance.now() + endPatienceMs;
  const ownGroup = readStat(process.pid)?.group;
  let most = 0;
  for (;;) {
    const found = find().flatMap((pid) => {
      const stat = readStat(pid);
      return stat === null ? [] : [{ pid, group: stat.group }];
    });
    most = Math.max(most, found.length);
    if (found.length === 0 || performance.now() > end) return most;
    for (const { pid } of found) kill(pid);
    for (const group of new Set(found.map((one) => one.group))) {
      // A program may have joined the group of the process that ends it.
      if (group > 1 && group !== ownGroup) kill(-group);
    }
    Atomics.wait(pause, 0, 0, endAgainMs);
  }
}

/** Sends a signal to one process; a process that is gone already is fine. */
export function kill(pid: number, signal: EndSignal = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The kernel's description of a process (proc(5), `/proc/PID/stat`). */
interface ProcessStat {
  /** One letter, such as `T` for a process that a signal has stopped. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  /** User and system time, clock ticks. */
  readonly cpuTicks: number;
  /** Start, clock ticks since the boot. */
  readonly startTicks: number;
}

/** `null` for a process that is gone or a zombie. */
export function readStat(pid: number): ProcessStat | null {
  const stat = text(`/proc/${pid}/stat`);
  // The name in parentheses may itself hold spaces and parentheses: fields count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = '', parent, group] = fields;
  if (parent === undefined || state === 'Z' || state === 'X') return null;
  return {
    state,
    parent: Number(parent),
    group: Number(group),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
    startTicks: Number(fields[19]),
  };
}

/** Parent of a process that has not ended yet; `null` for one that is gone or a zombie. */
export function parentOf(pid: number): number | null {
  return readStat(pid)?.parent ?? null;
}

/**
 * Marks of processes: the value of `DEADHEAT_MARK` in the environment with which they were started, by process id. Empty where
 * /proc does not exist.
 */
export function markedProcesses(): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  for (const pid of names('/proc').map(Number).filter(Number.isInteger)) {
    const variable = text(`/proc/${pid}/environ`)
      .split('\0')
      .find((one) => one.startsWith(markPrefix));
    if (variable !== undefined) marks.set(pid, variable.slice(markPrefix.length));
  }
  return marks;
}

const markPrefix = 'DEADHEAT_MARK=';

/** Processes with one of some marks. */
export function processesMarked(marks: readonly string[]): readonly number[] {
  if (marks.length === 0) return [];
  return [...markedProcesses()].filter(([, mark]) => marks.includes(mark)).map(([pid]) => pid);
}

/** Use of CPUs by processes while they were observed. */
export interface TaskObservation {
  /**
   * Number of stretches of 4 ms in which there was at least one thread. On a busy machine looks come late, and since run time and waiting add up, one stands
   * for all the time since the one before.
   */
  readonly samples: number;
  /** Share of their time in which a thread was running or waiting for a CPU, 0..1; 0 without samples. */
  readonly runnable: number;
  /** Number of threads that compute at once; 0 where none did. */
  readonly tasks: number;
  /** CPU time of the threads that was seen; what they took after the last sample of each is missing. */
  readonly seenNs: number;
}

const everyMs = 4;

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Threads that took CPU time within so much of it, all together, are compared: fewer are slices of a core that one after the other has. */
const windowNs = 50e6;

/** Run time and waiting for a CPU of a thread since it began, ns. */
interface ThreadTimes {
  readonly runNs: number;
  readonly waitNs: number;
  /** True while it runs or waits. */
  readonly isReady: boolean;
}

/** Numbers of the first and the last sample that found a thread. */
interface Lifetime {
  readonly first: number;
  readonly last: number;
}

/** The most CPU time of a succession of threads, each of which began after the end of the one before, ns: weighted interval scheduling. */
function longestSuccession(threads: readonly (Lifetime & { readonly runNs: number })[]): number {
  const ends: { readonly last: number; readonly ns: number }[] = [];
  for (const { runNs, first, last } of threads.toSorted((a, b) => a.last - b.last)) {
    const before = ends.findLast((end) => end.last < first)?.ns ?? 0;
    ends.push({ last, ns: Math.max(ends.at(-1)?.ns ?? 0, before + runNs) });
  }
  return ends.at(-1)?.ns ?? 0;
}

/**
 * Threads that help another one, such as those that compile and collect garbage for a Node program: each has less than a third of the run time of the
 * longest, and all of them together less than that one. They took up to 0.25 of it each, and 0.8 together, in fourteen npm programs, threads that share work 0.7 and more.
 *
 * @param runNs run time of each thread, ns, by its name
 */
function helpersOf(runNs: ReadonlyMap<string, number>): ReadonlySet<string> {
  const longest = Math.max(0, ...runNs.values());
  const helping = [...runNs].filter(([, ns]) => ns < longest / 3);
  return new Set(total(helping.map(([, ns]) => ns)) < longest ? helping.map(([key]) => key) : []);
}

/**
 * Samples every 4 ms how long each thread of some processes has run, and has waited for a CPU (the kernel's sched-stats.rst). A sample costs some tenths of a millisecond,
 * so it is only for executions that do not enter a verdict.
 *
 * A busy machine lets threads wait and does not let them run longer, so that programs are the same beside any load: `tasks` is the CPU time of all threads over the most that one,
 * or a succession of threads of which each began after the end of the one before, took of it, in stretches of 50 ms of CPU time, without threads that help one; or, where that is less, the mean number of threads that ran or waited for a CPU, which is one where threads hand over to each other. Where
 * /proc/PID/schedstat does not exist there are no samples.
 *
 * @param processes called for each sample; returns the processes
 * @returns a function that ends the observation and returns its result
 */
export function observeTasks(processes: () => readonly number[]): { stop(): TaskObservation } {
  const before = new Map<string, ThreadTimes & Lifetime & { aheadNs: number }>();
  const spans: { ns: number; demandNs: number }[] = [];
  const windows: (Lifetime & { readonly key: string; readonly runNs: number })[][] = [];
  const window = new Map<string, number>();
  let wereReady: readonly string[] = [];
  let [looks, timeNs] = [0, performance.now() * 1e6];
  function closeWindow(): void {
    windows.push([...window].map(([key, runNs]) => ({ first: looks, last: looks, ...before.get(key), key, runNs })));
    window.clear();
  }
  function sample(isFirst: boolean): void {
    const pids = processes();
    const found = pids.flatMap(threadsOf);
    looks++;
    const now = performance.now() * 1e6;
    const sinceNs = now - timeNs;
    // A late look is the first of processes that may have begun just before it.
    const span = { ns: before.size === 0 ? Math.min(sinceNs, oldestNs(pids) || Infinity) : sinceNs, demandNs: 0 };
    timeNs = now;
    if (found.length > 0 && !isFirst) spans.push(span);
    for (const [key, times] of found) {
      const known = before.get(key) ?? { ...(isFirst ? times : { runNs: 0, waitNs: 0 }), aheadNs: 0, first: looks };
      const { runNs, waitNs, aheadNs, first } = known;
      if (times.runNs > runNs) window.set(key, (window.get(key) ?? 0) + times.runNs - runNs);
      // The kernel counts waiting when it ends, which a thread ended meanwhile does not see: it is counted ahead; a sleeping one gives it back.
      const usedNs = times.runNs + times.waitNs - runNs - waitNs;
      const demandNs = times.isReady ? Math.max(span.ns, usedNs - aheadNs) : usedNs - aheadNs;
      before.set(key, { ...times, first, last: looks, aheadNs: aheadNs - usedNs + demandNs });
      for (let [at, ns] = [spans.length - 1, demandNs]; ns !== 0 && at >= 0; at--) {
        const one = spans[at];
        if (one === undefined) break;
        const part = Math.max(-one.demandNs, Math.min(ns, one.ns));
        one.demandNs += part;
        ns -= part;
      }
    }
    const isFound = new Set(found.map(([key]) => key));
    // A thread that has ended since the last sample took half of the time on average.
    for (const key of wereReady) if (!isFound.has(key)) span.demandNs += span.ns / 2;
    wereReady = found.flatMap(([key, { isReady }]) => (isReady ? [key] : []));
    if (total([...window.values()]) >= windowNs) closeWindow();
  }
  sample(true);
  const timer = setInterval(() => sample(false), everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      closeWindow();
      const busyNs = total(spans.map(({ ns, demandNs }) => Math.min(ns, demandNs)));
      const observedNs = total(spans.map(({ ns }) => ns));
      const runNs = new Map<string, number>();
      for (const { key, runNs: ns } of windows.flat()) runNs.set(key, (runNs.get(key) ?? 0) + ns);
      const helpers = helpersOf(runNs);
      const working = windows.map((threads) => threads.filter(({ key }) => !helpers.has(key)));
      const longestNs = total(working.map(longestSuccession));
      return {
        samples: spans.length === 0 ? 0 : Math.max(1, Math.round(observedNs / 1e6 / everyMs)),
        runnable: observedNs === 0 ? 0 : busyNs / observedNs,
        tasks:
          longestNs === 0 || busyNs === 0
            ? 0
            : Math.min(
                total(working.flat().map((thread) => thread.runNs)) / longestNs,
                total(spans.map(({ demandNs }) => demandNs)) / busyNs,
              ),
        seenNs: Math.round(total([...runNs.values()])),
      };
    },
  };
}

const ticksPerSecond = 100;

/** Age of the oldest of some processes, ns, at most a tick more than it is; 0 where none can be asked, such as one whose first thread has ended. */
function oldestNs(pids: readonly number[]): number {
  const upTicks = Number(text('/proc/uptime').split(' ')[0]) * ticksPerSecond;
  const ages = pids.map((pid) => upTicks + 1 - (readStat(pid)?.startTicks ?? upTicks + 1));
  return (Math.max(0, ...ages) / ticksPerSecond) * 1e9;
}

/** Access modes and flags of an open file, in octal as `/proc/PID/fdinfo` lists them (fcntl.h of Linux). */
const writing = 0o3;
const readingToo = 0o2;
const appending = 0o2000;
/** A file system's clock may be behind by a tick of the kernel, 10 ms at most. */
const tickMs = 10;

/**
 * Samples every 4 ms which regular files some processes have open for writing, those at whose end they only add excluded; one that is
 * open for reading, too, as a database is for a query, counts only if it was changed meanwhile. As
 * `observeTasks` it is only for executions that do not enter a verdict, and sees nothing where /proc does not exist.
 *
 * @param processes called for each sample; returns the processes
 * @returns a function that ends the observation and returns the paths, absolute
 */
export function observeWrites(processes: () => readonly number[]): { stop(): readonly string[] } {
  const written = new Set<string>();
  /** Files that may only be read. */
  const open = new Set<string>();
  const beganMs = Date.now() - tickMs;
  /** A file that is not there any more, or is a container's, may have been changed. */
  function isChanged(file: string): boolean {
    try {
      return statSync(file).mtimeMs >= beganMs;
    } catch {
      return true;
    }
  }
  function look(): void {
    let own: ReadonlySet<string> | undefined;
    for (const pid of processes()) {
      for (const fd of names(`/proc/${pid}/fd`)) {
        const path = target(`/proc/${pid}/fd/${fd}`);
        if (written.has(path) || !path.startsWith('/') || /^\/(?:dev|proc|sys)\/| \(deleted\)$|^\/memfd:/.test(path))
          continue;
        const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(text(`/proc/${pid}/fdinfo/${fd}`))?.[1] ?? '0', 8);
        if ((flags & writing) === 0 || (flags & appending) !== 0) continue;
        // A program that is about to start has what this process opened, such as a log that takes its standard output.
        if ((own ??= openFiles()).has(path)) continue;
        ((flags & writing) === readingToo ? open : written).add(path);
      }
    }
  }
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      for (const path of open) if (isChanged(path)) written.add(path);
      return [...written];
    },
  };
}

/** Paths of the files that this process has open. */
export function openFiles(): ReadonlySet<string> {
  return new Set(names('/proc/self/fd').map((fd) => target(`/proc/self/fd/${fd}`)));
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

/** Times of the threads of a process, without those that have ended, by names that are no other thread's. */
function threadsOf(pid: number): readonly (readonly [string, ThreadTimes])[] {
  return names(`/proc/${pid}/task`).flatMap((thread) => {
    const [runNs, waitNs, slices] = text(`/proc/${pid}/task/${thread}/schedstat`).split(' ').map(Number);
    const stat = text(`/proc/${pid}/task/${thread}/stat`);
    // The name in parentheses may itself hold spaces and parentheses.
    const state = stat.charAt(stat.lastIndexOf(')') + 2);
    if (runNs === undefined || waitNs === undefined || slices === undefined || ['', 'Z', 'X'].includes(state))
      return [];
    return [[`${pid} ${thread}`, { runNs, waitNs, isReady: state === 'R' }]] as const;
  });
}

/** True if the kernel lists the children of a thread (CONFIG_PROC_CHILDREN). */
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

/** State of a process and of those below it: stopped by a signal or not, and their CPU time. */
export interface StoppedProcesses {
  readonly stopped: 'none' | 'root' | 'below';
  /** User and system time of all of them, clock ticks. */
  readonly cpuTicks: number;
}

export function stoppedBelow(root: number): StoppedProcesses {
  const [first, ...below] = [root, ...processesBelow(root)].map(readStat);
  const isStopped = below.some((stat) => stat?.state === 'T');
  return {
    stopped: first?.state === 'T' ? 'root' : isStopped ? 'below' : 'none',
    cpuTicks: [first, ...below].reduce((sum, stat) => sum + (stat?.cpuTicks ?? 0), 0),
  };
}
