import { categoryOf, type ErrorCategory } from '@deadheat/model';

/** Exit codes of the process. */
export const exitCodes = {
  done: 0,
  slower: 1,
  usage: 2,
  workload: 4,
  environment: 5,
  notMeasured: 6,
  timeLimit: 124,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of every category; a category without one does not compile. */
export const exitCodeOfCategory: Readonly<Record<ErrorCategory, ExitCode>> = {
  usage: exitCodes.usage,
  workload: exitCodes.workload,
  environment: exitCodes.environment,
  'time-limit': exitCodes.timeLimit,
  interrupted: exitCodes.interrupted,
};

/**
 * The exit code of an error with a stable `code`. An error of a package that does not know `DeadheatError`, such as sync, has
 * a code of the same table; an unknown one counts as a failed workload.
 */
export function exitCodeOf({ code }: { readonly code: string }): ExitCode {
  return exitCodeOfCategory[categoryOf(code) ?? 'workload'];
}
