import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isSystemError } from './record-error.ts';

/** The facts that distinguish a process from a later one with the same number. `null` = this system does not report them. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Changes with every boot (Linux). */
  readonly bootId: string | null;
  /** Start of the process in clock ticks since the boot (Linux). */
  readonly startTicks: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    bootId: readBootId(),
    startTicks: readProcess(process.pid)?.startTicks ?? null,
  };
}

/** True while that process runs. A process whose state cannot be known, such as one of another host, counts as running. */
export function isRunning({ pid, host, bootId, startTicks }: ProcessIdentity): boolean {
  if (host !== hostname()) return true;
  const thisBoot = readBootId();
  if (bootId !== null && thisBoot !== null && bootId !== thisBoot) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return !isSystemError(error, 'ESRCH');
  }
  const found = readProcess(pid);
  if (found === null) return true;
  return !found.ended && (startTicks === null || startTicks === found.startTicks);
}

/** The identity of this process as a text for {@link isRunningText}. */
export function ownIdentityText(): string {
  return JSON.stringify(ownIdentity());
}

/** True while the process that a text identifies runs. A text that identifies none has no owner. */
export function isRunningText(text: string): boolean {
  try {
    const owner: unknown = JSON.parse(text);
    return isIdentity(owner) && isRunning(owner);
  } catch {
    return false;
  }
}

export function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'host' in value &&
    typeof value.host === 'string' &&
    'bootId' in value &&
    'startTicks' in value
  );
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** State and start of a process from `/proc/PID/stat` (proc(5): fields 3 and 22, counted after the name). */
function readProcess(pid: number): { readonly ended: boolean; readonly startTicks: string | null } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { ended: fields[0] === 'Z' || fields[0] === 'X', startTicks: fields[19] ?? null };
  } catch {
    return null;
  }
}
