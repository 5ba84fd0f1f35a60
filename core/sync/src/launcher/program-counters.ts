import { closeSync, readSync } from 'node:fs';
import { hasNativeCalls, lastErrorName, loadLibc, type Libc } from '../libc.ts';

/** An event that a processor counts, by the name that users know. */
export const counterNames = ['instructions', 'cycles', 'branch-misses', 'cache-misses'] as const;
export type CounterName = (typeof counterNames)[number];
export type Counts = Readonly<Partial<Record<CounterName, number>>>;

/** Type and number of an event of perf_event_open(2): PERF_TYPE_HARDWARE and its PERF_COUNT_HW_ values. */
export interface CountedEvent {
  readonly type: number;
  readonly config: number;
}

const events: Readonly<Record<CounterName, CountedEvent>> = {
  instructions: { type: 0, config: 1 },
  cycles: { type: 0, config: 0 },
  'branch-misses': { type: 0, config: 5 },
  'cache-misses': { type: 0, config: 3 },
};

/** Number of the system call on the processors that Node has a build for. */
const callNumbers: Readonly<Partial<Record<string, number>>> = { x64: 298, arm64: 241 };

const attributeBytes = 112; // PERF_ATTR_SIZE_VER5
const disabled = 1n;
const inherit = 1n << 1n;
const excludeKernel = 1n << 5n;
const excludeHypervisor = 1n << 6n;
const enableOnExec = 1n << 12n;
const closeOnExec = 8; // PERF_FLAG_FD_CLOEXEC
/** PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING */
const withTimes = 3n;

/**
 * An event that is counted in user mode in every process that this thread starts, from its `execve` on, and in what is below it; not in
 * this process.
 *
 * @returns its descriptor; below 0 where the kernel or the processor does not count it.
 */
export function openCounter(libc: Libc, { type, config }: CountedEvent): number {
  const callNumber = callNumbers[process.arch];
  if (callNumber === undefined || libc.syscall === undefined) {
    libc.koffi.errno(libc.koffi.os.errno['ENOSYS'] ?? 0);
    return -1;
  }
  const address = BigInt(libc.koffi.alloc('uint64_t', attributeBytes / 8));
  try {
    const view = new DataView(libc.koffi.view(address, attributeBytes));
    for (let at = 0; at < attributeBytes; at += 8) view.setBigUint64(at, 0n, true);
    view.setUint32(0, type, true);
    view.setUint32(4, attributeBytes, true);
    view.setBigUint64(8, BigInt(config), true);
    view.setBigUint64(32, withTimes, true);
    view.setBigUint64(40, disabled | inherit | excludeKernel | excludeHypervisor | enableOnExec, true);
    return Number(libc.syscall(callNumber, address, 0, -1, -1, closeOnExec));
  } finally {
    libc.koffi.free(address);
  }
}

/** For each counter why it cannot be counted here, such as `EACCES` or `ENOENT`; `null` = it can. */
export function counterObstacles(): Readonly<Record<CounterName, string | null>> {
  const libc = hasNativeCalls() ? loadLibc() : null;

  function obstacle(name: CounterName): string | null {
    return libc === null ? 'NO_NATIVE_CALLS' : counterObstacle(libc, name);
  }

  return {
    instructions: obstacle('instructions'),
    cycles: obstacle('cycles'),
    'branch-misses': obstacle('branch-misses'),
    'cache-misses': obstacle('cache-misses'),
  };
}

function counterObstacle(libc: Libc, name: CounterName): string | null {
  const fd = openCounter(libc, events[name]);
  if (fd < 0) return lastErrorName(libc);
  closeSync(fd);
  return null;
}

interface OpenCounter {
  readonly name: CounterName;
  readonly fd: number;
  value: number;
  enabled: number;
  running: number;
}

/** Counters of everything that a launcher starts. */
export class ProgramCounters {
  readonly #open: OpenCounter[] = [];
  readonly #bytes = Buffer.alloc(24);

  /**
   * @param wanted those that this machine does not offer are left out.
   * @param table what is counted under the names; tests count events of software.
   */
  constructor(libc: Libc, wanted: readonly CounterName[], table: Readonly<Record<CounterName, CountedEvent>> = events) {
    for (const name of wanted) {
      const fd = openCounter(libc, table[name]);
      if (fd >= 0) this.#open.push({ name, fd, value: 0, enabled: 0, running: 0 });
    }
  }

  /**
   * Counts since the last call. Where the processor had too few counters for all events at once it is scaled to the whole
   * time (perf_event_open(2), PERF_FORMAT_TOTAL_TIME_RUNNING); an event that was not counted at all is absent.
   */
  take(): Counts {
    const counts: Partial<Record<CounterName, number>> = {};
    for (const counter of this.#open) {
      if (readSync(counter.fd, this.#bytes, 0, 24, null) < 24) continue;
      const value = Number(this.#bytes.readBigUInt64LE(0));
      const enabled = Number(this.#bytes.readBigUInt64LE(8));
      const running = Number(this.#bytes.readBigUInt64LE(16));
      const ran = running - counter.running;
      if (ran > 0) counts[counter.name] = Math.round(((value - counter.value) * (enabled - counter.enabled)) / ran);
      Object.assign(counter, { value, enabled, running });
    }
    return counts;
  }

  close(): void {
    for (const { fd } of this.#open.splice(0)) closeSync(fd);
  }
}
