export type SyncErrorCode =
  | 'NO_NATIVE_CALLS'
  | 'NO_SHARED_MEMORY'
  | 'NOT_A_PAGE'
  | 'PAGE_VERSION'
  | 'PAGE_POISONED'
  | 'BARRIER_DEADLINE'
  | 'AFFINITY'
  | 'SPAWN_FAILED'
  | 'LAUNCHER_LOST'
  | 'LAUNCHER_PROTOCOL';

/** An error between the two sides of a duet, with a stable `code`. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly code: SyncErrorCode;

  constructor(code: SyncErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
