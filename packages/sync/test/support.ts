import { hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';

/** Why tests that need a page cannot run here; `null` when they can. */
export const noPages: string | null = !hasNativeCalls()
  ? 'the C library cannot be called here'
  : sharedMemoryDirectory() === null
    ? 'there is no /dev/shm here'
    : null;

/** Waits until `condition` holds, looking often; for what another process does in its own time. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
