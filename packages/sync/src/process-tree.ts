import { readdirSync, readFileSync } from 'node:fs';

/** What ends a process: asks it to, or does it. */
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

/** Sends a signal to every process below `pid` and tells how many there were; `pid` itself lives on. */
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
