import { loadLibc } from './libc.ts';

const CLOCK_PROCESS_CPUTIME_ID = 2;
const CLOCK_THREAD_CPUTIME_ID = 3;
const timespecWords = 2;

/** CPU time used so far, nanoseconds. */
export interface CpuClocks {
  /** Of the process: all its threads, also those that have ended. */
  readonly processNs: () => number;
  /** Of the calling thread. */
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
  const read = (clock: number): number => {
    libc.clock_gettime(clock, address);
    return Number(timespec[0]) * 1e9 + Number(timespec[1]);
  };
  return { processNs: () => read(CLOCK_PROCESS_CPUTIME_ID), threadNs: () => read(CLOCK_THREAD_CPUTIME_ID) };
}
