import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostname } from 'node:os';
import { recordingFiles } from '@deadheat/model';
import { RecordError, isSystemError } from './record-error.ts';

/** The facts that distinguish a process from a later one with the same number. `null` = this system does not report them. */
interface ProcessIdentity {
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
function isRunning({ pid, host, bootId, startTicks }: ProcessIdentity): boolean {
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

function isIdentity(value: unknown): value is ProcessIdentity {
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

/** Held while a process writes a recording. */
export interface RecordingLock {
  /** Gives the recording free; a second call does nothing. */
  readonly release: () => void;
}

/**
 * Takes the lock of a recording's folder; the lock of a process that no longer runs is taken over.
 *
 * @throws RecordError `RECORDING_IN_USE` when a running process holds it; else the error of the system.
 */
export function lockRecording(directory: string): RecordingLock {
  const path = join(directory, recordingFiles.lock);
  const owner = take(path);
  if (owner !== null) throw inUse(directory, owner);
  let held = true;
  return {
    release: () => {
      if (held) rmSync(path, { force: true });
      held = false;
    },
  };
}

/** The running process that holds the lock of a folder; `null` = none. */
export function lockOwner(directory: string): ProcessIdentity | null {
  const text = readText(join(directory, recordingFiles.lock));
  return text === null ? null : runningOwner(text);
}

/** The error for a recording that a running process holds. */
export function inUse(directory: string, owner: ProcessIdentity): RecordError {
  const lock = join(directory, recordingFiles.lock);
  return new RecordError(
    'RECORDING_IN_USE',
    `${directory} is being written by process ${owner.pid} on ${owner.host}. Wait until it ends, or choose another ` +
      `folder. If that process no longer exists, remove ${lock}.`,
    { path: directory },
  );
}

/**
 * Makes the lock file, whole from the first moment (a linked temporary file); `null` = it is ours, else its owner.
 *
 * A stale lock is replaced only under a second lock, `<path>.next`, which is taken by the same rule: of two processes
 * that find the same stale lock one replaces it, and the other one then finds a lock that is not stale.
 */
function take(path: string): ProcessIdentity | null {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(ownIdentity())}\n`, { flag: 'wx' });
    for (;;) {
      try {
        publish(temporary, path);
        return null;
      } catch (error) {
        if (!isSystemError(error, 'EEXIST')) throw error;
      }
      const found = readText(path);
      // given free between the two calls
      if (found === null) continue;
      const owner = runningOwner(found) ?? take(`${path}.next`);
      if (owner !== null) return owner;
      try {
        if (readText(path) !== found) continue;
        renameSync(temporary, path);
        return null;
      } finally {
        rmSync(`${path}.next`, { force: true });
      }
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Gives a finished file its name unless that is taken (EEXIST). */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    // file systems without hard links, such as FAT and shared folders of virtual machines
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null;
    throw error;
  }
}

/** A lock file that is not readable as one is what a power failure left, so it has no running owner. */
function runningOwner(text: string): ProcessIdentity | null {
  try {
    const owner: unknown = JSON.parse(text);
    return isIdentity(owner) && isRunning(owner) ? owner : null;
  } catch {
    return null;
  }
}
