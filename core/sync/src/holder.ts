import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readStat } from './processes.ts';

/** The facts that distinguish a process from every other one. `null` = this system does not report them. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Changes with every boot (Linux). */
  readonly bootId: string | null;
  /** The PID namespace in which it has its number: another container numbers its processes anew (Linux). */
  readonly namespace: string | null;
  /** Start of the process in clock ticks since the boot (Linux). */
  readonly startTicks: number | null;
}

/** This process. */
export function ownHolder(): Holder {
  return {
    pid: process.pid,
    host: hostname(),
    bootId: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
    startTicks: readStat(process.pid)?.startTicks ?? null,
  };
}

/** True for the description of this process. */
export function isOwn(holder: Holder): boolean {
  const own = ownHolder();
  return (Object.keys(own) as (keyof Holder)[]).every((key) => own[key] === holder[key]);
}

/** True while that process runs. A process of which this cannot be known, such as one of another host or container, counts as running. */
export function isRunning({ pid, host, bootId, namespace, startTicks }: Holder): boolean {
  const own = ownHolder();
  if (host !== own.host) return true;
  if (bootId !== null && own.bootId !== null && bootId !== own.bootId) return false;
  if (namespace !== own.namespace) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  if (own.startTicks === null) return true;
  const found = readStat(pid);
  return found !== null && (startTicks === null || startTicks === found.startTicks);
}

/** The process that the first line of a text describes; `null` if it describes none, as after a power failure. */
export function parseHolder(text: string): Holder | null {
  const found: unknown = orNull(() => JSON.parse(text.split('\n', 1)[0] ?? ''));
  const fields = found as Partial<Holder> | null;
  return typeof fields === 'object' && Number.isInteger(fields?.pid) && typeof fields?.host === 'string'
    ? (fields as Holder)
    : null;
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
