export type HarnessErrorCode =
  | 'BAD_BENCHMARK'
  | 'BAD_ENVIRONMENT'
  | 'BENCHMARK_FAILED'
  | 'CALIBRATION'
  | 'DUPLICATE_BENCHMARK'
  | 'FAILED_BEFORE'
  | 'MEASURED_AS_A_WHOLE'
  | 'NO_GARBAGE_COLLECTION'
  | 'NO_SYNC'
  | 'NOT_SYNCHRONOUS'
  | 'RECORD'
  | 'UNKNOWN_RELEASE';

/**
 * An error in a program of benchmarks, with a stable `code`. Errors of the duet itself are of the class `SyncError`.
 */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
