import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { HistoryPoint } from '@deadheat/model';
import type { StoredRecording } from '../history.ts';
import { fromFields, toFields, type PointFields } from '../recording/point-fields.ts';

/**
 * The index of a folder of recordings. A recording is a block: one line for each point, and a closing line that begins
 * with the CRC of the whole block. All of it can be computed again from the recordings. The index is only appended to
 * or replaced by renaming, without a lock: two writers at the same time, or a crash, can leave a block missing, doubled
 * or incomplete, which the next reader detects and repairs. A new format gets a new file name.
 */
export const indexName = 'index-1.txt';

/** The entry of one recording in the index. */
export interface IndexBlock {
  /** Folder of the recording, relative. */
  readonly folder: string;
  /** A value that changes when the report of the recording changes. */
  readonly mark: string;
  readonly stored: StoredRecording;
  /** Lines of its points, each as the bytes of a JSON array. */
  readonly lines: Buffer;
}

interface ClosingLine {
  readonly folder: string;
  readonly mark: string;
  readonly stored: StoredRecording;
}

export interface IndexContent {
  readonly blocks: readonly IndexBlock[];
  /** Whether the index holds anything but complete blocks. */
  readonly isDamaged: boolean;
}

const lineFeed = 10;
const hash = '#'.charCodeAt(0);

/** Reads the complete blocks of the index; there are none when the index is missing. */
export function readIndex(directory: string): IndexContent {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(directory, indexName));
  } catch {
    return { blocks: [], isDamaged: false };
  }
  const blocks: IndexBlock[] = [];
  let isDamaged = false;
  let blockFrom = 0;
  let lineFrom = 0;
  while (lineFrom < bytes.length) {
    const end = bytes.indexOf(lineFeed, lineFrom);
    if (end === -1) break;
    if (bytes[lineFrom] === hash) {
      const block = closeBlock(bytes.subarray(blockFrom, lineFrom), bytes.subarray(lineFrom, end));
      if (block === null) isDamaged = true;
      else blocks.push(block);
      blockFrom = end + 1;
    }
    lineFrom = end + 1;
  }
  return { blocks, isDamaged: isDamaged || blockFrom !== bytes.length };
}

function checkedBy(lines: Buffer, closing: Buffer): string {
  return crc32(closing, crc32(lines)).toString(16).padStart(8, '0');
}

const crcLength = 9;

function closeBlock(lines: Buffer, closing: Buffer): IndexBlock | null {
  const text = closing.subarray(crcLength);
  if (closing.toString('latin1', 1, crcLength) !== checkedBy(lines, text)) return null;
  const { folder, mark, stored } = JSON.parse(text.toString('utf8')) as ClosingLine;
  return { folder, mark, stored, lines };
}

/** A block of a recording. */
export function toBlock(closing: ClosingLine, points: readonly HistoryPoint[]): IndexBlock {
  return {
    ...closing,
    lines: Buffer.from(points.map((point) => `${JSON.stringify(toFields(point))}\n`).join('')),
  };
}

function toBytes({ lines, folder, mark, stored }: IndexBlock): Buffer {
  const closing = Buffer.from(JSON.stringify({ folder, mark, stored } satisfies ClosingLine));
  return Buffer.concat([lines, Buffer.from(`#${checkedBy(lines, closing)}`), closing, Buffer.from('\n')]);
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

/** Points of a block. */
export function* pointsIn({ lines, stored }: IndexBlock): Generator<HistoryPoint> {
  let from = 0;
  while (from < lines.length) {
    const end = lines.indexOf(lineFeed, from);
    yield fromFields(JSON.parse(lines.toString('utf8', from, end)) as PointFields, stored);
    from = end + 1;
  }
}
