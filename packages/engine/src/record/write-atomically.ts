import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

/**
 * Writes a file so that a reader sees the old content or the whole new one, also after a power failure: temporary
 * name in the same folder, sync, rename, sync of the folder. The temporary name is always the same, so a leftover of
 * a killed process is overwritten; the caller holds the recording's lock. On failure the temporary file is removed
 * and the error of the system is thrown.
 */
export const writeAtomically = async (path: string, fill: (file: FileHandle) => Promise<void>): Promise<void> => {
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
};
