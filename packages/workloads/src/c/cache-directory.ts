import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { WorkloadError } from '../workload-error.ts';

/**
 * The folder for what can be made again, created where it is missing: `deadheat` in `XDG_CACHE_HOME` or `~/.cache`; where
 * that cannot be written, a folder of this user alone in the temporary one.
 *
 * @throws WorkloadError `CACHE_NOT_WRITABLE`
 */
export function cacheDirectory(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_CACHE_HOME: xdg = '' } = environment;
  const { uid } = userInfo();
  const candidates = [
    join(isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'deadheat'),
    join(environment['TMPDIR'] ?? tmpdir(), `deadheat-${uid}`),
  ];
  let failure: unknown;
  for (const directory of candidates) {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const status = lstatSync(realpathSync(directory));
      // Programs are started from here: nobody else may put any there.
      if (status.uid !== uid && uid !== -1) throw new Error(`${directory} belongs to somebody else`);
      if ((status.mode & 0o022) !== 0) throw new Error(`${directory} can be written by others`);
      return directory;
    } catch (error) {
      failure = error;
    }
  }
  throw new WorkloadError(
    'CACHE_NOT_WRITABLE',
    `no folder for compiled programs: ${(failure as Error).message}.\nSet XDG_CACHE_HOME to a folder of your own.`,
    { cause: failure },
  );
}
