import type { Libc } from '../libc.ts';

/** Longest padding that a program image has room for. */
export const maximumPadBytes = 4096;
const runCharacters = 12;
const cpusCharacters = 240;

/** Values that differ from one start of a program to the next. */
export interface ImageValues {
  readonly run: number;
  readonly cpus: readonly number[];
  readonly padBytes: number;
}

/**
 * A program's path, arguments and environment laid out in native memory as `execve` wants them, so that starting it
 * copies nothing. The run's number and the padding are changed in place, and the memory serves the next program that fits: each
 * view of native memory that is made costs some hundred bytes for good.
 */
export class ProgramImage {
  path = 0n;
  argv = 0n;
  environment = 0n;
  readonly #libc: Libc;
  #base = 0n;
  #buffer = new ArrayBuffer(0);
  #bytes = new Uint8Array(0);
  #runAt = 0;
  #cpusAt = 0;
  #padAt = 0;
  #padBytes = 0;

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  /** Lays a program out in place of the one before. */
  layOut(argv: readonly string[], environment: Readonly<Record<string, string>>): void {
    const encoder = new TextEncoder();
    const strings = [
      ...argv,
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      `DEADHEAT_RUN=${' '.repeat(runCharacters)}`,
      `DEADHEAT_CPUS=${' '.repeat(cpusCharacters)}`,
      `DEADHEAT_PAD=${'x'.repeat(maximumPadBytes)}`,
    ].map((text) => encoder.encode(text));
    const pointerBytes = (strings.length + 2) * 8;
    this.#reserve(strings.reduce((sum, text) => sum + text.length + 1, pointerBytes));
    const base = this.#base;
    const pointers = new BigUint64Array(this.#buffer, 0, strings.length + 2);
    let at = pointerBytes;
    const offsets: number[] = [];
    for (const text of strings) {
      this.#bytes.set(text, at);
      this.#bytes[at + text.length] = 0;
      offsets.push(at);
      at += text.length + 1;
    }
    // argv, its null, the environment, its null
    let slot = 0;
    for (const [index, offset] of offsets.entries()) {
      if (index === argv.length) pointers[slot++] = 0n;
      pointers[slot++] = base + BigInt(offset);
    }
    pointers[slot] = 0n;
    this.path = base + BigInt(offsets[0] ?? 0);
    this.argv = base;
    this.environment = base + BigInt((argv.length + 1) * 8);
    this.#runAt = (offsets.at(-3) ?? 0) + 'DEADHEAT_RUN='.length;
    this.#cpusAt = (offsets.at(-2) ?? 0) + 'DEADHEAT_CPUS='.length;
    this.#padAt = (offsets.at(-1) ?? 0) + 'DEADHEAT_PAD='.length;
    this.#padBytes = 0;
    this.set({ run: 0, cpus: [], padBytes: 0 });
  }

  /** Sets DEADHEAT_RUN, DEADHEAT_CPUS and the length of DEADHEAT_PAD for the next start. */
  set(values: ImageValues): void {
    this.#write(this.#runAt, String(values.run), runCharacters);
    this.#write(this.#cpusAt, values.cpus.join(','), cpusCharacters);
    this.#bytes[this.#padAt + this.#padBytes] = 'x'.charCodeAt(0);
    this.#padBytes = Math.min(values.padBytes, maximumPadBytes);
    this.#bytes[this.#padAt + this.#padBytes] = 0;
  }

  #reserve(bytes: number): void {
    if (this.#bytes.length >= bytes) return;
    const { koffi } = this.#libc;
    if (this.#base !== 0n) koffi.free(this.#base);
    const room = 2 ** Math.ceil(Math.log2(bytes));
    this.#base = BigInt(koffi.alloc('uint8_t', room));
    this.#buffer = koffi.view(this.#base, room);
    this.#bytes = new Uint8Array(this.#buffer);
  }

  #write(at: number, text: string, room: number): void {
    const { written } = new TextEncoder().encodeInto(text, this.#bytes.subarray(at, at + room));
    this.#bytes[at + written] = 0;
  }
}
