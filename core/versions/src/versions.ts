import { homedir } from 'node:os';
import { join } from 'node:path';
import { lockRecording, RecordError } from '@deadheat/recording';
import { checkOut, checkOutAgain, type CheckedOut, type CheckOutRequest } from './check-out.ts';
import { installPackage, type InstalledPackage, type InstallRequest } from './install-package.ts';
import { parkWorktree } from './worktree.ts';
import { VersionCache, type FolderLocks, type ReadyVersion } from './version-cache.ts';

const locks: FolderLocks = {
  take: (folder) => {
    try {
      return lockRecording(folder);
    } catch (error) {
      if (error instanceof RecordError && error.code === 'RECORDING_IN_USE') return null;
      throw error;
    }
  },
};

/** Versions of programs made ready to be executed, and kept for the next time, in the user's folder of caches. */
export class Versions {
  readonly #cache = new VersionCache(cacheFolder(), locks);
  readonly #ready: ReadyVersion[] = [];

  /** Checks out a version and keeps it until `release`. */
  async checkOut(request: CheckOutRequest): Promise<CheckedOut> {
    const version = await checkOut(request, this.#cache);
    this.#ready.push(version);
    return version;
  }

  /**
   * Lends once more what was lent to a comparison before, in the same folders, and keeps it until `releaseAll`. Other folders, and what is not kept
   * any more, are left alone.
   */
  async lendAgain(folders: readonly string[], signal: AbortSignal): Promise<void> {
    for (const folder of folders) {
      const version = await checkOutAgain(folder, { cache: this.#cache, signal });
      if (version !== null) this.#ready.push(version);
    }
  }

  /** Installs a version of a package and keeps it until `release`. */
  async install(request: InstallRequest): Promise<InstalledPackage> {
    const version = await installPackage(request, this.#cache);
    this.#ready.push(version);
    return version;
  }

  /** Gives a version back before the others. */
  async release(version: ReadyVersion): Promise<void> {
    const at = this.#ready.indexOf(version);
    if (at === -1) return;
    this.#ready.splice(at, 1);
    await version.release();
  }

  /** Gives everything back; nothing of it is in the repository's list of worktrees then. */
  async releaseAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let version = this.#ready.at(-1); version !== undefined; version = this.#ready.at(-1)) {
      await this.release(version).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Cleans up after processes that were killed, and removes the least recently used versions; with `everything` all that
   * no process uses.
   *
   * @returns the folders that are removed, or would be
   */
  async sweep({
    everything = false,
    dryRun = false,
  }: { readonly everything?: boolean; readonly dryRun?: boolean } = {}): Promise<readonly string[]> {
    const { signal } = new AbortController();
    return this.#cache.sweep((folder) => parkWorktree(folder, signal), {
      dryRun,
      ...(everything ? { keep: 0 } : {}),
    });
  }
}

/**
 * Where versions are kept: `DEADHEAT_CACHE`, else `deadheat` in the user's folder of caches (XDG base directories). Outside of every
 * repository, so that what a version lacks is not found in folders above it.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { DEADHEAT_CACHE: own, XDG_CACHE_HOME: shared } = environment;
  if (own !== undefined && own !== '') return own;
  return join(shared?.startsWith('/') === true ? shared : join(homedir(), '.cache'), 'deadheat');
}
