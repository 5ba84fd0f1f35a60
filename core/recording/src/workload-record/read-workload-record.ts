import { refuseSpecial } from '../own-files.ts';
import { closeSync, fstatSync, openSync, readSync, constants } from 'node:fs';
import { RecordError, readFailure, systemErrorCode } from '../record-error.ts';
import { RecordParser } from './record-parser.ts';
import type { RecordedBenchmark } from './iteration-table.ts';

/** The record that a side of a duet wrote to `DEADHEAT_RECORD`. */
export interface WorkloadRecord {
  /** In the order of the record; each has a name and parameters of its own. */
  readonly benchmarks: readonly RecordedBenchmark[];
  /** Bytes of a last line that was cut and left out; 0 = none. */
  readonly tornBytes: number;
}

const maximumLineBytes = 10_000_000;

/**
 * Reads the record of one side in one run (`docs/formats/protocol.md`), checking every line: indices of a benchmark
 * grow, no iteration starts before the one before has ended, none ends before it starts. A last line that a killed
 * side left half-written is left out.
 *
 * @throws RecordError `MALFORMED` with file, line and column of anything else that is not as the protocol says, an
 *   empty file included; `NEWER_VERSION` for a record of a later version; `NOT_FOUND`, `NOT_READABLE` or `IO`
 */
export async function readWorkloadRecord(path: string): Promise<WorkloadRecord> {
  refuseSpecial(path);
  const parser = new RecordParser(path);
  let tornBytes = 0;
  readLines(path, {
    maximumBytes: maximumLineBytes,
    onLine: (bytes, start, end) => parser.take(bytes, start, end),
    onRest: (bytes, start, end) => {
      if (parser.takeCut(bytes, start, end)) tornBytes = end - start;
    },
    tooLong: () =>
      new RecordError(
        'MALFORMED',
        `${path}:${parser.lines + 1}:1: expected one iteration a line, found a line above 10 MB. Write one JSON line ` +
          'an iteration, and nothing else, to DEADHEAT_RECORD.',
        { path, line: parser.lines + 1, column: 1 },
      ),
  });
  tornBytes += parser.finish();
  for (const { iterations } of parser.benchmarks) iterations.settle();
  return { benchmarks: parser.benchmarks, tornBytes };
}

/** A line without its line feed: bytes `start` to `end` of a buffer that holds them only during the call. */
type TakeLine = (bytes: Buffer, start: number, end: number) => void;

interface ReadLinesOptions {
  /** A longer line ends the reading. */
  readonly maximumBytes: number;
  /** Called for every line that ends in a line feed, in order. */
  readonly onLine: TakeLine;
  /** Called for what follows the last line feed, if there is anything. */
  readonly onRest: TakeLine;
  /** Makes the error for a line that is too long. */
  readonly tooLong: () => Error;
}

const mostFirstBytes = 1 << 20;
const lineFeed = 0x0a;

/** Reads a file line by line, as `readWholeLines` does; throws what that and the callbacks throw. */
export function readLines(path: string, { maximumBytes, onLine, onRest, tooLong }: ReadLinesOptions): void {
  for (const bytes of readWholeLines(path, { maximumBytes, tooLong })) {
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      if (end - start > maximumBytes) throw tooLong();
      onLine(bytes, start, end);
      start = end + 1;
    }
    if (start < bytes.length) onRest(bytes, start, bytes.length);
  }
}

/**
 * Reads a file in pieces of whole lines, of 1 MiB where lines are shorter; what follows the last line feed is the last piece. A
 * recording may have thousands of small files: they are read without a turn of the event loop for each step, into buffers of their size.
 *
 * @returns bytes that are there until the next piece is asked for
 * @throws RecordError `NOT_FOUND`, `NOT_READABLE` or `IO`, and `tooLong` for a line beyond the size
 */
