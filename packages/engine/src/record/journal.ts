import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** What stands in a journal that is opened. */
export interface JournalState {
  /** Bytes up to the end of the last whole line; what follows is cut off. */
  readonly bytes: number;
  /** Whole lines. */
  readonly lines: number;
  /** Whether the last whole line still lacks its line feed. */
  readonly unterminated: boolean;
}

/**
 * A file that grows by whole lines. A line is on the device when {@link Journal.append} returns; one that could not
 * be written whole is taken back, so that the file always consists of whole lines. Errors are the system's own.
 */
export class Journal {
  readonly path: string;
  readonly #descriptor: number;
  #bytes: number;
  #lines: number;
  #torn = false;
  #open = true;

  /** Opens the file, makes it if it is not there, and cuts it to its whole lines. */
  constructor(path: string, { bytes, lines, unterminated }: JournalState) {
    this.path = path;
    this.#bytes = bytes;
    this.#lines = lines;
    this.#descriptor = openSync(path, bytes === 0 ? 'w' : 'r+');
    try {
      if (fstatSync(this.#descriptor).size > bytes) this.#cut();
      if (unterminated) this.#extend('\n');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whole lines on the device. */
  get lines(): number {
    return this.#lines;
  }

  /** Whether the file was removed: what is written still reaches the device, but nobody will find it. */
  get isRemoved(): boolean {
    return fstatSync(this.#descriptor).nlink === 0;
  }

  /** Appends a line (given without its line feed) by one write and waits until the device has it. */
  append(line: string): void {
    this.#extend(`${line}\n`);
    this.#lines += 1;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }

  #extend(text: string): void {
    if (this.#torn) this.#cut();
    const data = Buffer.from(text);
    this.#torn = true;
    try {
      let written = 0;
      // more than one round only after a short write, as a disk that is nearly full gives
      while (written < data.length) {
        written += writeSync(this.#descriptor, data, written, data.length - written, this.#bytes + written);
      }
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      this.#tryToCut();
      throw error;
    }
    this.#torn = false;
    this.#bytes += data.length;
  }

  /** Takes an unfinished line back. */
  #cut(): void {
    ftruncateSync(this.#descriptor, this.#bytes);
    this.#torn = false;
  }

  /** A cut that fails is repeated before the next line; readers tolerate a torn last line until then. */
  #tryToCut(): void {
    try {
      this.#cut();
    } catch {
      this.#torn = true;
    }
  }
}
