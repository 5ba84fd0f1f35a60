import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { hasNativeCalls, lastErrorName, loadLibc } from './libc.ts';
import { SyncError } from './sync-error.ts';

/** Room for 8 192 CPUs: the kernel refuses a mask that is shorter than its own. */
const maskBytes = 1024;
const mask = new Uint8Array(maskBytes);

/**
 * The CPUs that the calling thread may run on, in ascending order, after its affinity and the cpuset of its control
 * group. Where the C library cannot be called, the numbers 0, 1, ... of as many CPUs as Node reports.
 */
export function getAffinity(): readonly number[] {
  if (!hasNativeCalls()) return Array.from({ length: availableParallelism() }, (_, cpu) => cpu);
  const libc = loadLibc();
  mask.fill(0);
  if (libc.sched_getaffinity(0, maskBytes, mask) < 0) {
    throw new SyncError('AFFINITY', `sched_getaffinity failed: ${lastErrorName(libc)}`);
  }
  const cpus: number[] = [];
  for (const [byte, bits] of mask.entries()) {
    for (let bit = 0; bit < 8; bit++) if ((bits >> bit) & 1) cpus.push(byte * 8 + bit);
  }
  return cpus;
}

/**
 * Restricts the calling thread, and every process it starts from then on, to `cpus`.
 *
 * @throws SyncError `AFFINITY` when none of them may be used
 */
export function setAffinity(cpus: readonly number[]): void {
  restrict(0, cpus);
}

/**
 * Restricts every thread that this process has, and every thread and process that they start from then on, to `cpus`.
 *
 * @throws SyncError `AFFINITY` when none of them may be used
 */
export function setProcessAffinity(cpus: readonly number[]): void {
  for (const thread of readdirSync('/proc/self/task')) restrict(Number(thread), cpus);
}

/**
 * Restricts the thread with the id `thread` (0 = the calling one) to `cpus`. A thread that has already ended is
 * ignored.
 */
function restrict(thread: number, cpus: readonly number[]): void {
  const libc = loadLibc();
  mask.fill(0);
  for (const cpu of cpus) mask[cpu >> 3] = (mask[cpu >> 3] ?? 0) | (1 << (cpu & 7));
  if (libc.sched_setaffinity(thread, maskBytes, mask) < 0) {
    const error = lastErrorName(libc);
    if (error !== 'ESRCH') throw new SyncError('AFFINITY', `cannot run on CPU ${cpus.join(', ')}: ${error}`);
  }
}
