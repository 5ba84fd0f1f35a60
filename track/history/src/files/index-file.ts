import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { HistoryPoint, StoredRecording } from '../history.ts';
import {
  type FiledPoint,
  fromFields,
  inMetric,
  type MetricFields,
  type PointFields,
  toFields,
  toMetricFields,
} from '../recording/point-fields.ts';

/**
 * The index of a folder of recordings. A recording is a block: one line for each point, which holds its fields, a tab and its other metrics, and
 * a closing line that begins with the CRC of the whole block. All of it can be computed again from the recordings. The index is only appended to
 * or replaced by renaming, without a lock: two writers at the same time, or a crash, can leave a block missing, doubled
 * or incomplete, which the next reader detects and repairs. A new format gets a new file name.
 */
export const indexName = 'index-2.txt';

/** The entry of one recording in the index. */
export interface IndexBlock {
  /** Folder of the recording, relative. */
  readonly folder: string;
  /** A value that changes when the report of the recording changes. */
  readonly mark: string;
  readonly stored: StoredRecording;
  /** Lines of its points, each of two JSON arrays with a tab between them. */
  readonly lines: PointLines;
}

type LinePart = 'fields' | 'all';

/** The lines of a block: in memory, where it was just read from a recording, else in the index. */
export interface PointLines {
  /** Bytes. */
  readonly length: number;
  /** The open index that holds them; `null` = memory does. */
  readonly file: IndexFile | null;
  /** All of them; of a file they are valid until the bytes of any other block are read. */
  bytes(): Buffer;
  /** The line that begins at a byte, without its end; `fields` = without its metrics, too. */
  lineAt(from: number, part: LinePart): string;
}

/** An index that is open for reading. What it holds stays readable when it is replaced by another. */
export class IndexFile {
  readonly #descriptor: number;

