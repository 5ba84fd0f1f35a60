import type { ImportSource } from '../import-source.ts';
import { malformedText } from '../import-error.ts';

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Without its line end. */
  readonly text: string;
}

const longestLineBytes = 16 * 1024 * 1024;
const lineFeed = 0x0a;

/**
 * The bytes of a text file in pieces of whole lines, without a byte order mark. Each piece but the last ends with a line feed, and is good until
 * the next is asked for.
 *
 * @throws ImportError `MALFORMED_FILE` for a line above 16 MiB, or as the source
 */
export async function* readLineBytes(source: ImportSource): AsyncGenerator<Buffer> {
  // One memory for all pieces: what is left to the collector of garbage adds up to more than the rest.
  let room = Buffer.alloc(0);
  let length = 0;
  let before = 0;
  function piece(end: number): Buffer {
    const hasMark = before === 0 && room[0] === 0xef && room[1] === 0xbb && room[2] === 0xbf;
    return room.subarray(hasMark ? Math.min(3, end) : 0, end);
  }
  for await (const chunk of source.chunks()) {
    if (length + chunk.length > room.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (length + chunk.length));
      room.copy(larger, 0, 0, length);
      room = larger;
    }
    chunk.copy(room, length);
    const last = chunk.lastIndexOf(lineFeed);
    const end = last === -1 ? 0 : length + last + 1;
    length += chunk.length;
    if (length - end > longestLineBytes) {
      const place = { path: source.path, line: await lineAt(source, before + end), column: 1 };
      throw malformedText(place, { what: 'a line of more than 16 MiB', advice: 'Check that this is a text file.' });
    }
    if (end === 0) continue;
    yield piece(end);
    room.copyWithin(0, end, length);
    length -= end;
    before += end;
  }
  if (length > 0) yield piece(length);
}

/** The number of the line that begins at an offset, from 1. */
async function lineAt(source: ImportSource, offset: number): Promise<number> {
  let line = 1;
  let before = 0;
  for await (const chunk of source.chunks()) {
    for (const byte of chunk.subarray(0, offset - before)) if (byte === lineFeed) line += 1;
    before += chunk.length;
    if (before >= offset) break;
  }
  return line;
}

/** Where the line at a place ends: at its line feed, or at the end of the bytes. */
export function lineEnd(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(lineFeed, at);
  return end === -1 ? bytes.length : end;
}

/** The text of a line, without a carriage return at its end. */
export function lineText(bytes: Buffer, at: number, end: number): string {
  return bytes.toString('utf8', at, end > at && bytes[end - 1] === 0x0d ? end - 1 : end);
}

/** The lines of a text file in lists, as they come from the disk, without their ends. */
export async function* readLineBatches(source: ImportSource): AsyncGenerator<readonly string[]> {
  for await (const bytes of readLineBytes(source)) {
    const lines = bytes.toString('utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  }
}

/** The lines of a text file in batches, as they come from the disk: each has to be gone through. To wait for every line by itself takes longer than to read it. */
export async function* readLines(source: ImportSource): AsyncGenerator<Iterable<TextLine>> {
  let before = 0;
  function* numbered(texts: readonly string[]): Generator<TextLine> {
    for (const text of texts) yield { number: ++before, text };
  }
  for await (const texts of readLineBatches(source)) yield numbered(texts);
}
