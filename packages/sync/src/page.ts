import { accessSync, constants, statSync, closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lastErrorName, loadLibc, memoryMap } from './libc.ts';
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

/**
 * Creates a page in `directory` (mode 0600, random name) and maps it.
 *
 * @throws SyncError `NO_SHARED_MEMORY` when no file can be made there or it cannot be mapped
 */
export function createPage(directory: string): Page {
  const path = join(directory, `deadheat-${randomBytes(9).toString('hex')}`);
  let fd: number;
  try {
    fd = openSync(path, 'wx+', 0o600);
  } catch (cause) {
    throw new SyncError('NO_SHARED_MEMORY', `cannot make a shared page in ${directory}: ${(cause as Error).message}`, {
      cause,
    });
  }
  try {
    ftruncateSync(fd, pageBytes);
    const page = map(path, fd);
    page.words[word.version] = pageVersion;
    page.words[word.parties] = 2;
    Atomics.store(page.words, word.magic, pageMagic);
    return page;
  } catch (cause) {
    removePage(path);
    if (cause instanceof SyncError) throw cause;
    throw new SyncError('NO_SHARED_MEMORY', `cannot make the shared page ${path}: ${(cause as Error).message}`, {
      cause,
    });
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

function hex(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`;
}
