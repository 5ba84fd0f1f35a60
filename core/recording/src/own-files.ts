import { type Stats, statSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingFiles } from '@deadheat/model';
import { isSystemError, readFailure, RecordError } from './record-error.ts';

function refuse(path: string, found: Stats): RecordError {
  const kind = found.isSymbolicLink() ? 'a link' : 'no ordinary file';
  return new RecordError(
    'NOT_READABLE',
    `${path} is ${kind}, and a recording has ordinary files of its own alone. Nothing was read from it; remove it, or make the recording again.`,
    { path },
  );
}

/**
 * Refuses a pipe, a socket or a device in the place of a file, which would be waited for; nothing where there is nothing.
 *
 * @throws RecordError `NOT_READABLE`
 */
export function refuseSpecial(path: string): void {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch {
    return; // Whoever reads it says why it cannot be read.
  }
  if (found !== undefined && !found.isFile() && !found.isDirectory()) throw refuse(path, found);
}

/**
 * Refuses a recording with links among its files, for those who give them to others: a link may lead to what only this user may read.
 *
 * @throws RecordError `NOT_READABLE`, `NOT_FOUND` or `IO`
 */
export async function refuseLinks(directory: string): Promise<void> {
  for (const name of Object.values(recordingFiles)) {
    const path = join(directory, name);
    const found = await find(path);
    if (found === null || found.isFile()) continue;
    if (!found.isDirectory()) throw refuse(path, found);
    for (const entry of await readdir(path)) {
      const inner = join(path, entry);
      const of = await find(inner);
      if (of !== null && !of.isFile()) throw refuse(inner, of);
    }
  }
}

async function find(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return null;
    throw readFailure(error, path);
  }
}
