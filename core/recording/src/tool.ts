import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Name and version of this tool, for recordings, reports and the names of packages to install. */
export const tool: { readonly name: string; readonly version: string } = {
  name: 'deadheat',
  version: manifest.version,
};
