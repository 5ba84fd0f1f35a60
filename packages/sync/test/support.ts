import { getAffinity, hasNativeCalls, setAffinity, sharedMemoryDirectory } from '@deadheat/sync';

/** Why tests that need a page cannot run here; `null` when they can. */
export const noPages: string | null = !hasNativeCalls()
  ? 'the C library cannot be called here'
  : sharedMemoryDirectory() === null
    ? 'there is no /dev/shm here'
    : null;

/** Starts a process that may use one CPU alone; `undefined`: those that this one may use. */
export function startOn<T>(cpu: number | undefined, start: () => T): T {
  if (cpu === undefined) return start();
  const own = getAffinity();
  setAffinity([cpu]);
  try {
    return start();
  } finally {
    setAffinity(own);
  }
}

/** Waits until `condition` holds, looking often; for what another process does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
