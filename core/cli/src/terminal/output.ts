import { systemErrorCode } from '@deadheat/recording';
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DeadheatError } from '@deadheat/model';
import { printable } from '@deadheat/report';
import { UsageError } from 'deadheat/settings';
import type { StyleChoice } from './style.ts';
import type { Terminal } from './terminal.ts';

/** Files of exports by their formats; `-` is standard output, for at most one of them. */
export type Exports<Format extends string = string> = { readonly [Name in Format]?: string };

/**
 * Looks whether the exports can be written, before anything is measured.
 *
 * @throws UsageError for a file or folder that cannot be written
 */
export function checkExports(exports: Readonly<Record<string, string | null | undefined>>): void {
  for (const [name, path] of Object.entries(exports)) {
    if (path != null && path !== '-') checkWritable(`--export ${name}`, path);
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

/** Writes an export to its file, or to standard output for `-`; nothing without a file. */
export function writeExport(
  path: string | null | undefined,
  { content, terminal }: { readonly content: string; readonly terminal: Terminal },
): void {
  if (path == null) return;
  if (path === '-') terminal.stdout.write(content);
  else writeText(path, content);
}

/**
 * Writes a text to a file that the user named, or to the device or pipe of that name.
 *
 * @throws DeadheatError `DISK_FULL` or `IO`
 */
export function writeText(
  path: string,
  content: string,
  { flag = 'w' }: { readonly flag?: 'w' | 'wx' | 'a' } = {},
): void {
  try {
    writeFileSync(path, content, { flag });
  } catch (cause) {
    const code = systemErrorCode(cause) ?? '';
    const message = code === 'EDQUOT' ? 'EDQUOT: the disk quota is used up' : (cause as Error).message;
    throw new DeadheatError(
      ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? 'DISK_FULL' : 'IO',
      `${path} cannot be written: ${message}`,
      { cause, hint: 'Free some space there, or name another file.' },
    );
  }
}

/**
 * Writes a text that is too long for one string to a file; nothing for `null`.
 *
 * @throws as `writeText`
 */
export function writePieces(path: string | null | undefined, pieces: () => Iterable<string>): void {
  if (path == null) return;
  writeText(path, '');
  for (const piece of pieces()) writeText(path, piece, { flag: 'a' });
}

/** The stream of the report for people: standard error when an export takes standard output. */
export function reportStream(exports: Readonly<Record<string, string | null | undefined>>): 'stdout' | 'stderr' {
  return Object.values(exports).includes('-') ? 'stderr' : 'stdout';
}

/** Makes a function that writes a notice to standard error, and nothing with `--style none`. */
export function createNoticeWriter(
  { style }: { readonly style: StyleChoice },
  { stderr }: Terminal,
): (text: string) => void {
  return (text) => {
    if (style !== 'none') stderr.write(`deadheat: ${printable(text)}\n`);
  };
}
