import { DeadheatError } from '@deadheat/model';

/** Why a recording, or a part of it, cannot be judged. */
type AnalysisErrorCode =
  'TOO_FEW_RUNS' | 'NO_CPU_TIME' | 'MARGIN_IS_A_TIME' | 'NO_MEASUREMENTS' | 'ITERATIONS_OUT_OF_ORDER';

/** Thrown when measured data cannot carry a result; a caller's own mistake is a `RangeError`. */
export class AnalysisError extends DeadheatError<AnalysisErrorCode> {
  override readonly name = 'AnalysisError';
  /** The benchmark that the data belong to; `null` where it is not known. */
  readonly benchmark: string | null;

  constructor(
    code: AnalysisErrorCode,
    message: string,
    options: { readonly benchmark?: string; readonly cause?: unknown } = {},
  ) {
    super(code, message, options.cause === undefined ? {} : { cause: options.cause });
    this.benchmark = options.benchmark ?? null;
  }
}

/** Error for runs on one core of which CPU times alone can be judged, and an execution or iteration without one. */
export function noCpuTime(benchmark: string): AnalysisError {
  return new AnalysisError(
    'NO_CPU_TIME',
    `${benchmark} ran on one core (tandem, alone), where CPU time is judged, and CPU time was not measured for every execution; ` +
      'measure with --method sync-duet, or have the program record it',
    { benchmark },
  );
}
