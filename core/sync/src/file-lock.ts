import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isRunning, ownHolder, parseHolder, type Holder } from './holder.ts';
import { hasNativeCalls, loadLibc } from './libc.ts';

/** A file that this process holds. Its first line describes the process. */
export interface FileLock {
  /**
   * True if the kernel holds it: it ends with the process, however that ends, and counts in every container that sees the file.
   * False where there is no such lock: the holder is then recognised by what the file says about it.
   */
  readonly byKernel: boolean;
  /** The file below its first line when it was taken: a process that no longer runs may have left it. */
  readonly notes: string;
  /** Replaces what the file holds below its first line. */
  note(text: string): void;
  /** Removes the file; a second call does nothing. */
  release(): void;
}

/** A holder as its file describes it: `byKernel` is absent where a process could not lock it. */
interface Written extends Holder {
  readonly byKernel?: true;
}

/**
 * Takes the lock of a path; that of a process that no longer runs is taken over.
 *
 * @returns the lock, or the running process that holds it
 * @throws the error of the system
 */
export function takeLock(path: string): FileLock | Holder {
  return (isShared(path) ? null : takeFromKernel(path)) ?? takeByIdentity(path);
}

/** The running process that holds a path; `null` = none. */
export function holderOf(path: string): Holder | null {
  const text = readText(path);
  if (text === null) return null;
  const state = isShared(path) ? 'unknown' : withFile(path, constants.O_RDONLY, (fd) => ask(fd, getLock));
  const holder = parseHolder(text);
  if (state === 'held') return holder ?? unknownHolder;
  return holder !== null && (state === 'unknown' || !lockedByKernel(holder)) && isRunning(holder) ? holder : null;
}

/** True for what {@link takeLock} returns when it has the lock. */
export function isLock(found: FileLock | Holder): found is FileLock {
  return 'release' in found;
}

/** fcntl.h of Linux: locks of an open file description. */
const getLock = 36;
const setLock = 37;
const writeLock = 1;
const unlocked = 2;
const lockBytes = 32;
const held: readonly string[] = ['EAGAIN', 'EACCES'];
/** A holder that has not written who it is yet. */
const unknownHolder: Holder = { pid: 0, host: 'this host', bootId: null, namespace: null, startTicks: null };

/** File systems of several machines, some of which keep locks to each of them (statfs(2)). */
const sharedFileSystems: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB2
  0xff534d42, // CIFS
  0x01021997, // 9P
  0x65735546, // FUSE, virtiofs
  0x0bd00bd0, // Lustre
  0x00c36400, // Ceph
  0x47504653, // GPFS
  0x5346414f, // AFS
  0x7461636f, // OCFS2
  0x01161970, // GFS2
]);

function isShared(path: string): boolean {
  return !hasNativeCalls() || sharedFileSystems.has(statfsSync(dirname(path)).type >>> 0);
}

/** Locks an open file or asks whether it is locked. `unknown` = its file system has no such locks. */
function ask(fd: number, command: number): 'free' | 'held' | 'unknown' {
  const libc = loadLibc();
  // struct flock: the type; the zeros below it mean the whole file.
  const lock = Buffer.alloc(lockBytes);
  lock.writeInt16LE(writeLock);
  if (libc.fcntlLock(fd, command, lock) === 0) {
    return command === setLock || lock.readInt16LE() === unlocked ? 'free' : 'held';
  }
  const number = libc.koffi.errno();
  return held.some((name) => libc.koffi.os.errno[name] === number) ? 'held' : 'unknown';
}

/** `null` where the kernel keeps no such locks. */
function takeFromKernel(path: string): FileLock | Holder | null {
  for (;;) {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
    let kept = false;
    try {
      const state = ask(fd, setLock);
      if (state === 'unknown') return null;
      const text = readText(path);
      const holder = text === null ? null : parseHolder(text);
      if (state === 'held') {
        // Given free between the two calls.
        if (text === null) continue;
        return holder ?? unknownHolder;
      }
      if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(fd).ino) continue;
      if (holder !== null && !lockedByKernel(holder) && isRunning(holder)) return holder;
      const lock = keep(path, fd, text);
      kept = true;
      return lock;
    } finally {
      if (!kept) closeSync(fd);
    }
  }
}

function lockedByKernel(holder: Written): boolean {
  return holder.byKernel === true;
}

/** A lock that is ours; `fd` `null` = by identity. `before` is what the file held, and its notes stay. */
function keep(path: string, fd: number | null, before: string | null): FileLock {
  const notes = before?.replace(/^[^\n]*\n?/, '') ?? '';
  const own: Written = { ...ownHolder(), ...(fd === null ? {} : { byKernel: true }) };
  let isHeld = true;
  function note(text: string): void {
    const bytes = Buffer.from(`${JSON.stringify(own)}\n${text}`);
    function write(to: number): void {
      writeSync(to, bytes, 0, bytes.length, 0);
      ftruncateSync(to, bytes.length);
    }
    if (fd === null) withFile(path, constants.O_WRONLY, write);
    else write(fd);
  }
  try {
    note(notes);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return {
    byKernel: fd !== null,
    notes,
    note,
    release: () => {
      if (isHeld) rmSync(path, { force: true });
      if (isHeld && fd !== null) closeSync(fd);
      isHeld = false;
    },
  };
}

/**
 * Makes a lock file that says whose it is, whole from the first moment (a linked temporary file).
 *
 * A stale file is replaced only under a second lock, `<path>.next`, which is taken by the same rule: of two processes
 * that find the same stale lock one replaces it, and the other one then finds a lock that is not stale.
 */
export function takeByIdentity(path: string): FileLock | Holder {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(ownHolder())}\n`, { flag: 'wx' });
    for (;;) {
      try {
        publish(temporary, path);
        return keep(path, null, '');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const found = readText(path);
      // Given free between the two calls.
      if (found === null) continue;
      const holder = parseHolder(found);
      if (holder !== null && isRunning(holder)) return holder;
      const next = takeByIdentity(`${path}.next`);
      if (!isLock(next)) return next;
      try {
        if (readText(path) !== found) continue;
        renameSync(temporary, path);
        return keep(path, null, found);
      } finally {
        next.release();
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
    // File systems without hard links, such as FAT and shared folders of virtual machines.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}

function withFile<Value>(path: string, flags: number, use: (fd: number) => Value): Value {
  const fd = openSync(path, flags);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
