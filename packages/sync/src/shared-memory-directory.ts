import { accessSync, constants, statSync } from 'node:fs';

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
