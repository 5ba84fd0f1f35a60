import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readStat } from './processes.ts';

/** A process, distinguished from every other one of this machine's boot. All numbers fit into a word of the page. */
export interface Owner {
  readonly pid: number;
  /** Its start, clock ticks since the boot; 0 = unknown. */
  readonly startTicks: number;
  /** Number of the namespace in which it has its id: another container numbers its processes anew. 0 = unknown. */
  readonly namespace: number;
}

/** This process. */
export function ownOwner(): Owner {
  return { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0, namespace: ownNamespace() };
}

/** True if a process has surely ended. A process of which this cannot be known, such as one of another container, counts as running. */
export function isGone({ pid, startTicks, namespace }: Owner): boolean {
  if (pid <= 0 || startTicks === 0 || namespace === 0 || namespace !== ownNamespace()) return false;
  return startTicksOf(pid) !== startTicks;
}

/** A new mark by which processes of this one are found; see `markedProcesses`. */
export function makeMark(): string {
  const { namespace, pid, startTicks } = ownOwner();
  return [namespace, pid, startTicks, randomBytes(8).toString('hex')].join('.');
}

/** The process that made a mark; `null` for another program's. */
export function ownerOfMark(mark: string): Owner | null {
  const [, namespace, pid, startTicks] = /^(-?\d+)\.(\d+)\.(-?\d+)\./.exec(mark) ?? [];
  if (pid === undefined) return null;
  return { pid: Number(pid), startTicks: Number(startTicks), namespace: Number(namespace) };
}

function startTicksOf(pid: number): number | null {
  const stat = readStat(pid);
  return stat === null ? null : stat.startTicks | 0;
}

function ownNamespace(): number {
  try {
    return Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 0) | 0;
  } catch {
    return 0;
  }
}
