import { constants as bufferConstants } from 'node:buffer';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import { ImportError, mebibytes, tooLarge, malformedText } from './import-error.ts';
import type { TextLine } from '../grammar/lines.ts';

/** The content of a file, unpacked. */
export interface ImportSource {
  /** Name of the file in messages. */
  readonly path: string;
  /** The first bytes, at least 256 KiB where there are as many. Errors of the system and of gzip are `ImportError`s. */
  readonly head: () => Promise<Buffer>;
  /** The whole content. Errors as those of `head`; `TOO_LARGE` above the limit. */
  readonly bytes: () => Promise<Buffer>;
  /** Place of the file, perhaps packed, for formats that are not read as a whole; absent = it is in memory. */
  readonly file?: string;
  /** The folder that is read as a whole, of which it is a file; absent = the file is read alone. */
  readonly folder?: string;
}

/** Most bytes of a file that is read as a whole: the longest text of Node, about 512 MiB. */
const mostBytes: number = bufferConstants.MAX_STRING_LENGTH;

interface SourceLimits {
  /** For tests. */
  readonly mostBytes: number;
}

/** A file on disk; gzip is unpacked whatever its name is. */
export function fileSource(path: string, limits: SourceLimits = { mostBytes }): ImportSource {
  async function read(most: number): Promise<Buffer> {
    try {
      const file = await open(path);
      try {
        const { size } = await file.stat();
        if (most === Infinity && size > limits.mostBytes) throw beyond(path, size, limits.mostBytes);
        if (most === Infinity) return await file.readFile();
        const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw readingFailure(error, path);
    }
  }
  return {
    path,
    head: async () => unpackedHead(await read(headBytes), path),
    bytes: async () => unpacked(await read(Infinity), { path, ...limits }),
    file: path,
  };
}

/** Bytes in memory, named `path` in messages. */
export function bytesSource(bytes: Buffer, path: string, limits: SourceLimits = { mostBytes }): ImportSource {
  return {
    path,
    head: () => unpackedHead(bytes.subarray(0, headBytes), path),
    bytes: async () => {
      if (bytes.length > limits.mostBytes) throw beyond(path, bytes.length, limits.mostBytes);
      return unpacked(bytes, { path, ...limits });
    },
  };
}

function beyond(path: string, size: number | null, most: number): ImportError {
  const found = size === null ? `more than ${mebibytes(most)} once it is unpacked` : mebibytes(size);
  const what = `${found}, and files of other tools are read up to ${mebibytes(most)}`;
  return tooLarge(path, { what, instead: null });
}

async function unpacked(
  bytes: Buffer,
  { path, mostBytes: most }: SourceLimits & { readonly path: string },
): Promise<Buffer> {
  if (!isPacked(bytes, path)) return inUtf8(bytes);
  try {
    return inUtf8(await promisify(gunzip)(bytes, { maxOutputLength: most }));
  } catch (error) {
    if (error instanceof RangeError) throw beyond(path, null, most);
    throw readingFailure(error, path);
  }
}

const packedHeadBytes = 64 * 1024;

/** Unpacks the first bytes of a file as far as they go: gzip makes 64 KiB into at most 64 MiB. */
async function unpackedHead(bytes: Buffer, path: string): Promise<Buffer> {
  if (!isPacked(bytes, path)) return inUtf8(bytes);
  const options = { finishFlush: constants.Z_SYNC_FLUSH };
  return promisify(gunzip)(bytes.subarray(0, packedHeadBytes), options).catch((error: unknown) => {
    throw readingFailure(error, path);
  });
}

/** A text in UTF-16 with a byte order mark, as PowerShell writes it, in UTF-8. */
function inUtf8(bytes: Buffer): Buffer {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? Buffer.from(bytes.toString('utf16le', 2)) : bytes;
}

/** True if the bytes are packed with gzip; bzip2 is refused. */
function isPacked(bytes: Buffer, path: string): boolean {
  if (bytes.toString('latin1', 0, 3) === 'BZh') {
    throw new ImportError('UNKNOWN_FORMAT', `${path} is packed with bzip2. Unpack it first: bunzip2 --keep FILE.`, {
      path,
    });
  }
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The `ImportError` for a file that the system would not read; other errors are given back as they are. */
export function readingFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof ImportError) return error;
  const code = String(error.code);
  const details = { path, cause: error };
  if (code === 'ENOENT') return new ImportError('FILE_NOT_FOUND', `${path} does not exist. Check the path.`, details);
  if (code.startsWith('Z_')) {
    const what = `${path} is damaged: it begins as gzip and does not unpack (${code})`;
    return new ImportError('MALFORMED_FILE', `${what}. Copy it again from where it was made.`, details);
  }
  const what = `Cannot read ${path}: the system refused (${code})`;
  return new ImportError('FILE_NOT_READABLE', `${what}. Check path and permissions.`, details);
}

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
export async function readHead(source: ImportSource): Promise<FileHead> {
  const text = (await source.head()).toString('utf8', 0, headBytes).replace(/^\uFEFF/, '');
  const first = /\S/.exec(text)?.[0] ?? '';
  const isJson = first === '{' || first === '[';
  return {
    path: source.path,
    name: basename(source.path),
    text,
    lines: text.split(/\r?\n/),
    first,
    keys: new Set(isJson ? Array.from(text.matchAll(/"([^"\\\n]{1,100})"\s*:/g), ([, key = '']) => key) : []),
  };
}

/** True if the head has all of these JSON keys. */
export function hasKeys({ keys }: FileHead, ...wanted: readonly string[]): boolean {
  return wanted.every((key) => keys.has(key));
}

/** True if the first line is that of a table, separated by commas, with all of these columns. */
export function hasColumns({ lines }: FileHead, ...wanted: readonly string[]): boolean {
  const columns = new Set((lines[0] ?? '').split(',').map((name) => name.trim()));
  return wanted.every((column) => columns.has(column));
}

export interface FileLine extends TextLine {
  /** Offset of its first byte in the file. */
  readonly at: number;
}

const longestLineBytes = 16 * 2 ** 20;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * The lines of a text file, without its byte order mark.
 *
 * @throws ImportError `MALFORMED_FILE` for a line above 16 MiB, or as the source
 */
export async function readLines(source: ImportSource): Promise<Iterable<FileLine>> {
  return linesOf(await source.bytes(), source.path);
}

/** The lines of the content of a file, as `readLines`. */
export function* linesOf(bytes: Buffer, path: string): Generator<FileLine> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let [at, number] = [hasMark ? 3 : 0, 1]; at < bytes.length; number++) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found === -1 ? bytes.length : found;
    if (end - at > longestLineBytes) {
      const advice = 'Check that this is a text file.';
      throw malformedText({ path, line: number, column: 1 }, { what: 'a line of more than 16 MiB', advice });
    }
    yield {
      number,
      at,
      text: bytes.toString('utf8', at, bytes[end - 1] === carriageReturn && end > at ? end - 1 : end),
    };
    at = end + 1;
  }
}
