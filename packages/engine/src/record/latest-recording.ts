import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readFailure } from './read-failure.ts';
import { recordingFiles } from './recording-files.ts';
import { utcStamp } from './recording-name.ts';
import { isSystemError } from './system-error.ts';

interface Candidate {
  readonly path: string;
  readonly stamp: string;
  readonly writtenMs: number;
}

/**
 * Folder of the newest recording in `parent`, by the time in the folder's name, else by the time at which its
 * `experiment.json` was written, which also orders recordings of the same second; `null` when there is none.
 *
 * @throws RecordError `NOT_READABLE` or `IO` when `parent` exists and cannot be read.
 */
export const latestRecording = async (parent: string): Promise<string | null> => {
  const candidates = await Promise.all((await listNames(parent)).map((name) => inspect(parent, name)));
  const [newest] = candidates
    .filter((candidate) => candidate !== null)
    .toSorted((a, b) => (a.stamp === b.stamp ? b.writtenMs - a.writtenMs : a.stamp < b.stamp ? 1 : -1));
  return newest?.path ?? null;
};

const listNames = async (parent: string): Promise<readonly string[]> => {
  try {
    return await readdir(parent);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw readFailure(error, parent);
  }
};

const inspect = async (parent: string, name: string): Promise<Candidate | null> => {
  const path = join(parent, name);
  try {
    const { mtime, mtimeMs } = await stat(join(path, recordingFiles.experiment));
    const [stamp = utcStamp(mtime)] = /^\d{8}T\d{6}Z/.exec(name) ?? [];
    return { path, stamp, writtenMs: mtimeMs };
  } catch {
    return null;
  }
};
