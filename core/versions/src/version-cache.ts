import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, readFile, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { makeFolder } from '@deadheat/recording';

/** Keeps a folder for one process at a time; that of a process that is gone is taken over. */
export interface FolderLocks {
  /** `null` when a running process holds it. */
  take(folder: string): { release(): void } | null;
}

/** A version that is kept, held by this process. */
export interface Slot {
  /** Its folder, the same whenever it is used. */
  readonly folder: string;
  /** `true` = it was prepared before. */
  readonly ready: boolean;
  /** Marks it as ready; `about` is for readers of the folder and for {@link VersionCache.sweep}. */
  finish(about: SlotContent): Promise<void>;
  /** Releases it; a slot that is not ready is removed. */
  release(): Promise<void>;
}

/** The content of a slot. */
export interface SlotContent {
  readonly kind: 'commit' | 'package';
  /** For a commit the repository that it belongs to, for a package where it was asked for. */
  readonly origin: string;
  readonly version: string;
  readonly setup: string | null;
  /** The seed of its layout; absent = as it comes. */
  readonly layout?: string;
}

const manifest = 'version.json';
/** Versions that are kept when none is in use; those that were not used for longest go first. */
const mostKept = 16;
/** The same of builds with a layout of their own: those of two sides, as many as there may be, so that their comparison can be resumed. */
const mostLayouts = 32;

/** Versions made ready before, in folders that processes use one at a time. */
export class VersionCache {
  readonly #folder: string;
  readonly #locks: FolderLocks;

  constructor(folder: string, locks: FolderLocks) {
    this.#folder = join(folder, 'versions');
    this.#locks = locks;
  }

  /**
   * Takes a folder for what `key` describes: one that is ready, else a new one. Each call takes another one, so that two sides of
   * one commit do not share theirs. `fresh` makes it new in any case.
   */
  async take(key: unknown, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<Slot> {
    const hash = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 16);
    for (let number = 1; ; number += 1) {
      const folder = join(this.#folder, `${hash}-${number}`);
      const lock = await this.#lock(folder);
      if (lock === null) continue;
      const ready = !fresh && (await readContent(folder)) !== null;
      if (!ready) await empty(folder);
      return new OwnSlot(folder, { ready, lock });
    }
  }

  /** Takes the slot that a folder lies in and is still ready; `null` = it is in use, is not kept any more, or is none of this cache. */
  async takeAgain(inside: string): Promise<{ readonly slot: Slot; readonly content: SlotContent } | null> {
    const [name = '..'] = relative(this.#folder, inside).split(sep);
    const folder = join(this.#folder, name);
    if (dirname(folder) !== this.#folder) return null;
    const content = await readContent(folder);
    const lock = content === null ? null : this.#locks.take(folder);
    return content === null || lock === null ? null : { content, slot: new OwnSlot(folder, { ready: true, lock }) };
  }

  /**
   * Cleans up unused slots: `tidy` is called for each folder, whose process may have been killed; slots that are not ready then are
   * removed, and so are the least recently used ones beyond the number that is kept. `keep` 0 removes all.
   *
   * @returns the folders that are removed
   */
  async sweep(
    tidy: (folder: string, content: SlotContent | null) => Promise<void>,
    { keep = mostKept, dryRun = false }: { readonly keep?: number; readonly dryRun?: boolean } = {},
  ): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const byAge = names
      .map((name) => ({ folder: join(this.#folder, name), usedMs: modifiedMs(join(this.#folder, name, manifest)) }))
      .toSorted((a, b) => b.usedMs - a.usedMs);
    const removed: string[] = [];
    const kept = { plain: 0, layout: 0 };
    for (const { folder } of byAge) {
      const lock = await this.#lock(folder);
      if (lock === null) continue;
      try {
        const content = await readContent(folder);
        if (!dryRun) await tidy(folder, content);
        const kind = content?.layout === undefined ? 'plain' : 'layout';
        if (content !== null && kept[kind] < (keep === 0 || kind === 'plain' ? keep : mostLayouts)) {
          kept[kind] += 1;
          continue;
        }
        removed.push(folder);
        if (!dryRun) await remove(folder, lock);
      } finally {
        lock.release();
      }
    }
    return removed;
  }

  async #lock(folder: string): Promise<{ release(): void } | null> {
    for (;;) {
      await makeFolder(folder, 0o700);
      try {
        return this.#locks.take(folder);
      } catch (error) {
        // Another process has just removed it.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}

class OwnSlot implements Slot {
  readonly folder: string;
  readonly #lock: { release(): void };
  #ready: boolean;

  constructor(folder: string, { ready, lock }: { readonly ready: boolean; readonly lock: { release(): void } }) {
    this.folder = folder;
    this.#ready = ready;
    this.#lock = lock;
  }

  get ready(): boolean {
    return this.#ready;
  }

  async finish(about: SlotContent): Promise<void> {
    await writeFile(join(this.folder, manifest), `${JSON.stringify(about, null, 2)}\n`);
    this.#ready = true;
  }

  async release(): Promise<void> {
    if (this.#ready) {
      const now = new Date();
      await utimes(join(this.folder, manifest), now, now).catch(() => undefined);
      this.#lock.release();
    } else await remove(this.folder, this.#lock);
  }
}

async function readContent(folder: string): Promise<SlotContent | null> {
  try {
    return JSON.parse(await readFile(join(folder, manifest), 'utf8')) as SlotContent;
  } catch {
    return null;
  }
}

/** Removes everything but what belongs to the lock, which this process holds; what says that it is ready first. */
async function empty(folder: string): Promise<void> {
  await rm(join(folder, manifest), { force: true });
  const names = await readdir(folder);
  const others = names.filter((name) => name !== 'lock' && !name.startsWith('lock.'));
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
}

/** Removes a folder and gives it free; another process that has taken it at once keeps it. */
async function remove(folder: string, lock: { release(): void }): Promise<void> {
  await empty(folder);
  lock.release();
  await rmdir(folder).catch(() => undefined);
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** A version of a program that can be executed. */
export interface ReadyVersion {
  /** Where its commands are executed: in its tree the folder that one stands in. */
  readonly folder: string;
  /** Root of its tree. */
  readonly root: string;
  /** `true` = it was prepared before. */
  readonly wasReady: boolean;
  /** Gives it back; to be called once, whatever happened. */
  readonly release: () => Promise<void>;
}