export function* readWholeLines(
  path: string,
  { maximumBytes, tooLong }: Pick<ReadLinesOptions, 'maximumBytes' | 'tooLong'>,
): Generator<Buffer> {
  const file = attempt(path, () => openSync(path, 'r'));
  try {
    // One byte more than the file has, so that its end is seen without a longer buffer; a path that is no file has no size.
    const { size } = attempt(path, () => fstatSync(file));
    let buffer = Buffer.allocUnsafe(size === 0 ? mostFirstBytes : Math.min(mostFirstBytes, size + 1));
    let filled = 0;
    for (;;) {
      const bytesRead = attempt(path, () => readSync(file, buffer, filled, buffer.length - filled, null));
      if (bytesRead === 0) break;
      const searched = filled;
      filled += bytesRead;
      const last = buffer.subarray(searched, filled).lastIndexOf(lineFeed);
      const start = last === -1 ? 0 : searched + last + 1;
      if (start > 0) yield buffer.subarray(0, start);
      if (filled - start > maximumBytes) throw tooLong();
      if (start === 0 && filled === buffer.length) {
        const longer = Buffer.allocUnsafe(buffer.length * 2);
        buffer.copy(longer);
        buffer = longer;
      } else {
        buffer.copyWithin(0, start, filled);
        filled -= start;
      }
    }
    if (filled > 0) yield buffer.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw readFailure(error, path);
  }
}

/** Number of bytes that are read at once at most: some 10 000 iterations, so that one reading takes milliseconds at most. */
const mostBytes = 1 << 20;

/**
 * Reads the record of a side while the side still writes it: whole lines, each once, checked as `readWorkloadRecord` does. A program
 * in a container may put something else in its place: links are not followed, and only a regular file is read.
 */
export class RecordTail {
  readonly #path: string;
  readonly #parser: RecordParser;
  readonly #buffer = Buffer.allocUnsafe(mostBytes);
  #fd: number | null = null;
  #position = 0;
  /** Bytes at the start of the buffer that belong to a line whose end is not there yet. */
  #kept = 0;

  constructor(path: string) {
    this.#path = path;
    this.#parser = new RecordParser(path);
  }

  /** The benchmarks read so far; grows. */
  get benchmarks(): readonly RecordedBenchmark[] {
    return this.#parser.benchmarks;
  }

  /**
   * Reads on, 1 MB at most; gives how many bytes there were, 0 while there is no file.
   *
   * @throws RecordError as `readWorkloadRecord`; `IO` when the file cannot be read
   */
  read(): number {
    try {
      this.#fd ??= openRecord(this.#path);
      const bytes = readSync(this.#fd, this.#buffer, this.#kept, mostBytes - this.#kept, this.#position);
      this.#position += bytes;
      this.#take(bytes);
      return bytes;
    } catch (cause) {
      if (cause instanceof RecordError) throw cause;
      if (systemErrorCode(cause) === 'ENOENT') return 0;
      throw new RecordError('IO', `${this.#path} cannot be read: ${(cause as Error).message}`, {
        path: this.#path,
        cause,
      });
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** Parses the bytes that were read, after the rest of the bytes before them. */
  #take(bytes: number): void {
    const filled = this.#kept + bytes;
    const content = this.#buffer.subarray(0, filled);
    let start = 0;
    for (let end = content.indexOf(lineFeed, this.#kept); end !== -1; end = content.indexOf(lineFeed, start)) {
      this.#parser.take(this.#buffer, start, end);
      start = end + 1;
    }
    if (start === 0 && filled === mostBytes) {
      throw new RecordError('MALFORMED', `${this.#path}:${this.#parser.lines + 1}:1: a line above 1 MB`, {
        path: this.#path,
        line: this.#parser.lines + 1,
      });
    }
    this.#buffer.copyWithin(0, start, filled);
    this.#kept = filled - start;
  }
}

function openRecord(path: string): number {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new RecordError('MALFORMED', `${path} is no regular file`, { path });
}
