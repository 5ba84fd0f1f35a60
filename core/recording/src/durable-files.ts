import { lstatSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm, type FileHandle, mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isSystemError, writeFailure } from './record-error.ts';

/**
 * Writes a file so that a reader sees the old content or the whole new one, also after a power failure: temporary
 * name in the same folder, sync, rename, sync of the folder. The temporary name is always the same, so a leftover of
 * a killed process is overwritten; the caller holds the recording's lock. On failure the temporary file is removed
 * and the error of the system is thrown.
 */
export async function writeAtomically(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  const directory = dirname(path);
  const temporary = join(directory, `.${basename(path)}.tmp`);
  try {
    const file = await open(temporary, 'w');
    try {
      await fill(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(directory);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a file that a user named. A link is followed; what is no file (a device, a named pipe) is written to as it is; a
 * file is replaced as a whole, so that a reader sees the old content or the new one.
 *
 * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`.
 */
export async function writeNamedFile(path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    const replaced = pathToReplace(path);
    if (replaced !== null) return await writeAtomically(replaced, fill);
    const file = await open(path, 'w');
    try {
      await fill(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw writeFailure(error, { path, recording: 'untouched' });
  }
}

/** The file that a new one takes the place of, or where a new file goes; `null` = what is there is no file, or a link to nothing. */
function pathToReplace(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : null;
  return found.isFile() ? realpathSync(path) : null;
}

/**
 * Makes the names in a folder durable: after it, a file created or renamed there survives a power failure. File
 * systems that cannot sync a folder are left alone.
 */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!isSystemError(error, 'EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Makes a folder and those above it that are missing; says whether it was not there before. Node's own
 * `recursive: true` never returns where a file system answers ENOENT below a folder that exists, as `/proc` does, and
 * its asynchronous form gives ENOENT for a full disk. Errors are the system's own; EEXIST when a file stands in its place.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  const first = await tryToMake(path, mode);
  if (first !== null) return first;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, mode);
  await mkdir(path, mode).catch((error: unknown) => acceptFolder(path, error));
  return true;
}

/** `true` = made, `false` = was there, `null` = its parent is missing. */
async function tryToMake(path: string, mode: number): Promise<boolean | null> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null;
    await acceptFolder(path, error);
    return false;
  }
}

/** Passes over the error of making a folder that is there; throws any other. */
async function acceptFolder(path: string, error: unknown): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // a folder that is there may answer EROFS or EACCES before EEXIST
  if (!isFolder || !isSystemError(error, 'EEXIST', 'EROFS', 'EACCES', 'EPERM')) throw error;
}

/** Makes the folder of a recording for what is kept beside its measurements; gives its path. */
export async function makeArtifactFolder(directory: string): Promise<string> {
  const path = join(directory, 'artifacts');
  try {
    await makeFolder(path);
  } catch (error) {
    throw writeFailure(error, { path, recording: 'untouched' });
  }
  return path;
}
