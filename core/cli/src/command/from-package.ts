import type { Family } from './define-command.ts';

/**
 * Loads a family of subcommands from a package that is installed beside deadheat and exports it by its name.
 *
 * @throws DeadheatError `PACKAGE_MISSING` where the package is absent
 */
export async function fromPackage(name: string, family: string): Promise<Family> {
  const { loadPackage } = await import('@deadheat/recording');
  return loadPackage<Family>(name, { exported: family, user: `deadheat ${family}` });
}
