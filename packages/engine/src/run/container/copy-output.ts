import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SideContainer } from './side-container.ts';

/**
 * Copies the one file that a path finds out of a container; `*` in its name stands for any text. Tells why not, or `null`.
 *
 * @param options.stage folder of this machine that need not be there, and is gone afterwards
 */
export async function copyOutput(
  place: Pick<SideContainer, 'copyOut'>,
  path: string,
  { to, stage }: { readonly to: string; readonly stage: string },
): Promise<string | null> {
  const [before = '', ...rest] = basename(path).split('*');
  const after = rest.pop();
  if (after === undefined) return place.copyOut(path, to);
  rmSync(stage, { recursive: true, force: true });
  try {
    const why = await place.copyOut(dirname(path), stage);
    if (why !== null) return why;
    const found = readdirSync(stage).filter((name) => isFound(name, { before, between: rest, after }));
    const [only, ...more] = found;
    if (only === undefined) return 'no file there has such a name';
    if (more.length > 0) return `several have such a name: ${found.toSorted().join(', ')}`;
    copyFileSync(join(stage, only), to);
    return null;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Whether a name is made of parts, in their order, with any text between them. */
function isFound(
  name: string,
  parts: { readonly before: string; readonly between: readonly string[]; readonly after: string },
): boolean {
  const { before, between, after } = parts;
  if (!name.startsWith(before) || !name.endsWith(after) || name.length < before.length + after.length) return false;
  let rest = name.slice(before.length, name.length - after.length);
  for (const part of between) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}
