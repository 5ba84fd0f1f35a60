import { DeadheatError } from '@deadheat/model';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type SettingFiles, isTunable, tuningNames, type TunedSetting } from './find-tuning.ts';

/** The machine has one state, whoever changes it. */
export const tuningDirectory = '/var/lib/deadheat';

const schema = 'deadheat.tuning/1';

/** The former values, as they stand on disk from before the first change until all is put back. */
export interface TuningState {
  /** Changes with every start of the machine, which sets everything anew; `null` = unknown. */
  readonly bootId: string | null;
  readonly settings: readonly TunedSetting[];
}

/** Where the former values are kept. */
export function tuningFile(directory: string): string {
  return join(directory, 'tuning.json');
}

/** The identifier of one boot of the machine, which the next boot changes. */
export function readBootId(files: SettingFiles): string | null {
  return files.read('/proc/sys/kernel/random/boot_id');
}

/**
 * The former values that are kept; `null` = none.
 *
 * @throws DeadheatError `TUNING_STATE` when the file cannot be read or holds anything else
 */
export function readTuningState(directory: string): TuningState | null {
  const path = tuningFile(directory);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new DeadheatError('TUNING_STATE', `Cannot read ${path}: ${(cause as Error).message}. Try again as root.`, {
      cause,
    });
  }
  const state = parseState(text);
  if (state !== null) return state;
  throw new DeadheatError(
    'TUNING_STATE',
    `${path} does not hold former values as this version writes them, so nothing is changed. Look at it, put back what ` +
      'it says by hand, then remove it; or restart the machine, which sets everything anew, and remove it.',
  );
}

/**
 * Keeps the former values, so that they are on disk when this returns.
 *
 * @param expected whether there is a state already; without one, a state that another process made meanwhile stays
 * @returns whether it was written; `false` = another process was first
 * @throws DeadheatError `TUNING_STATE` when it cannot be written
 */
export function writeTuningState(
  directory: string,
  { state, expected }: { readonly state: TuningState; readonly expected: 'none' | 'some' },
): boolean {
  const path = tuningFile(directory);
  const unfinished = `${path}.${process.pid}`;
  try {
    mkdirSync(directory, { recursive: true });
    rmSync(unfinished, { force: true });
    const descriptor = openSync(unfinished, 'wx', 0o644);
    try {
      writeFileSync(descriptor, `${JSON.stringify({ schema, ...state }, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (expected === 'some') renameSync(unfinished, path);
    else if (!linked(unfinished, path)) return false;
    syncFolder(directory);
    return true;
  } catch (cause) {
    throw new DeadheatError(
      'TUNING_STATE',
      `Cannot keep the former values in ${path}: ${(cause as Error).message}. Nothing is changed without them; make the ` +
        'folder writable, or try again as root.',
      { cause },
    );
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Forgets the former values. @throws DeadheatError `TUNING_STATE` when the file cannot be removed */
export function removeTuningState(directory: string): void {
  const path = tuningFile(directory);
  try {
    rmSync(path, { force: true });
    syncFolder(directory);
  } catch (cause) {
    throw new DeadheatError('TUNING_STATE', `Cannot remove ${path}: ${(cause as Error).message}. Try again as root.`, {
      cause,
    });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Makes the names in a folder survive a power failure. */
function syncFolder(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function parseState(text: string): TuningState | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || value['schema'] !== schema) return null;
  const { bootId, settings } = value;
  if (bootId !== null && typeof bootId !== 'string') return null;
  if (!Array.isArray(settings) || !settings.every((one) => isSetting(one))) return null;
  return { bootId, settings };
}

function isSetting(value: unknown): value is TunedSetting {
  if (!isObject(value)) return false;
  const { tuning, path, before, wanted } = value;
  return (
    tuningNames.some((name) => name === tuning) &&
    typeof path === 'string' &&
    isTunable(path) &&
    isValue(before) &&
    (wanted === null || isValue(wanted))
  );
}

/** All that these files hold is a word or a number. */
function isValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
