import type { Method, Warning } from '@deadheat/model';

/** What this machine offers a duet. */
export interface Abilities {
  readonly usableCpus: readonly number[];
  readonly sharedMemory: boolean;
  readonly nativeCalls: boolean;
}

/**
 * The method that this machine can offer: the wanted one, or interleaved sequential runs where a duet cannot be had,
 * with the reason as a warning.
 */
export function chooseMethod(
  wanted: Method,
  abilities: Abilities,
): { readonly method: Method; readonly warnings: readonly Warning[] } {
  if (wanted === 'sequential') return { method: wanted, warnings: [] };
  const instead = `Instead of ${wanted}, A and B are run one after the other in random order (sequential); expect wider intervals.`;
  const fallBack = (code: Warning['code'], why: string, advice: string): ReturnType<typeof chooseMethod> => ({
    method: 'sequential',
    warnings: [{ code, message: `${why} ${instead} ${advice}` }],
  });
  if (!abilities.nativeCalls) {
    return fallBack(
      'NO_NATIVE_CALLS',
      'The C library cannot be called here (not Linux, or no koffi binary for this platform), so processes can be neither pinned nor timed from inside.',
      'Run on Linux, x64 or arm64, for a duet.',
    );
  }
  if (abilities.usableCpus.length < 2) {
    return fallBack(
      'SINGLE_CORE',
      `Only one CPU (${abilities.usableCpus.join(', ')}) may be used, and a duet needs a core for each side.`,
      'Give this process two CPUs: widen taskset, the container’s cpuset or the VM.',
    );
  }
  if (!abilities.sharedMemory) {
    return fallBack(
      'NO_SHARED_MEMORY',
      'There is no writable /dev/shm for the barrier between the sides.',
      'Mount a tmpfs there (docker: --shm-size=64m), or name another folder in memory in DEADHEAT_SHM.',
    );
  }
  return { method: wanted, warnings: [] };
}
