import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from './system-error.ts';

/**
 * Makes a folder and those above it that are missing; tells whether it was not there before. Node's own
 * `recursive: true` never returns where a file system answers ENOENT below a folder that exists, as `/proc` does.
 * Errors are the system's own; EEXIST when a file stands in its place.
 */
export const makeFolder = async (path: string): Promise<boolean> => {
  const first = await tryToMake(path);
  if (first !== null) return first;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path).catch((error: unknown) => acceptFolder(path, error));
  return true;
};

/** `true` = made, `false` = was there, `null` = its parent is missing. */
const tryToMake = async (path: string): Promise<boolean | null> => {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null;
    await acceptFolder(path, error);
    return false;
  }
};

/** Passes over the error of making a folder that is there; throws any other. */
const acceptFolder = async (path: string, error: unknown): Promise<void> => {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // a folder that is there may answer EROFS or EACCES before EEXIST
  if (!isFolder || !isSystemError(error, 'EEXIST', 'EROFS', 'EACCES', 'EPERM')) throw error;
};
