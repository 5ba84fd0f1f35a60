/*
 * The errors of deadheat: every code once, by what the caller can do about it. A code that is in no category cannot be
 * thrown: `DeadheatError` takes those of this table only.
 */

/** Every code, by category. */
export const errorCodes = {
  /** The request cannot be carried out as it was said: the caller can say it otherwise. */
  usage: [
    // the command line and the library
    'UNKNOWN_OPTION',
    'UNKNOWN_SUBCOMMAND',
    'MISSING_VALUE',
    'BAD_VALUE',
    'CONFLICT',
    'MISSING_COMMAND',
    'TOO_MANY_ARGUMENTS',
    'BAD_COMMAND_LINE',
    'UNREADABLE_INPUT',
    // deadheat.yaml
    'CONFIG_NOT_FOUND',
    'CONFIG_NOT_READABLE',
    'BAD_CONFIG',
    // recordings
    'NOT_WRITABLE',
    'NOT_READABLE',
    'DIRECTORY_NOT_EMPTY',
    'RECORDING_IN_USE',
    'NOT_FOUND',
    'NOT_A_RECORDING',
    'NEWER_VERSION',
    'MALFORMED',
    'JOURNAL_DAMAGED',
    'NOTHING_TO_MERGE',
    'CONFIGURATIONS_DIFFER',
    'METHODS_DIFFER',
    'DIFFERENT_EXPERIMENTS',
    'RUN_TWICE',
    // experiments
    'CANNOT_RESUME_HERE',
    'CANNOT_DIVIDE',
    'TOO_MANY_LANES',
    'OUTPUTS_NOT_SEEN',
    'BAD_SERIES',
    'CPU_COUNT',
    'CPU_TWICE',
    'CPU_NOT_FOUND',
    'CPU_NOT_USABLE',
    // files of other tools
    'FILE_NOT_FOUND',
    'FILE_NOT_READABLE',
    'UNKNOWN_FORMAT',
    'FILE_OF_DEADHEAT',
    'MALFORMED_FILE',
    'NOTHING_TO_IMPORT',
    'COLUMNS_NEEDED',
    'ONE_SIDE_ONLY',
    'SIDES_NOT_CLEAR',
    // histories, fleets, the dashboard
    'BAD_URL',
    'INCOMPLETE_RECORDING',
    'BAD_PASSWORD',
    'NOT_ALLOWED',
    'BAD_CERTIFICATE',
    'NO_TLS',
    'NO_SCHEMA',
    'NEWER_SCHEMA',
    'ADDRESS_IN_USE',
    'ADDRESS_NOT_ALLOWED',
    'BAD_TOKEN',
    'BAD_REPOSITORY',
    'WORKER_RUNS',
    'OTHER_VERSION',
    'NO_WORKERS',
    'EXPERIMENT_OVER',
    'CANNOT_DETACH',
    'SCHEDULER_MISSING',
    'SCHEDULER_REFUSED',
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'METHOD_NOT_ALLOWED',
    'NO_FLEET',
    // versions of a program
    'GIT_MISSING',
    'NPM_MISSING',
    'NOT_A_REPOSITORY',
    'UNKNOWN_REVISION',
    'SHALLOW_CLONE',
    'NO_COMMON_ANCESTOR',
    'NOT_AN_ANCESTOR',
    'NO_EARLIER_COMMIT',
    'UNKNOWN_BENCH_PATH',
    'BAD_PACKAGE',
    'FOLDER_TOO_LARGE',
  ],
  /** A program, what it left, or what is around it failed. */
  workload: [
    'COMMAND_NOT_FOUND',
    'COMMAND_NOT_EXECUTABLE',
    'SHELL_NOT_FOUND',
    'RUN_FAILED',
    'TIME_BUDGETED',
    'OUTPUTS_DIFFER',
    'TIME_LIMIT_TOO_SHORT',
    'CANNOT_RUN_HERE',
    'SCRATCH_FAILED',
    'PROGRAM_NOT_STARTED',
    // what was measured
    'TOO_FEW_RUNS',
    'NO_CPU_TIME',
    'MARGIN_IS_A_TIME',
    'NO_MEASUREMENTS',
    'NOTHING_IN_COMMON',
    'BENCHMARKS_DIFFER',
    'BENCHMARKS_UNMATCHED',
    'ITERATIONS_OUT_OF_ORDER',
    // what a program printed or wrote
    'RESULTS_NOT_FOUND',
    'RESULTS_AMBIGUOUS',
    'RESULTS_TOO_LARGE',
    'RESULTS_NOT_READABLE',
    'PARSER_NOT_LOADED',
    'PARSER_FAILED',
    'PARSER_TIMEOUT',
    'PARSER_MEMORY',
    'PARSER_RESULT',
    'NO_TIMES',
    'TOO_LARGE',
    // profiles
    'NOT_PROFILABLE',
    'NO_JFR_TOOL',
    'PROFILE_MISSING',
    'PROFILE_MALFORMED',
    'PROFILE_CLOCK',
    'PROGRAM_FAILED',
    'NO_ITERATIONS',
    // recordings, histories and fleets
    'DISK_FULL',
    'IO',
    'RECORDING_GONE',
    'INVALID_TRIAL',
    'NO_CONNECTION',
    'STORE_FAILED',
    'NOT_ALLOWED_HERE',
    'RUN_REFUSED',
    'UNAVAILABLE',
    'BUSY',
    'FAILED',
    'ALERT_NOT_SENT',
    // containers
    'ENGINE_MISSING',
    'ENGINE_FAILED',
    'IMAGE_MISSING',
    // versions of a program
    'GIT_FAILED',
    'CHECKOUT_FAILED',
    'SUBMODULE_MISSING',
    'SETUP_FAILED',
    'INSTALL_FAILED',
    'COMMAND_FAILED',
    // the two sides of a duet
    'NOT_A_PAGE',
    'PAGE_VERSION',
    'PAGE_POISONED',
    'BARRIER_DEADLINE',
    'AFFINITY',
    'SPAWN_FAILED',
    'LAUNCHER_LOST',
    'LAUNCHER_PROTOCOL',
    // artificial workloads
    'NO_COMPILER',
    'COMPILE_FAILED',
    'CACHE_NOT_WRITABLE',
    'LOAD_LOST',
    'WORKLOAD_FAILED',
    // programs of benchmarks
    'BAD_BENCHMARK',
    'BAD_ENVIRONMENT',
    'BENCHMARK_FAILED',
    'CALIBRATION',
    'DUPLICATE_BENCHMARK',
    'NO_GARBAGE_COLLECTION',
    'NO_SYNC',
    'NOT_SYNCHRONOUS',
    'RECORD',
  ],
  /** This machine, or another one that was asked, refuses; also a control that fired. */
  environment: [
    'NO_SHARED_MEMORY',
    'NO_NATIVE_CALLS',
    'PACKAGE_MISSING',
    'ENVIRONMENT_REFUSED',
    'CONTROL_FIRED',
    'TUNING_ABSENT',
    'TUNING_REFUSED',
    'TUNING_STATE',
    'SCHEDULER_LOST',
    'SAMPLER_MISSING',
    'SAMPLER_REFUSED',
  ],
  /** The time allowed passed without a result. */
  'time-limit': ['TIME_LIMIT'],
  /** The caller ended it. */
  interrupted: ['INTERRUPTED'],
} as const;

