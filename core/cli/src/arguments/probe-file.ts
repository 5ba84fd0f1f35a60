import { accessSync, constants, statSync } from 'node:fs';

/** What a path is to somebody who wants to read it. */
export type FileProbe = 'readable' | 'missing' | 'directory' | 'forbidden';

/** Looks at a path, following symbolic links. */
export function probeFile(path: string): FileProbe {
  try {
    if (statSync(path).isDirectory()) return 'directory';
    accessSync(path, constants.R_OK);
    return 'readable';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? 'forbidden' : 'missing';
  }
}
