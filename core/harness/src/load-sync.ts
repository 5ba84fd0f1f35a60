import { HarnessError } from './harness-error.ts';

/** The functions of `@deadheat/sync` that a duet needs. */
export type Sync = typeof import('@deadheat/sync');

/**
 * The package that calls the C library, loaded only where it is wanted.
 *
 * @throws HarnessError `NO_SYNC` when it is not installed
 */
export async function loadSync(): Promise<Sync> {
  try {
    return await import('@deadheat/sync');
  } catch (cause) {
    throw new HarnessError(
      'NO_SYNC',
      `this run needs the package @deadheat/sync, which cannot be loaded: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** The result of {@link loadSync}; `null` where the package is absent or the C library cannot be called. */
export async function tryLoadSync(): Promise<Sync | null> {
  try {
    const sync = await loadSync();
    return sync.hasNativeCalls() ? sync : null;
  } catch {
    return null;
  }
}
