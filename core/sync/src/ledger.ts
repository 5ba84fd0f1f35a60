import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { holderOf, isLock, takeLock, type FileLock } from './file-lock.ts';
import { endAll, markedProcesses, readStat } from './processes.ts';

/**
 * The ledger: a file for each process of deadheat that makes something, held by its lock, lists the files and folders that are to go when
 * that process has ended. Who finds a file that nobody holds removes what it lists.
 */

/** End of a guardian's own mark. */
export const guardianMark = '.guardian';

interface Ledger {
  readonly name: string;
  /** `null` where no ledger can be kept. */
  readonly lock: FileLock | null;
  readonly paths: Set<string>;
}

let own: Ledger | null = null;

/** Puts a path that this process is about to make on the ledger. Its last part begins with `deadheat-` or with a dot. */
export function register(path: string): string {
  const ledger = ownLedger();
  ledger.paths.add(path);
  write(ledger);
  return path;
}

/** Takes a path from the ledger that was removed, or that is to stay. */
export function forget(path: string): void {
  if (own?.paths.delete(path) === true) write(own);
}

function write({ paths, lock }: Ledger): void {
  try {
    lock?.note(`${[...paths].join('\n')}\n`);
  } catch {
    // A full disk: what is not on the ledger is still removed by whoever made it.
  }
}

/** Removes a registered path with everything below it. */
export function removeRegistered(path: string): void {
  rmSync(path, { recursive: true, force: true });
  forget(path);
}

/** Makes a registered folder for temporary files that only this user may read. */
export function makeTemporaryFolder(purpose: string, parent: string = tmpdir()): string {
  const path = register(
    join(parent, `deadheat-${purpose}${purpose === '' ? '' : '-'}${randomBytes(6).toString('hex')}`),
  );
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    forget(path);
    throw error;
  }
  return path;
}

/** A new value of `DEADHEAT_MARK` by which processes of this one are found; see `markedProcesses`. */
export function makeMark(): string {
  return `${ownLedger().name}.${randomBytes(8).toString('hex')}`;
}

/**
 * Ends the processes and removes the files of processes of this user that have ended without doing so.
 *
 * @returns what was found: paths, and processes as `process PID`
 */
export function sweepLedgers({ dryRun = false }: { readonly dryRun?: boolean } = {}): readonly string[] {
  const folder = ledgerFolder();
  if (folder === null) return [];
  return readdirSync(folder).flatMap((name) => {
    if (!/^[0-9a-f]{24}$/.test(name)) return [];
    const path = join(folder, name);
    try {
      if (dryRun) return holderOf(path) === null ? leftBy(name, readFileSync(path, 'utf8')) : [];
      const lock = takeLock(path);
      return isLock(lock) ? sweepOne(name, lock) : [];
    } catch {
      // Another process has just swept it, or nothing can be removed there.
      return [];
    }
  });
}

function sweepOne(name: string, lock: FileLock): readonly string[] {
  const left = leftBy(name, lock.notes);
  endAll(() => abandonedProcesses(name));
  const paths = pathsIn(lock.notes);
  const kept = paths.filter((path) => {
    try {
      rmSync(path, { recursive: true, force: true });
      return false;
    } catch {
      return true;
    }
  });
  // What cannot be removed now stays on the ledger.
  if (kept.length === 0) lock.release();
  return left;
}

function leftBy(name: string, notes: string): readonly string[] {
  const processes = abandonedProcesses(name).map((pid) => `process ${pid}`);
  return [...processes, ...pathsIn(notes).filter((path) => existsSync(path))];
}

function pathsIn(notes: string): readonly string[] {
  return notes.split('\n').filter((path) => isAbsolute(path) && /^(?:deadheat-|\.[a-z]+-)\w/.test(basename(path)));
}

/** Processes that were started for a ledger whose process has ended. Its guardian may be at work, unless it was stopped. */
function abandonedProcesses(name: string): readonly number[] {
  return [...markedProcesses()].flatMap(([pid, mark]) => {
    if (!mark.startsWith(`${name}.`)) return [];
    return mark.endsWith(guardianMark) && readStat(pid)?.state !== 'T' ? [] : [pid];
  });
}

function ownLedger(): Ledger {
  if (own === null) {
    const name = randomBytes(12).toString('hex');
    own = { name, lock: openLedger(name), paths: new Set() };
    const { paths, lock } = own;
    process.once('exit', () => {
      if (paths.size === 0) lock?.release();
    });
  }
  return own;
}

function openLedger(name: string): FileLock | null {
  const folder = ledgerFolder();
  if (folder === null) return null;
  try {
    const lock = takeLock(join(folder, name));
    return isLock(lock) ? lock : null;
  } catch {
    return null;
  }
}

/** The folder of this user's ledgers, whatever TMPDIR is; `null` where none can be written that nobody else can write. */
function ledgerFolder(): string | null {
  for (const parent of new Set(['/tmp', tmpdir()])) {
    const folder = join(parent, `deadheat-ledger-${process.getuid?.() ?? userInfo().username}`);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const found = lstatSync(folder);
      accessSync(folder, constants.W_OK);
      if (found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid)) return folder;
    } catch {
      // The next place.
    }
  }
  return null;
}
