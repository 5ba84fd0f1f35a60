import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** More than any kernel counter file that is read here; a larger one is treated as unreadable. */
const largestBytes = 8 * 1024 * 1024;

/**
 * A kernel counter file that is read again and again: it stays open, and every read goes into the same buffer. After
 * a successful {@link read}, the text is the first {@link length} bytes of {@link bytes}.
 */
export class CounterFile {
  #fd: number | null;
  #bytes: Buffer;
  #length = 0;

  private constructor(fd: number) {
    this.#fd = fd;
    this.#bytes = Buffer.alloc(4096);
  }

  /** `null` when the file cannot be opened or read. */
  static open(root: string, path: string): CounterFile | null {
    try {
      const file = new CounterFile(openSync(join(root, path), 'r'));
      if (file.read()) return file;
      file.close();
      return null;
    } catch {
      return null;
    }
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Takes a new look at the file; `false` when it can no longer be read. Allocates only when the file has outgrown the buffer. */
  read(): boolean {
    this.#length = 0;
    if (this.#fd === null) return false;
    try {
      for (;;) {
        // One read from the start, so that all numbers are of one moment.
        const length = readSync(this.#fd, this.#bytes, 0, this.#bytes.length, 0);
        if (length < this.#bytes.length) {
          this.#length = length;
          return length > 0;
        }
        if (this.#bytes.length >= largestBytes) return false;
        this.#bytes = Buffer.alloc(this.#bytes.length * 4);
      }
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
