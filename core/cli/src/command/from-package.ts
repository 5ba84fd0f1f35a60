import { DeadheatError } from '@deadheat/model';
import type { Family } from './define-command.ts';
import { version } from '../version.ts';

/**
 * Loads a family of subcommands from a package that is installed beside deadheat and exports it by its name.
 *
 * @throws DeadheatError `PACKAGE_MISSING` where the package is absent
 */
export async function fromPackage(name: string, family: string): Promise<Family> {
  try {
    // The name is no literal, so that compiler and bundler do not look for the package.
    const loaded = (await import(name)) as Readonly<Record<string, Family>>;
    if (loaded[family] !== undefined) return loaded[family];
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isAbsent || !error.message.includes(`'${name}'`)) throw error;
  }
  throw new DeadheatError('PACKAGE_MISSING', `deadheat ${family} needs the package ${name}, which is not installed.`, {
    hint: `Install it where deadheat is installed (with -g if it is global): npm install ${name}@${version}`,
  });
}
