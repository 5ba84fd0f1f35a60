import { DeadheatError } from './error.ts';

/**
 * Loads an export of a package that is installed beside deadheat, such as `@deadheat/track`.
 *
 * @param user the subject of the message: `deadheat history`
 * @param version the version of deadheat, which that of the package has to be
 * @throws DeadheatError `PACKAGE_MISSING` where the package, or that export of it, is absent
 */
export async function loadPackage<Export>(
  name: string,
  { exported, user, version }: { readonly exported: string; readonly user: string; readonly version: string },
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
    hint: `Install it where deadheat is installed (with -g if it is global): npm install ${name}@${version}`,
  });
}
