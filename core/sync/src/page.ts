import {
  accessSync,
  constants,
  statSync,
  closeSync,
  fstatSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lastErrorName, loadLibc, memoryMap } from './libc.ts';
import { isGone, ownOwner, type Owner } from './owner.ts';
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
 * Creates a page in `directory` (mode 0600, random name) and maps it.
 *
 * @param announce is called with the path before there is a file, for whoever removes it if this process is killed
 * @throws SyncError `NO_SHARED_MEMORY` when no file can be made there or it cannot be mapped
 */
export function createPage(directory: string, announce: (path: string) => void = () => {}): Page {
  const path = join(directory, `deadheat-${randomBytes(9).toString('hex')}`);
  announce(path);
  let fd: number;
  try {
    fd = openSync(path, 'wx+', 0o600);
  } catch (cause) {
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

/**
 * Removes from a folder the pages, and the folders with pages, whose maker has ended without doing so itself. What cannot be read
 * is somebody else's.
 */
export function removeAbandonedPages(directory: string): void {
  for (const name of namesIn(directory)) {
    if (!/^deadheat-[0-9a-f]{18}$/.test(name)) continue;
    const path = join(directory, name);
    const owners = [path, ...namesIn(path).map((inner) => join(path, inner))].flatMap((file) => readOwner(file) ?? []);
    if (owners.length > 0 && owners.every(isGone)) rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Who made a page, without mapping it; `null` for anything else. */
function readOwner(path: string): Owner | null {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const words = new Int32Array(word.ownerNamespace + 1);
    const bytes = readSync(fd, words, 0, words.byteLength, 0);
    if (bytes < words.byteLength || words[word.magic] !== pageMagic) return null;
    const [pid = 0, startTicks = 0, namespace = 0] = words.subarray(word.ownerPid);
    return { pid, startTicks, namespace };
  } catch {
    return null;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes the page's file; processes that mapped it keep their mapping. Nothing happens when it is gone. */
export function removePage(path: string): void {
  rmSync(path, { force: true });
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
  const { pid, startTicks, namespace } = ownOwner();
  words[word.version] = pageVersion;
  words[word.parties] = 2;
  words[word.ownerPid] = pid;
  words[word.ownerStart] = startTicks;
  words[word.ownerNamespace] = namespace;
  Atomics.store(words, word.magic, pageMagic);
  return page;
}

function hex(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
}
