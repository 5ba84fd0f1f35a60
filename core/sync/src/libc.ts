import { createRequire } from 'node:module';
import type koffi from 'koffi';
import { SyncError } from './sync-error.ts';

type Koffi = typeof koffi;

/** Arguments of `mmap` and what it returns when it fails, with the values of Linux. */
export const memoryMap = {
  /** PROT_READ | PROT_WRITE */
  readWrite: 3,
  /** MAP_SHARED */
  shared: 1,
  /** MAP_FAILED */
  failed: 0xffff_ffff_ffff_ffffn,
} as const;

/** The calls of the C library that a duet needs. Addresses are bigints; results follow the C convention. */
export interface Libc {
  readonly koffi: Koffi;
  mmap(address: bigint, length: number, protection: number, flags: number, fd: number, offset: number): number | bigint;
  sched_getaffinity(pid: number, size: number, mask: Uint8Array): number;
  sched_setaffinity(pid: number, size: number, mask: Uint8Array): number;
  sched_yield(): number;
  usleep(microseconds: number): number;
  clock_gettime(clock: number, timespec: bigint): number;
  posix_spawn(
    pid: bigint,
    path: bigint,
    fileActions: bigint,
    attributes: bigint,
    argv: bigint,
    environment: bigint,
  ): number;
  posix_spawn_file_actions_init(actions: bigint): number;
  posix_spawn_file_actions_adddup2(actions: bigint, from: number, to: number): number;
  /** Absent before glibc 2.29. */
  readonly posix_spawn_file_actions_addchdir_np?: (actions: bigint, path: string) => number;
  posix_spawn_file_actions_destroy(actions: bigint): number;
  posix_spawnattr_init(attributes: bigint): number;
  posix_spawnattr_setflags(attributes: bigint, flags: number): number;
  posix_spawnattr_setsigdefault(attributes: bigint, set: bigint): number;
  posix_spawnattr_setsigmask(attributes: bigint, set: bigint): number;
  posix_spawnattr_setpgroup(attributes: bigint, group: number): number;
  sigemptyset(set: bigint): number;
  sigaddset(set: bigint, signal: number): number;
  waitid(kind: number, id: number, info: bigint, options: number): number;
  wait4(pid: number, status: bigint, options: number, usage: bigint): number;
  prctl(option: number, a: number, b: number, c: number, d: number): number;
  memfd_create(name: string, flags: number): number;
  lseek(fd: number, offset: number, whence: number): number;
  fcntl(fd: number, command: number, argument: number): number;
  /** `fcntl` with a `struct flock`. */
  fcntlLock(fd: number, command: number, lock: Uint8Array): number;
  munmap(address: bigint, length: number): number;
  /** A system call with six arguments at most; may be absent. */
  readonly syscall?: (
    number: number,
    first: bigint,
    second: number,
    third: number,
    fourth: number,
    fifth: number,
  ) => number | bigint;
  siginterrupt(signal: number, interrupts: number): number;
  mkfifo(path: string, mode: number): number;
  /** May be absent where threads are in a library of their own, as before glibc 2.34. */
  readonly pthread_barrierattr_init?: (attributes: bigint) => number;
  readonly pthread_barrierattr_setpshared?: (attributes: bigint, shared: number) => number;
  readonly pthread_barrier_init?: (barrier: bigint, attributes: bigint, parties: number) => number;
}

