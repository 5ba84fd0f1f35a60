import { basename } from 'node:path';
import type { ImportSource } from './import-source.ts';

/** The beginning of a file, by which its format is recognised. */
export interface FileHead {
  readonly path: string;
  /** Last part of the path. */
  readonly name: string;
  /** At most the first 256 KiB as text. */
  readonly text: string;
  /** The lines of `text`, without line feeds; the last may be cut off. */
  readonly lines: readonly string[];
  /** First character that is not white space: `{` or `[` for JSON; empty in an empty file. */
  readonly first: string;
  /** Every JSON key in `text`, at any depth; empty when it does not begin as JSON. */
  readonly keys: ReadonlySet<string>;
}

const headBytes = 256 * 1024;

/** Reads the beginning of a file. */
export const readHead = async (source: ImportSource): Promise<FileHead> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    parts.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= headBytes) break;
  }
  return headOf(source.path, Buffer.concat(parts).subarray(0, headBytes).toString('utf8'));
};

/** The head of a file from its first text. */
export const headOf = (path: string, text: string): FileHead => {
  const first = /\S/.exec(text)?.[0] ?? '';
  const isJson = first === '{' || first === '[';
  return {
    path,
    name: basename(path),
    text,
    lines: text.split(/\r?\n/),
    first,
    keys: new Set(isJson ? Array.from(text.matchAll(/"([^"\\\n]{1,100})"\s*:/g), ([, key = '']) => key) : []),
  };
};

/** Whether the head has all of these JSON keys. */
export const hasKeys = ({ keys }: FileHead, ...wanted: readonly string[]): boolean =>
  wanted.every((key) => keys.has(key));

/** Whether the first line is that of a table, separated by commas, with all of these columns. */
export const hasColumns = ({ lines }: FileHead, ...wanted: readonly string[]): boolean => {
  const columns = new Set((lines[0] ?? '').split(',').map((name) => name.trim()));
  return wanted.every((column) => columns.has(column));
};
