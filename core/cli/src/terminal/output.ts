import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Study } from '@deadheat/lab';
import { DeadheatError } from '@deadheat/model';
import { printable, renderStudy, studyCsv } from '@deadheat/report';
import { renderStudyFiles, type StudyFile } from '@deadheat/lab';
import { UsageError } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { resolveTerminalStyle, type StyleChoice } from './style.ts';
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
    const { code = '', message } = cause as NodeJS.ErrnoException;
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

interface WrittenStudy {
  readonly recordings: readonly string[];
  /** Folder for its page and its figures; `null` = none. */
  readonly figures?: string | null;
  readonly choices: {
    readonly exports: Exports<'json' | 'csv'>;
    readonly style: StyleChoice;
  };
  readonly terminal: Terminal;
}

/** Shows a study and writes its exports. Returns the exit code. */
export function writeStudy(made: Study, { recordings, figures = null, choices, terminal }: WrittenStudy): ExitCode {
  const stream = terminal[reportStream(choices.exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy(made, style));
  const { figures: _drawn, ...plain } = made;
  const result = { schema: 'deadheat.study/1', recordings, ...plain };
  writeExport(choices.exports.json, { content: `${JSON.stringify(result, null, 2)}\n`, terminal });
  writeExport(choices.exports.csv, { content: studyCsv(made), terminal });
  if (figures !== null) writeFigures(figures, renderStudyFiles(made, { recordings }));
  return exitCodes.done;
}

/**
 * Writes the files of a study into a folder, which it makes.
 *
 * @throws DeadheatError `NOT_WRITABLE` for a folder that cannot be made; as `writeText`
 */
export function writeFigures(folder: string, files: readonly StudyFile[]): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new DeadheatError('NOT_WRITABLE', `${folder} cannot be made: ${(cause as Error).message}`, {
      cause,
      hint: 'Name a folder in one that is yours.',
    });
  }
  for (const { name, content } of files) writeText(join(folder, name), content);
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
