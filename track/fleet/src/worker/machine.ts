import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostSchema, trialSchema, warningSchema } from '@deadheat/model';
import { lockRecording, makeFolder, RecordError } from '@deadheat/recording';
import { z } from 'zod';
import { FleetError } from '../fleet-error.ts';

/** By what the fleet knows a worker. */
export interface WorkerIdentity {
  readonly id: string;
  /** UUID that shows that a process is this worker; the fleet stores its hash. */
  readonly secret: string;
}

/** The identity of the worker with this folder, which is there. It is drawn at the first call and kept in the folder. */
export function workerIdentity(folder: string): WorkerIdentity {
  const id = keptIn(join(folder, 'worker-id'), /^[\w-]{1,60}$/, () => {
    const name = hostname().replaceAll(/[^\w-]/g, '-');
    return `${name.slice(0, 40)}-${randomBytes(3).toString('hex')}`;
  });
  return { id, secret: keptIn(join(folder, `secret-of-${id}`), /^[0-9a-f-]{36}$/, () => randomUUID()) };
}

/** The text in a file; drawn and stored for the owner alone when there is none that fits. */
function keptIn(path: string, pattern: RegExp, draw: () => string): string {
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (pattern.test(known)) return known;
  } catch {
    // There is none yet; it is drawn below.
  }
  const drawn = draw();
  writeFileSync(path, `${drawn}\n`, { mode: 0o600 });
  return drawn;
}

/**
 * Takes the lock that allows one worker on a machine: two would disturb each other's measurements.
 *
 * @returns a function that releases it
 * @throws FleetError `WORKER_RUNS`
 */
export async function lockMachine(folder: string): Promise<() => void> {
  await makeFolder(folder);
  try {
    // Workers of other users must find the lock, too.
    chmodSync(folder, 0o1777);
  } catch {
    // The folder belongs to another user, whose worker has set the mode.
  }
  try {
    const lock = lockRecording(folder);
    return () => lock.release();
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'RECORDING_IN_USE') throw error;
    const who = /process \d+/.exec(error.message)?.[0] ?? 'another process';
    throw new FleetError(
      'WORKER_RUNS',
      `A worker runs on this machine already (${who}; lock in ${folder}), and two would disturb each other's measurements. End ` +
        'that one first.',
      { cause: error },
    );
  }
}

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
    writeFileSync(path, Buffer.alloc(neededBytes), { mode: 0o600, flush: true });
    return true;
  } catch (error) {
    return !(error instanceof Error && fullPattern.test(error.message));
  } finally {
    rmSync(path, { force: true });
  }
}

/** A finished run that waits to be stored in the fleet. */
const keptSchema = z.object({
  token: z.string(),
  host: hostSchema,
  trial: trialSchema,
  isCut: z.boolean(),
  warnings: z.array(warningSchema),
  /** Base64 of what the sides recorded, gzip. */
  records: z.object({ A: z.string().nullable(), B: z.string().nullable() }),
});
export type KeptResult = Readonly<z.infer<typeof keptSchema>>;

const ending = '.json';

/**
 * Keeps finished runs in a folder, which is there, until the fleet has stored them, because the database may be unreachable and the worker
 * may die.
 */
export class KeptResults {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores a result and syncs it to the device; leaves nothing behind where the system refuses. */
  keep(result: KeptResult): void {
    const path = this.#path(result.token);
    try {
      writeFileSync(`${path}.new`, JSON.stringify(result), { mode: 0o600, flush: true });
      renameSync(`${path}.new`, path);
    } catch (error) {
      rmSync(`${path}.new`, { force: true });
      throw error;
    }
  }

  /** All stored results. A file that cannot be read is incomplete and is removed. */
  list(): readonly KeptResult[] {
    const results: KeptResult[] = [];
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const read = name.endsWith(ending) ? tryToRead(path) : null;
      if (read === null) rmSync(path, { force: true });
      else results.push(read);
    }
    return results;
  }

  drop(token: string): void {
    rmSync(this.#path(token), { force: true });
  }

  #path(token: string): string {
    return join(this.#folder, `${token}${ending}`);
  }
}

function tryToRead(path: string): KeptResult | null {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
