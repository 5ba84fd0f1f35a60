import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorName, lastErrorName, loadLibc, memoryMap, type Libc } from './libc.ts';
import { allocate } from './page.ts';
import { SyncError } from './sync-error.ts';

/** Prefix that the Java agent puts before the name of the barrier (make-barrier.c of Drozdik's thesis). */
const namePrefix = 'java-ubench-agent';

/** `sizeof(pthread_barrier_t)`: 32 bytes in glibc and in musl, on 64-bit machines. */
const barrierBytes = 32;
const pageBytes = 4096;
const pthreadProcessShared = 1;

/**
 * Makes the barrier at which programs with the Java agent of ICPE'20 meet: a `pthread_barrier_t` between processes, alone
 * in a file of shared memory called `java-ubench-agent` and `name`, as `shm_open` finds it.
 *
 * It is laid out by this process's C library; programs that wait at it need one of the same layout (glibc since 2.25,
 * or musl with musl).
 *
 * @param options.directory folder that is /dev/shm to the programs
 * @param options.parties processes that meet
 * @returns path of the file, which the caller removes
 * @throws SyncError `NO_SHARED_MEMORY` when the file cannot be made, `NO_NATIVE_CALLS` when the C library has no barriers
 * @throws RangeError for a name that cannot be one of a file
 */
export function createAgentBarrier(options: {
  readonly directory: string;
  readonly name: string;
  readonly parties: number;
}): string {
  const { directory, name, parties } = options;
  if (name === '' || name.includes('/') || name.includes('\0')) throw new RangeError(`'${name}' cannot name a barrier`);
  const path = join(directory, `${namePrefix}${name}`);
  let fd: number;
  try {
    // A program in a container may run as any user, and it must be able to write to the file.
    fd = openSync(path, 'wx+', 0o666);
  } catch (cause) {
    throw new SyncError('NO_SHARED_MEMORY', `cannot make the barrier ${path}: ${(cause as Error).message}`, { cause });
  }
  try {
    allocate(fd, barrierBytes);
    initialise(loadLibc(), { fd, path, parties });
    return path;
  } catch (cause) {
    rmSync(path, { force: true });
    if (cause instanceof SyncError) throw cause;
    throw new SyncError('NO_SHARED_MEMORY', `cannot make the barrier ${path}: ${(cause as Error).message}`, { cause });
  } finally {
    closeSync(fd);
  }
}

function initialise(
  libc: Libc,
  { fd, path, parties }: { readonly fd: number; readonly path: string; readonly parties: number },
): void {
  const { pthread_barrierattr_init, pthread_barrierattr_setpshared, pthread_barrier_init } = libc;
  if (
    pthread_barrierattr_init === undefined ||
    pthread_barrierattr_setpshared === undefined ||
    pthread_barrier_init === undefined
  ) {
    throw new SyncError('NO_NATIVE_CALLS', 'the C library here has no barriers for threads');
  }
  const barrier = BigInt(libc.mmap(0n, pageBytes, memoryMap.readWrite, memoryMap.shared, fd, 0));
  if (barrier === memoryMap.failed) {
    throw new SyncError('NO_SHARED_MEMORY', `cannot map the barrier ${path}: ${lastErrorName(libc)}`);
  }
  const attributes = BigInt(libc.koffi.alloc('uint64_t', 8));
  const failed = [
    pthread_barrierattr_init(attributes),
    pthread_barrierattr_setpshared(attributes, pthreadProcessShared),
    pthread_barrier_init(barrier, attributes, parties),
  ].find((error) => error !== 0);
  libc.koffi.free(attributes);
  libc.munmap(barrier, pageBytes);
  if (failed !== undefined) {
    throw new SyncError('NO_SHARED_MEMORY', `cannot make the barrier ${path}: ${errorName(libc, failed)}`);
  }
}
