import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordError } from '@deadheat/recording';

/** Room that a worker needs beside what it has on disk, bytes. */
const neededBytes = 1 << 20;

/** Pause between two checks whether there is room again, ms. */
const lookPauseMs = 2000;

/** Messages of the system and of programs such as git and cp about a disk or quota that is used up. */
const fullPattern = /\bENOSPC\b|\bEDQUOT\b|No space left on device|Disk quota exceeded/;

/** The disks that a worker writes to: its folder, and that for temporary files. */
export class Room {
  readonly #folders: readonly string[];

  constructor(folder: string) {
    this.#folders = [folder, tmpdir()];
  }

  /** Which folder has no room now, and what to do, two sentences; `null` = there is room in each. */
  lack(): string | null {
    const full = this.#folders.find((folder) => !hasRoom(folder));
    return full === undefined ? null : describe(full);
  }

  /** As `lack`, for an error of a run or its preparation, which may have freed since what it filled; `null` = it is of another kind. */
  lackBy(error: unknown): string | null {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const isOfRecord = cause instanceof RecordError && cause.code === 'DISK_FULL';
      if (!isOfRecord && !fullPattern.test(cause.message)) continue;
      return this.lack() ?? describe('path' in cause && typeof cause.path === 'string' ? cause.path : this.#folders[0]);
    }
    return this.lack();
  }

  /** Waits until there is room, or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.lack() !== null) {
      await sleep(lookPauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

function describe(path: string | undefined): string {
  return `the disk of ${path} is full (ENOSPC). Free some space there`;
}

/** Checks whether a file of some size can be written; a folder that cannot be written for another reason has room. */
function hasRoom(folder: string): boolean {
  const path = join(folder, `.deadheat-room-${process.pid}`);
  try {
    const file = openSync(path, 'w', 0o600);
    try {
      writeFileSync(file, Buffer.alloc(neededBytes));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    return !(error instanceof Error && fullPattern.test(error.message));
  } finally {
    rmSync(path, { force: true });
  }
}
