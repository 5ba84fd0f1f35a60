import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Result of the search for a program. */
export type Located =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'directory'; readonly path: string }
  /** A file is there, but may not be executed. */
  | { readonly kind: 'not-executable'; readonly path: string };

/**
 * Looks a program up as execvp does: a word with a slash is a path, any other is sought in the folders of `path`
 * (colon-separated; an empty one is `cwd`). The first file that may be executed wins; its path is absolute.
 */
export function findExecutable(word: string, { path, cwd }: { readonly path: string; readonly cwd: string }): Located {
  if (word.includes('/')) return inspect(resolve(cwd, word));
  let refused: Located = { kind: 'missing' };
  for (const folder of path.split(':')) {
    const located = inspect(join(resolve(cwd, folder), word));
    if (located.kind === 'found') return located;
    if (located.kind === 'not-executable' && refused.kind === 'missing') refused = located;
  }
  return refused;
}

function inspect(path: string): Located {
  try {
    if (statSync(path).isDirectory()) return { kind: 'directory', path };
  } catch {
    return { kind: 'missing' };
  }
  try {
    accessSync(path, constants.X_OK);
    return { kind: 'found', path };
  } catch {
    return { kind: 'not-executable', path };
  }
}