const signatures: Readonly<Record<Exclude<keyof Libc, 'koffi'>, string>> = {
  mmap: 'uintptr_t mmap(uintptr_t, size_t, int, int, int, long)',
  sched_getaffinity: 'int sched_getaffinity(int, size_t, void *)',
  sched_setaffinity: 'int sched_setaffinity(int, size_t, void *)',
  sched_yield: 'int sched_yield()',
  usleep: 'int usleep(uint32_t)',
  clock_gettime: 'int clock_gettime(int, uintptr_t)',
  posix_spawn: 'int posix_spawn(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t)',
  posix_spawn_file_actions_init: 'int posix_spawn_file_actions_init(uintptr_t)',
  posix_spawn_file_actions_adddup2: 'int posix_spawn_file_actions_adddup2(uintptr_t, int, int)',
  posix_spawn_file_actions_addchdir_np: 'int posix_spawn_file_actions_addchdir_np(uintptr_t, const char *)',
  posix_spawn_file_actions_destroy: 'int posix_spawn_file_actions_destroy(uintptr_t)',
  posix_spawnattr_init: 'int posix_spawnattr_init(uintptr_t)',
  posix_spawnattr_setflags: 'int posix_spawnattr_setflags(uintptr_t, short)',
  posix_spawnattr_setsigdefault: 'int posix_spawnattr_setsigdefault(uintptr_t, uintptr_t)',
  posix_spawnattr_setsigmask: 'int posix_spawnattr_setsigmask(uintptr_t, uintptr_t)',
  posix_spawnattr_setpgroup: 'int posix_spawnattr_setpgroup(uintptr_t, int)',
  sigemptyset: 'int sigemptyset(uintptr_t)',
  sigaddset: 'int sigaddset(uintptr_t, int)',
  waitid: 'int waitid(int, unsigned int, uintptr_t, int)',
  wait4: 'int wait4(int, uintptr_t, int, uintptr_t)',
  prctl: 'int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)',
  memfd_create: 'int memfd_create(const char *, unsigned int)',
  lseek: 'long lseek(int, long, int)',
  fcntl: 'int fcntl(int, int, int)',
  fcntlLock: 'int fcntl(int, int, void *)',
  munmap: 'int munmap(uintptr_t, size_t)',
  syscall: 'long syscall(long, uintptr_t, long, long, long, long)',
  siginterrupt: 'int siginterrupt(int, int)',
  mkfifo: 'int mkfifo(const char *, uint32_t)',
  pthread_barrierattr_init: 'int pthread_barrierattr_init(uintptr_t)',
  pthread_barrierattr_setpshared: 'int pthread_barrierattr_setpshared(uintptr_t, int)',
  pthread_barrier_init: 'int pthread_barrier_init(uintptr_t, uintptr_t, unsigned int)',
};

let loaded: Libc | undefined;
let failure: SyncError | undefined;

/**
 * Binds the C library once. Linux only: the layouts and constants used with it are Linux'.
 *
 * @throws SyncError `NO_NATIVE_CALLS` where this machine is not Linux or koffi has no binary for it
 */
export function loadLibc(): Libc {
  if (loaded !== undefined) return loaded;
  if (failure !== undefined) throw failure;
  try {
    if (process.platform !== 'linux') throw new Error(`the platform is ${process.platform}, not linux`);
    if (process.env['DEADHEAT_NO_NATIVE'] !== undefined) throw new Error('DEADHEAT_NO_NATIVE is set');
    const koffiModule = createRequire(import.meta.url)('koffi') as Koffi;
    const library = koffiModule.load(null);
    const bound = Object.fromEntries(
      Object.entries(signatures).map(([name, signature]) => [name, bind(library, name, signature)]),
    );
    loaded = { koffi: koffiModule, ...bound } as unknown as Libc;
    return loaded;
  } catch (cause) {
    failure = new SyncError('NO_NATIVE_CALLS', `the C library cannot be called: ${(cause as Error).message}`, {
      cause,
    });
    throw failure;
  }
}

/** A call of the C library; `undefined` for one that may be absent and is. */
function bind(library: ReturnType<Koffi['load']>, name: string, signature: string): unknown {
  try {
    return library.func(signature);
  } catch (error) {
    if (mayBeAbsent.has(name)) return undefined;
    throw error;
  }
}

const mayBeAbsent: ReadonlySet<string> = new Set([
  'posix_spawn_file_actions_addchdir_np',
  'syscall',
  'pthread_barrierattr_init',
  'pthread_barrierattr_setpshared',
  'pthread_barrier_init',
]);

/** True if {@link loadLibc} would work here. */
export function hasNativeCalls(): boolean {
  try {
    loadLibc();
    return true;
  } catch {
    return false;
  }
}

/** Name of the error that the last failed call left, such as `ENOENT`. */
export function lastErrorName(libc: Libc): string {
  return errorName(libc, libc.koffi.errno());
}

/** Name of an error number, such as `ENOENT`. */
export function errorName(libc: Libc, number: number): string {
  for (const [name, value] of Object.entries(libc.koffi.os.errno)) if (value === number) return name;
  return `error ${number}`;
}