/** Category of an error: the part of the caller in it. */
export type ErrorCategory = keyof typeof errorCodes;

/** A stable name of an error, one of those that docs/command-line.md lists. */
export type ErrorCode = (typeof errorCodes)[ErrorCategory][number];

const categories: ReadonlyMap<string, ErrorCategory> = new Map(
  (Object.entries(errorCodes) as [ErrorCategory, readonly ErrorCode[]][]).flatMap(([category, codes]) =>
    codes.map((code) => [code, category] as const),
  ),
);

/** The category of a code; `null` for a text that is no code of this table. */
export function categoryOf(code: string): ErrorCategory | null {
  return categories.get(code) ?? null;
}

/** Details of an error beside its message. */
interface ErrorDetails {
  /** Advice for the next step, one sentence; absent or `null` where the message says it. */
  readonly hint?: string | null;
  readonly cause?: unknown;
}

/** The error of every function of deadheat: the message says what happened and why, `code` is stable. */
export class DeadheatError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'DeadheatError';
  readonly code: Code;
  readonly category: ErrorCategory;
  /** Advice for the next step, one sentence; `null` where the message says it. */
  readonly hint: string | null;

  constructor(code: Code, message: string, { hint = null, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.category = categories.get(code) ?? 'workload';
    this.hint = hint;
  }
}
