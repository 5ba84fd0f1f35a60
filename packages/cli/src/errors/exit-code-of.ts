import { exitCodes, type ExitCode } from './exit-codes.ts';

/** Codes of the engine's and the recording's errors that are not about a workload. */
const byCode: Readonly<Record<string, ExitCode>> = {
  NOT_WRITABLE: exitCodes.usage,
  NOT_READABLE: exitCodes.usage,
  DIRECTORY_NOT_EMPTY: exitCodes.usage,
  RECORDING_IN_USE: exitCodes.usage,
  NOT_FOUND: exitCodes.usage,
  NOT_A_RECORDING: exitCodes.usage,
  NEWER_VERSION: exitCodes.usage,
  MALFORMED: exitCodes.usage,
  CANNOT_RESUME_HERE: exitCodes.usage,
  CONFIG_NOT_FOUND: exitCodes.usage,
  CONFIG_NOT_READABLE: exitCodes.usage,
  BAD_CONFIG: exitCodes.usage,
  BAD_SERIES: exitCodes.usage,
  FILE_NOT_FOUND: exitCodes.usage,
  FILE_NOT_READABLE: exitCodes.usage,
  UNKNOWN_FORMAT: exitCodes.usage,
  MALFORMED_FILE: exitCodes.usage,
  NOTHING_TO_IMPORT: exitCodes.usage,
  COLUMNS_NEEDED: exitCodes.usage,
  ONE_SIDE_ONLY: exitCodes.usage,
  SIDES_NOT_CLEAR: exitCodes.usage,
  NOTHING_IN_COMMON: exitCodes.usage,
  CPU_COUNT: exitCodes.usage,
  CPU_TWICE: exitCodes.usage,
  CPU_NOT_FOUND: exitCodes.usage,
  CPU_NOT_USABLE: exitCodes.usage,
  ENGINE_MISSING: exitCodes.usage,
  GIT_MISSING: exitCodes.usage,
  NPM_MISSING: exitCodes.usage,
  NOT_A_REPOSITORY: exitCodes.usage,
  UNKNOWN_REVISION: exitCodes.usage,
  SHALLOW_CLONE: exitCodes.usage,
  NO_COMMON_ANCESTOR: exitCodes.usage,
  NOT_AN_ANCESTOR: exitCodes.usage,
  NO_EARLIER_COMMIT: exitCodes.usage,
  UNKNOWN_BENCH_PATH: exitCodes.usage,
  BAD_PACKAGE: exitCodes.usage,
  FOLDER_TOO_LARGE: exitCodes.usage,
  CONTROL_FIRED: exitCodes.environment,
  NO_SHARED_MEMORY: exitCodes.environment,
  NO_NATIVE_CALLS: exitCodes.environment,
  ENVIRONMENT_REFUSED: exitCodes.environment,
  TUNING_ABSENT: exitCodes.environment,
  TUNING_REFUSED: exitCodes.environment,
  TUNING_STATE: exitCodes.environment,
  TIME_LIMIT: exitCodes.timeLimit,
  INTERRUPTED: exitCodes.interrupted,
};

/** The exit code of an error with a stable `code`; an unknown one counts as a failed workload. */
export function exitCodeOf(error: Error & { readonly code: string }): ExitCode {
  if (error.name === 'UsageError') return exitCodes.usage;
  return byCode[error.code] ?? exitCodes.workload;
}
