import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where versions are kept: `DEADHEAT_CACHE`, else `deadheat` in the user's folder of caches (XDG base directories). Outside of every
 * repository, so that what a version lacks is not found in folders above it.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { DEADHEAT_CACHE: own, XDG_CACHE_HOME: shared } = environment;
  if (own !== undefined && own !== '') return own;
  return join(shared?.startsWith('/') === true ? shared : join(homedir(), '.cache'), 'deadheat');
}
