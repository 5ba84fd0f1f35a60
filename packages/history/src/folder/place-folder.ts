import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

const prefix = '.incoming-';
const abandonedMs = 24 * 3600 * 1000;

/**
 * Makes a folder with everything in it, or nothing: it is filled under another name beside its own, brought to the device and
 * renamed. A leftover of a process that was killed goes with a later call, a day on.
 *
 * @returns whether it was made; `false` = there is one of that name that is not empty
 */
export const placeFolder = async (path: string, fill: (temporary: string) => Promise<void>): Promise<boolean> => {
  const target = resolve(path);
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  await sweep(parent);
  const temporary = join(parent, `${prefix}${basename(target)}-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(temporary);
    await fill(temporary);
    await syncFolder(temporary);
    await rename(temporary, target);
    await sync(parent);
    return true;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
};

const sweep = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
};

const syncFolder = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else await sync(path);
  }
  await sync(folder);
};

/** File systems that cannot sync a folder are left alone. */
const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EPERM' && code !== 'EISDIR') throw error;
  } finally {
    await handle.close();
  }
};
