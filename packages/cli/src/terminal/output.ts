import { accessSync, constants, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from 'deadheat/settings';
import type { Exports } from '../arguments/invocation.ts';
import { exportFlag } from '../arguments/output-keys.ts';
import type { Terminal } from './terminal.ts';

/**
 * Looks whether the exports can be written, before anything is measured.
 *
 * @throws UsageError for a file or folder that cannot be written
 */
export function checkExports(exports: Partial<Exports>): void {
  for (const [name, path] of Object.entries(exports)) {
    if (path !== null && path !== undefined && path !== '-') checkWritable(exportFlag(name), path);
  }
}

/**
 * Looks whether the file that a flag names can be written.
 *
 * @throws UsageError when it cannot
 */
export function checkWritable(flag: string, path: string): void {
  const why = whyNotWritable(path);
  if (why === null) return;
  throw new UsageError('BAD_VALUE', `${flag} '${path}' cannot be written: ${why}`, {
    hint: 'Name a file in a folder that exists and is yours.',
  });
}

function whyNotWritable(path: string): string | null {
  try {
    const exists = existsSync(path);
    if (exists && statSync(path).isDirectory()) return 'it is a folder';
    accessSync(exists ? path : dirname(resolve(path)), constants.W_OK);
    return null;
  } catch (cause) {
    return (cause as Error).message;
  }
}

/** Writes an export to its file, or to standard output for `-`; nothing for `null`. */
export function writeExport(
  path: string | null,
  { content, terminal }: { readonly content: string; readonly terminal: Terminal },
): void {
  if (path === null) return;
  if (path === '-') terminal.stdout.write(content);
  else writeFileSync(path, content);
}

/** Where the report for people goes: to stderr when an export takes stdout, so that a pipe stays clean. */
export function reportStream(exports: Partial<Exports>): 'stdout' | 'stderr' {
  return Object.values(exports).includes('-') ? 'stderr' : 'stdout';
}

/** Writes a file so that a reader sees the old content or the whole new one. */
export function writeWhole(path: string, content: string): void {
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
