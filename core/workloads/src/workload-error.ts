export type WorkloadErrorCode =
  'NO_COMPILER' | 'COMPILE_FAILED' | 'CACHE_NOT_WRITABLE' | 'CPU_NOT_USABLE' | 'LOAD_LOST' | 'WORKLOAD_FAILED';

/** An error of a workload or of the load, with a stable `code` and a message that says what to do. */
export class WorkloadError extends Error {
  override readonly name = 'WorkloadError';
  readonly code: WorkloadErrorCode;

  constructor(code: WorkloadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
