import { loadLibc } from './libc.ts';

/**
 * The current time in nanoseconds of CLOCK_MONOTONIC, the time base of every record. A float64 holds it exactly for 104
 * days after the machine's start, to 2 ns for 208 days, and so on.
 */
export function monotonicNowNs(): number {
  return Number(process.hrtime.bigint());
}

/** Low 31 bits: what a word of the page holds without its sign. */
const mask = 0x7fff_ffff;

/**
 * The current time in the form in which the page holds the start of an execution: the low 31 bits of CLOCK_MONOTONIC in
 * milliseconds.
 */
export function pageClockMs(): number {
  return Number((process.hrtime.bigint() / 1_000_000n) & BigInt(mask));
}

/** Milliseconds since a reading of {@link pageClockMs}, right also when the clock has wrapped once in between. */
export function sincePageClockMs(startedMs: number): number {
  return (pageClockMs() - startedMs) & mask;
}

const clockProcessCpuTime = 2;
const clockThreadCpuTime = 3;
const timespecWords = 2;

/** CPU time used so far, nanoseconds. */
export interface CpuClocks {
  /** CPU time of the process: of all its threads, also of those that have ended. */
  readonly processNs: () => number;
  /** CPU time of the calling thread. */
  readonly threadNs: () => number;
}

/**
 * The CPU clocks of this process. Reading one takes a system call and allocates nothing.
 *
 * @throws SyncError `NO_NATIVE_CALLS` where the C library cannot be called
 */
export function openCpuClocks(): CpuClocks {
  const libc = loadLibc();
  const address = BigInt(libc.koffi.alloc('uint64_t', timespecWords));
  const timespec = new BigInt64Array(libc.koffi.view(address, timespecWords * 8));

  function read(clock: number): number {
    libc.clock_gettime(clock, address);
    return Number(timespec[0]) * 1e9 + Number(timespec[1]);
  }

  return { processNs: () => read(clockProcessCpuTime), threadNs: () => read(clockThreadCpuTime) };
}

/** The longest delay that Node's timers can be set for, ms: they hold 31 bits. */
export const longestTimerMs: number = 2 ** 31 - 1;
