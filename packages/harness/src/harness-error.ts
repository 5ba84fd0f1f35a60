export type HarnessErrorCode =
  | 'BAD_BENCHMARK'
  | 'BAD_ENVIRONMENT'
  | 'BENCHMARK_FAILED'
  | 'CALIBRATION'
  | 'DUPLICATE_BENCHMARK'
  | 'NO_GARBAGE_COLLECTION'
  | 'NO_SYNC'
  | 'NOT_SYNCHRONOUS'
  | 'RECORD';

/** What can go wrong in a program of benchmarks, beside the duet itself (`SyncError`); `code` is stable. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
