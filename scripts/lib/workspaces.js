import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The three houses of the source, each a folder of workspaces: `core` for everybody, `track` for teams, `lab` for researchers. */
export const houses = ['core', 'track', 'lab'];

/** Every workspace: its house, the name of its folder, the folder, and its package.json. */
export const workspaces = houses.flatMap((house) =>
  (existsSync(join(root, house)) ? readdirSync(join(root, house)) : [])
    .map((name) => ({ house, name, folder: join(root, house, name) }))
    .filter(({ folder }) => existsSync(join(folder, 'package.json')))
    .map((one) => ({ ...one, manifest: JSON.parse(readFileSync(join(one.folder, 'package.json'), 'utf8')) })),
);

/** The workspace in which a file lies. */
export function workspaceOf(path) {
  const [house, name] = relative(root, path).split(sep);
  const found = workspaces.find((one) => one.house === house && one.name === name);
  if (found === undefined) throw new Error(`${path} lies in no workspace`);
  return found;
}
