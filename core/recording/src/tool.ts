import { readFileSync } from 'node:fs';
import { DeadheatError } from '@deadheat/model';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Name and version of this tool, for recordings, reports and the names of packages to install. */
export const tool: { readonly name: string; readonly version: string } = {
  name: 'deadheat',
  version: manifest.version,
};

/**
 * Loads an export of a package that is installed beside deadheat in the same version, such as `@deadheat/track`.
 *
 * @param user the subject of the message: `deadheat history`
 * @throws DeadheatError `PACKAGE_MISSING` where the package, or that export of it, is absent
 */
export async function loadPackage<Export>(
  name: string,
  { exported, user }: { readonly exported: string; readonly user: string },
): Promise<Export> {
  try {
    // The name is no literal, so that compiler and bundler do not look for the package.
    const loaded = (await import(name)) as Readonly<Record<string, Export>>;
    if (loaded[exported] !== undefined) return loaded[exported];
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isAbsent || !error.message.includes(`'${name}'`)) throw error;
  }
  throw new DeadheatError('PACKAGE_MISSING', `${user} needs the package ${name}, which is not installed.`, {
    hint: `Install it where deadheat is installed (with -g if it is global): npm install ${name}@${tool.version}`,
  });
}
