import { accessSync, constants, statSync, closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lastErrorName, loadLibc, memoryMap } from './libc.ts';
import { forget, register, removeRegistered } from './ledger.ts';
import { pageBytes, pageMagic, pageVersion, word } from './page-layout.ts';
import { SyncError } from './sync-error.ts';

/**
 * Folder for shared pages: `/dev/shm`, or what `DEADHEAT_SHM` names. `null` where there is none that can be written.
 */
export function sharedMemoryDirectory(): string | null {
  const directory = process.env['DEADHEAT_SHM'] ?? '/dev/shm';
  try {
    if (!statSync(directory).isDirectory()) return null;
    accessSync(directory, constants.W_OK | constants.X_OK);
    return directory;
  } catch {
    return null;
  }
}

/**
 * A shared page that this process has mapped. The mapping is kept until the process ends: touching a view after
 * munmap would be a segmentation fault.
 */
export interface Page {
  readonly path: string;
  /** The words of the page; use `Atomics` on them. */
  readonly words: Int32Array;
  /** Address of the page in this process. */
  readonly address: bigint;
}

/** A page without a name, for processes that are given its descriptor. */
export interface UnnamedPage {
  readonly page: Page;
  /** To be closed when those that need it have it. */
  readonly fd: number;
}

const mfdCloseOnExec = 1;
const mfdAllowSealing = 2;
const fAddSeals = 1033;
/** F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW */
const seals = 1 | 2 | 4;

/**
 * Creates a page that has no name: it takes no room of /dev/shm, ends with the last process that has it, and its seals keep
 * everybody from cutting it, which would kill those that have mapped it (SIGBUS).
 *
 * @throws SyncError `NO_SHARED_MEMORY` when there is no memory for it
 */
export function createUnnamedPage(): UnnamedPage {
  const libc = loadLibc();
  const fd = libc.memfd_create('deadheat-page', mfdCloseOnExec | mfdAllowSealing);
  if (fd < 0) throw new SyncError('NO_SHARED_MEMORY', `cannot make a shared page: ${lastErrorName(libc)}`);
  try {
    allocate(fd, pageBytes);
    libc.fcntl(fd, fAddSeals, seals);
    return { page: initialise(map(`/proc/self/fd/${fd}`, fd)), fd };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Gives a file in shared memory its size by writing it. A file that were only extended would get its memory when it is first
 * touched, and a full /dev/shm would then kill whoever touches it (SIGBUS).
 *
 * @throws the error of the system, such as `ENOSPC`
 */
export function allocate(fd: number, bytes: number): void {
  const zeros = Buffer.alloc(bytes);
  for (let written = 0; written < bytes;) written += writeSync(fd, zeros, written, bytes - written, written);
}

/**
 * Creates a page in `directory` (mode 0600, random name, on the ledger) and maps it.
 *
 * @throws SyncError `NO_SHARED_MEMORY` when no file can be made there or it cannot be mapped
 */
export function createPage(directory: string): Page {
  const path = register(join(directory, `deadheat-${randomBytes(9).toString('hex')}`));
  let fd: number;
  try {
    fd = openSync(path, 'wx+', 0o600);
  } catch (cause) {
    forget(path);
    throw new SyncError('NO_SHARED_MEMORY', `cannot make a shared page in ${directory}: ${(cause as Error).message}`, {
      cause,
    });
  }
  try {
    allocate(fd, pageBytes);
    return initialise(map(path, fd));
  } catch (cause) {
    removePage(path);
    if (cause instanceof SyncError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const remedy = code === 'ENOSPC' ? `; ${directory} is full: make room there (df -h ${directory})` : '';
    throw new SyncError('NO_SHARED_MEMORY', `cannot make the shared page ${path}: ${message}${remedy}`, { cause });
  } finally {
    closeSync(fd);
  }
}

/**
 * Maps a page that the runner has made.
 *
 * @throws SyncError `NOT_A_PAGE` for a file that is too short or has another magic number, `PAGE_VERSION` for a page
 *   of another version, `NO_SHARED_MEMORY` when it cannot be opened or mapped
 */
export function openPage(path: string): Page {
  let fd: number;
  try {
    fd = openSync(path, 'r+');
  } catch (cause) {
    throw new SyncError('NO_SHARED_MEMORY', `cannot open the shared page ${path}: ${(cause as Error).message}`, {
      cause,
    });
  }
  try {
    const { size } = fstatSync(fd);
    if (size < pageBytes) {
      throw new SyncError('NOT_A_PAGE', `${path} is not a shared page: ${size} bytes instead of ${pageBytes}`);
    }
    const page = map(path, fd);
    const magic = Atomics.load(page.words, word.magic);
    if (magic !== pageMagic) {
      throw new SyncError('NOT_A_PAGE', `${path} is not a shared page: magic ${hex(magic)}, not ${hex(pageMagic)}`);
    }
    const version = Atomics.load(page.words, word.version);
    if (version !== pageVersion) {
      throw new SyncError(
        'PAGE_VERSION',
        `${path} is a page of version ${version}; this program knows version ${pageVersion}. ` +
          'Use the same release of deadheat and of its client.',
      );
    }
    return page;
  } finally {
    closeSync(fd);
  }
}

/** Removes the page's file; processes that mapped it keep their mapping. Nothing happens when it is gone. */
export function removePage(path: string): void {
  removeRegistered(path);
}

function map(path: string, fd: number): Page {
  const libc = loadLibc();
  const address = BigInt(libc.mmap(0n, pageBytes, memoryMap.readWrite, memoryMap.shared, fd, 0));
  if (address === memoryMap.failed) {
    throw new SyncError('NO_SHARED_MEMORY', `cannot map the shared page ${path}: ${lastErrorName(libc)}`);
  }
  return { path, address, words: new Int32Array(libc.koffi.view(address, pageBytes)) };
}

function initialise(page: Page): Page {
  const { words } = page;
  words[word.version] = pageVersion;
  words[word.parties] = 2;
  Atomics.store(words, word.magic, pageMagic);
  return page;
}

function hex(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
}
