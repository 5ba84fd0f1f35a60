import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { basename } from 'node:path';
import { ImportError } from './import-error.ts';

/** The bytes of a file, unpacked, readable more than once. */
export interface ImportSource {
  /** As it is to be named in messages. */
  readonly path: string;
  /**
   * The content from its beginning, in pieces that are good until the next is asked for. Errors of the system and of gzip are
   * `ImportError`s.
   */
  readonly chunks: () => AsyncIterable<Buffer>;
  /** Place of the file, perhaps packed, for formats that are not read from their beginning; absent = it is in memory. */
  readonly file?: string;
}

const chunkBytes = 1 << 20;

/** A file on disk; gzip is unpacked whatever the name says. */
export function fileSource(path: string): ImportSource {
  return {
    path,
    chunks: () => unpacked(piecesOf(path), path),
    file: path,
  };
}

/** Bytes in memory, named `path` in messages. */
export function bytesSource(bytes: Buffer, path: string): ImportSource {
  return {
    path,
    chunks: () => unpacked(split(bytes), path),
  };
}

/** Pieces of a file, all in the same memory: what is left to the collector of garbage adds up to more than the rest. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function* split(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function* unpacked(pieces: Iterable<Buffer> | AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  try {
    const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
    try {
      const first = await iterator.next();
      if (first.done === true) return;
      const head = first.value;
      if (head[0] === 0x42 && head[1] === 0x5a && head[2] === 0x68) {
        throw new ImportError('UNKNOWN_FORMAT', `${path} is packed with bzip2. Unpack it first: bunzip2 --keep FILE.`, {
          path,
        });
      }
      async function* all(): AsyncGenerator<Buffer> {
        yield head;
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
      }
      if (head[0] === 0x1f && head[1] === 0x8b) yield* unzipped(all());
      else yield* all();
    } finally {
      await iterator.return?.(undefined);
    }
  } catch (error) {
    throw readingFailure(error, path);
  }
}

async function* unzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  // A stream keeps several pieces.
  async function* copied(): AsyncGenerator<Buffer> {
    for await (const piece of packed) yield Buffer.from(piece);
  }
  // The error reaches the reader through the iterator of `gunzip`.
  pipeline(Readable.from(copied(), { objectMode: false }), gunzip, () => {});
  yield* gunzip as AsyncIterable<Buffer>;
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
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.chunks()) {
    parts.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= headBytes) break;
  }
  return headOf(source.path, Buffer.concat(parts).subarray(0, headBytes).toString('utf8'));
}

/** The head of a file from its first text. */
function headOf(path: string, text: string): FileHead {
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
}

/** Whether the head has all of these JSON keys. */
export function hasKeys({ keys }: FileHead, ...wanted: readonly string[]): boolean {
  return wanted.every((key) => keys.has(key));
}

/** Whether the first line is that of a table, separated by commas, with all of these columns. */
export function hasColumns({ lines }: FileHead, ...wanted: readonly string[]): boolean {
  const columns = new Set((lines[0] ?? '').split(',').map((name) => name.trim()));
  return wanted.every((column) => columns.has(column));
}
