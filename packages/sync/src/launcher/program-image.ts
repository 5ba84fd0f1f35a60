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
 * copies nothing. The run's number and the padding are changed in place.
 */
export class ProgramImage {
  readonly path: bigint;
  readonly argv: bigint;
  readonly environment: bigint;
  readonly #libc: Libc;
  readonly #base: bigint;
  readonly #bytes: Uint8Array;
  readonly #runAt: number;
  readonly #cpusAt: number;
  readonly #padAt: number;
  #padBytes = 0;

  constructor(libc: Libc, argv: readonly string[], environment: Readonly<Record<string, string>>) {
    const encoder = new TextEncoder();
    const strings = [
      ...argv,
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      `DEADHEAT_RUN=${' '.repeat(runCharacters)}`,
      `DEADHEAT_CPUS=${' '.repeat(cpusCharacters)}`,
      `DEADHEAT_PAD=${'x'.repeat(maximumPadBytes)}`,
    ].map((text) => encoder.encode(text));
    const pointerBytes = (strings.length + 2) * 8;
    const size = strings.reduce((sum, text) => sum + text.length + 1, pointerBytes);
    const base = address(libc, size);
    this.#libc = libc;
    this.#base = base;
    const buffer = libc.koffi.view(base, size);
    this.#bytes = new Uint8Array(buffer);
    const pointers = new BigUint64Array(buffer, 0, strings.length + 2);
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

  /** Gives the memory back; nothing of the image may be used afterwards. */
  free(): void {
    this.#libc.koffi.free(this.#base);
  }

  #write(at: number, text: string, room: number): void {
    const { written } = new TextEncoder().encodeInto(text, this.#bytes.subarray(at, at + room));
    this.#bytes[at + written] = 0;
  }
}

function address(libc: Libc, size: number): bigint {
  return BigInt(libc.koffi.alloc('uint8_t', size));
}
