import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { RecordError, systemErrorCode } from '../record-error.ts';
import { RecordParser } from './record-parser.ts';
import type { RecordedBenchmark } from './iteration-table.ts';

/** Number of bytes that are read at once at most: some 10 000 iterations, so that one reading takes milliseconds at most. */
const mostBytes = 1 << 20;
const lineFeed = 0x0a;

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
