import { open } from 'node:fs/promises';
import { isSystemError } from './system-error.ts';

/**
 * Makes the names in a folder durable: after it, a file created or renamed there survives a power failure. File
 * systems that cannot sync a folder are left alone.
 */
export const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!isSystemError(error, 'EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
};