  /** @throws the system's error, or TypeError where it is no file */
  constructor(directory: string) {
    this.#descriptor = openSync(join(directory, indexName), 'r');
    if (fstatSync(this.#descriptor).isFile()) return;
    this.close();
    throw new TypeError(`${indexName} is no file`);
  }

  /** Fills a buffer from a position of the file. @returns the number of bytes, fewer than its length at the end of the file */
  readInto(bytes: Buffer, position: number): number {
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.#descriptor, bytes, filled, bytes.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function heldLines(held: Buffer): PointLines {
  return {
    length: held.length,
    file: null,
    bytes: () => held,
    lineAt: (from, part) => held.toString('utf8', from, held.indexOf(endOf[part], from)),
  };
}

/** Holds the lines of one block after the other: thousands of them are read to index their points. */
let scratch = Buffer.alloc(0);

/** Holds a line that is read alone, as all points of a series are; longer than most lines. */
const usualLine = Buffer.alloc(512);

class FiledLines implements PointLines {
  readonly file: IndexFile;
  readonly length: number;
  readonly #position: number;

  constructor(file: IndexFile, { position, length }: { readonly position: number; readonly length: number }) {
    this.file = file;
    this.length = length;
    this.#position = position;
  }

  bytes(): Buffer {
    if (scratch.length < this.length) scratch = Buffer.allocUnsafe(2 * this.length);
    const bytes = scratch.subarray(0, this.length);
    return bytes.subarray(0, this.file.readInto(bytes, this.#position));
  }

  lineAt(from: number, part: LinePart): string {
    for (let buffer = usualLine; ; buffer = Buffer.allocUnsafe(4 * buffer.length)) {
      const most = this.length - from;
      const asked = buffer.subarray(0, Math.min(buffer.length, most));
      const bytes = asked.subarray(0, this.file.readInto(asked, this.#position + from));
      const end = bytes.indexOf(endOf[part]);
      if (end !== -1) return bytes.toString('utf8', 0, end);
      if (buffer.length >= most) throw new RangeError('the index has no line there');
    }
  }
}

type ClosingLine = Omit<IndexBlock, 'lines'>;

export interface IndexContent {
  readonly blocks: readonly IndexBlock[];
  /** The open index; `null` = there is none. */
  readonly file: IndexFile | null;
  /** True when the index holds anything but complete blocks. */
  readonly isDamaged: boolean;
}

const lineFeed = 10;
const tab = 9;
/** Ends of a part of a line. JSON has neither of them. */
const endOf: Readonly<Record<LinePart, number>> = { fields: tab, all: lineFeed };
const beforeClosing = Buffer.from('\n#');

const chunkBytes = 1 << 22;

/** Reads the complete blocks of the index, which stays open for their lines; there are none when the index is missing. */
export function readIndex(directory: string): IndexContent {
  const blocks: IndexBlock[] = [];
  let file: IndexFile;
  try {
    file = new IndexFile(directory);
  } catch {
    return { blocks, file: null, isDamaged: false };
  }
  let isDamaged = false;
  // One buffer for the whole file: those of every piece would pile up faster than they are freed.
  let buffer = Buffer.allocUnsafe(chunkBytes);
  buffer[0] = lineFeed;
  /** Where the line feed lies before the block that is being read, and how much from there on the buffer holds. */
  let position = -1;
  let held = 1;
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
    const count = file.readInto(buffer.subarray(held), position + held);
    if (count === 0) return { blocks, file, isDamaged: isDamaged || held > 1 };
    const bytes = buffer.subarray(0, held + count);
    let before = 0;
    for (;;) {
      const closesAt = bytes.indexOf(beforeClosing, before) + 1;
      const end = closesAt === 0 ? -1 : bytes.indexOf(lineFeed, closesAt);
      if (end === -1) break;
      const closing = closeBlock(bytes.subarray(before + 1, closesAt), bytes.subarray(closesAt, end));
      const place = { position: position + before + 1, length: closesAt - before - 1 };
      if (closing === null) isDamaged = true;
      else blocks.push({ ...closing, lines: new FiledLines(file, place) });
      before = end;
    }
    buffer.copyWithin(0, before, bytes.length);
    position += before;
    held = bytes.length - before;
  }
}

function checkedBy(lines: Buffer, closing: Buffer): string {
  return crc32(closing, crc32(lines)).toString(16).padStart(8, '0');
}

const crcLength = 9;

function closeBlock(lines: Buffer, closing: Buffer): ClosingLine | null {
  const text = closing.subarray(crcLength);
  if (closing.toString('latin1', 1, crcLength) !== checkedBy(lines, text)) return null;
  return JSON.parse(text.toString('utf8')) as ClosingLine;
}

/** A block of a recording. */
export function toBlock(closing: ClosingLine, points: readonly FiledPoint[]): IndexBlock {
  return { ...closing, lines: heldLines(Buffer.from(points.map(lineOf).join(''))) };
}

function lineOf(point: FiledPoint): string {
  return `${JSON.stringify(toFields(point))}\t${JSON.stringify(point.metrics.map(toMetricFields))}\n`;
}

function toBytes({ lines, folder, mark, stored }: IndexBlock): Buffer {
  const closing = Buffer.from(JSON.stringify({ folder, mark, stored } satisfies ClosingLine));
  const bytes = lines.bytes();
  return Buffer.concat([bytes, Buffer.from(`#${checkedBy(bytes, closing)}`), closing, Buffer.from('\n')]);
}

/** Adds blocks. A folder that cannot be written gets no index; all of its recordings are then read each time. */
export function appendToIndex(directory: string, blocks: readonly IndexBlock[]): void {
  tryTo(() => {
    appendFileSync(join(directory, indexName), Buffer.concat(blocks.map(toBytes)));
  });
}

/** Replaces the index. */
export function replaceIndex(directory: string, blocks: readonly IndexBlock[]): void {
  const temporary = join(directory, `.${indexName}.${process.pid}`);
  tryTo(() => {
    try {
      writeFileSync(temporary, Buffer.concat(blocks.map(toBytes)));
      renameSync(temporary, join(directory, indexName));
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

function tryTo(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
  }
}

/** Points of a block; with a metric those that hold it, seen by it. */
export function pointsIn(
  { lines, stored }: IndexBlock,
  { metric }: { readonly metric?: string | undefined } = {},
): readonly HistoryPoint[] {
  const all = lines.bytes().toString().split('\n').slice(0, -1);
  return all.flatMap((line) => pointOf(line, { stored, metric }) ?? []);
}

/** The point of a line, which may end before its metrics; with a metric as seen by it, `null` where it is not held. */
export function pointOf(
  line: string,
  { stored, metric }: { readonly stored: StoredRecording; readonly metric?: string | undefined },
): HistoryPoint | null {
  const end = line.indexOf('\t');
  const fields = JSON.parse(end === -1 ? line : line.slice(0, end)) as PointFields;
  const point = fromFields(fields, stored);
  return metric === undefined ? point : inMetric(point, { name: metric, metrics: metricsIn(line) });
}

/** The metrics of a complete line. */
export function metricsIn(line: string): readonly MetricFields[] {
  return JSON.parse(line.slice(line.indexOf('\t') + 1)) as readonly MetricFields[];
}
