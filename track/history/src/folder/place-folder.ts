import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ErrorCode } from '@deadheat/model';
import { forget, register, removeRegistered } from '@deadheat/sync';
import { makeFolder, systemErrorCode } from '@deadheat/recording';
import { HistoryError } from '../history-error.ts';

const explanations: Readonly<Record<string, readonly [ErrorCode, what: string, advice: string]>> = {
  ENOSPC: ['DISK_FULL', 'the disk is full', 'Free some space there'],
  EDQUOT: ['DISK_FULL', 'the disk quota is used up', 'Free some of your space there'],
  EROFS: ['NOT_ALLOWED', 'the file system is read-only', 'Make it writable'],
  EACCES: ['NOT_ALLOWED', 'permission denied', 'Give yourself permission there'],
  EPERM: ['NOT_ALLOWED', 'operation not permitted', 'Give yourself permission there'],
  ENOTDIR: ['BAD_URL', 'a part of the path is a file, not a folder', 'Name a folder'],
  EEXIST: ['BAD_URL', 'a file stands in the place of the folder', 'Name a folder'],
  ENOENT: ['NOT_FOUND', 'there is no such file or folder', 'Check the path'],
};

/** The error for a failed system call at `path`. An error of another kind is returned as it is. */
export function fileFailure(
  error: unknown,
  { path, doing }: { readonly path: string; readonly doing: string },
): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const code = systemErrorCode(error) ?? '';
  const [kind, what, advice] = explanations[code] ?? ['STORE_FAILED', 'the system refused', 'Remove the cause'];
  return new HistoryError(
    kind,
    `Cannot ${doing} ${path}: ${what} (${code}). Nothing was left half written. ${advice}, and try again.`,
    { cause: error },
  );
}

const prefix = '.incoming-';
const abandonedMs = 24 * 3600 * 1000;

/**
 * Makes a folder with its complete content or not at all: it is filled under a temporary name in the same parent
 * folder, synced to the device and renamed. A temporary folder of a killed process is removed by a later call, after a
 * day.
 *
 * @returns whether it was made; `false` = a folder of this name exists and is not empty
 */
export async function placeFolder(path: string, fill: (temporary: string) => Promise<void>): Promise<boolean> {
  const target = resolve(path);
  const parent = dirname(target);
  await makeFolder(parent);
  await sweep(parent);
  const temporary = register(join(parent, `${prefix}${basename(target)}-${randomBytes(6).toString('hex')}`));
  try {
    await mkdir(temporary);
    await fill(temporary);
    await syncFolder(temporary);
    await rename(temporary, target);
    forget(temporary);
    await sync(parent);
    return true;
  } catch (error) {
    removeRegistered(temporary);
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else await sync(path);
  }
  await sync(folder);
}

/** Syncs a file or folder. The error of a file system that cannot sync folders is ignored. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EPERM' && code !== 'EISDIR') throw error;
  } finally {
    await handle.close();
  }
}
