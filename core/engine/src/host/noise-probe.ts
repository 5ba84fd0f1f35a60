import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Noise } from '@deadheat/model';
import { readCpuGroups } from './cgroups.ts';

/** user nice system idle iowait irq softirq steal: the eighth number of a cpu line (proc(5)). */
const stealColumn = 7;

/** Kernel counters around a run; made by {@link createNoiseProbe}. All synchronous. */
export interface NoiseProbe {
  /** Takes the counters before a run. */
  start(): void;
  /** The noise since the last `start`; without one, since the probe was created. */
  stop(): Noise;
  /** Closes the files; a later `stop` holds nothing but `null`. */
  close(): void;
}

export interface NoiseProbeOptions {
  /** Folder that stands for `/`. */
  readonly root?: string;
  /** CPUs of the experiment. */
  readonly cpus: readonly number[];
}

/**
 * Opens the kernel's counters of what disturbs a run. A counter that this machine does not have gives `null`; nothing
 * throws. The files stay open: a reading costs one `pread` a file into a buffer that is kept.
 *
 * - `stealNs` comes in steps of {@link stealTickNs}: a short run shows 0 or a whole step, the sum over many runs is
 *   right. `null` when any of the CPUs has no such counter.
 * - `throttledNs` is that of the control group that was held back longest (times of nested groups overlap), summed
 *   over the group's CPUs and booked by the kernel when the group may go on. 0 when no visible group had a quota as the
 *   probe was made, `null` when none could have one.
 * - `contextSwitches` stands in /proc/stat behind the `intr` line, which is long on machines with many interrupts. It
 *   costs next to nothing all the same: the kernel composes the whole file whenever its first byte is read, and
 * steal times are reported nowhere else.
 */
export function createNoiseProbe(options: NoiseProbeOptions): NoiseProbe {
  const { root = '/', cpus } = options;
  const experimentCpus = [...new Set(cpus)];
  const stat = new CounterDifferences(CounterFile.open(root, '/proc/stat'), [
    counterKey('ctxt'),
    ...experimentCpus.map((cpu) => counterKey(`cpu${cpu}`, stealColumn)),
  ]);
  const groups = readCpuGroups(root);
  const limited = groups
    .filter((group) => group.quota !== null)
    .map((group) => {
      const [word, unitNs] =
        group.version === 2 ? (['throttled_usec', 1000] as const) : (['throttled_time', 1] as const);
      const file = CounterFile.open(root, `${group.directory}/cpu.stat`);
      return { unitNs, differences: new CounterDifferences(file, [counterKey(word)]) };
    });
  let closed = false;

  function stolenNs(): number | null {
    let ticks = 0;
    for (let i = 1; i <= experimentCpus.length; i += 1) {
      const moved = stat.since(i);
      if (moved === null) return null;
      ticks += moved;
    }
    return experimentCpus.length === 0 ? null : ticks * stealTickNs;
  }

  function heldBackNs(): number | null {
    let longest = groups.length > 0 && limited.length === 0 && !closed ? 0 : null;
    for (const { differences, unitNs } of limited) {
      const moved = differences.since(0);
      if (moved !== null) longest = Math.max(longest ?? 0, moved * unitNs);
    }
    return longest;
  }

  return {
    start() {
      stat.mark();
      for (const { differences } of limited) differences.mark();
    },
    stop() {
      stat.read();
      for (const { differences } of limited) differences.read();
      return { stealNs: stolenNs(), throttledNs: heldBackNs(), contextSwitches: stat.since(0) };
    },
    close() {
      closed = true;
      stat.close();
      for (const { differences } of limited) differences.close();
    },
  };
}

/** Probes of the CPUs that runs occupy; runs that are in flight at the same time occupy different ones. */
export class NoiseProbes {
  readonly #probes = new Map<string, NoiseProbe>();

  of(cpus: readonly number[]): NoiseProbe {
    const key = cpus.toSorted((a, b) => a - b).join();
    const known = this.#probes.get(key);
    if (known !== undefined) return known;
    const probe = createNoiseProbe({ cpus });
    this.#probes.set(key, probe);
    return probe;
  }

  close(): void {
    for (const probe of this.#probes.values()) probe.close();
  }
}

/** Step of the steal counters: /proc/stat counts in USER_HZ, 100 a second on every architecture Node runs on (proc(5)). */
export const stealTickNs = 10_000_000;

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

  /** Reads the file again; `false` when it can no longer be read. Allocates only when the file has outgrown the buffer. */
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

const newline = 0x0a;
const space = 0x20;
const zero = 0x30;
const nine = 0x39;

/** The place of a number in a counter file. Created once, so that a look-up allocates nothing. */
interface CounterKey {
  /** Word at the start of the line, with the line break before it. */
  readonly needle: Buffer;
  /** Which number of the line counts, from 0. */
  readonly column: number;
}

/** The number in `column` (from 0) of the line that begins with `word`; the line must not be the first of the file. */
export function counterKey(word: string, column = 0): CounterKey {
  return { needle: Buffer.from(`\n${word} `), column };
}

/** The number that `key` stands for; -1 when the line or the column is missing. */
function counterValue(file: CounterFile, key: CounterKey): number {
  const { bytes, length } = file;
  const line = bytes.indexOf(key.needle);
  if (line < 0) return -1;
  // A line found behind `length`, in the remains of an earlier reading, yields no digit below.
  let at = line + key.needle.length;
  for (let column = 0; ; column += 1) {
    while (at < length && bytes[at] === space) at += 1;
    const start = at;
    let value = 0;
    for (; at < length; at += 1) {
      const digit = bytes[at] ?? newline;
      if (digit < zero || digit > nine) break;
      value = value * 10 + (digit - zero);
    }
    if (at === start) return -1;
    if (column === key.column) return value;
  }
}

/** Some counters of one kernel file, and how far they have moved since a mark. */
export class CounterDifferences {
  readonly #file: CounterFile | null;
  readonly #keys: readonly CounterKey[];
  readonly #marked: Float64Array;
  readonly #now: Float64Array;

  constructor(file: CounterFile | null, keys: readonly CounterKey[]) {
    this.#file = file;
    this.#keys = keys;
    this.#marked = new Float64Array(keys.length).fill(-1);
    this.#now = new Float64Array(keys.length).fill(-1);
    this.mark();
  }

  /** Remembers the counters as they are now. */
  mark(): void {
    this.#readInto(this.#marked);
  }

  /** Reads the counters for {@link since}. */
  read(): void {
    this.#readInto(this.#now);
  }

  /**
   * The increase of counter number `index` from the mark to the last {@link read}; `null` when it was missing at
   * either. Never negative: a counter that was set back counts as unmoved.
   */
  since(index: number): number | null {
    const marked = this.#marked[index] ?? -1;
    const now = this.#now[index] ?? -1;
    return marked < 0 || now < 0 ? null : Math.max(0, now - marked);
  }

  close(): void {
    this.#file?.close();
  }

  #readInto(values: Float64Array): void {
    const file = this.#file;
    const readable = file !== null && file.read();
    for (let i = 0; i < this.#keys.length; i += 1) {
      const key = this.#keys[i];
      values[i] = readable && key !== undefined ? counterValue(file, key) : -1;
    }
  }
}
