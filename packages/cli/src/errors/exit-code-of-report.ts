import type { Report } from '@deadheat/model';
import type { OutputChoices } from '../arguments/invocation.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';

/** The exit code of a finished report: `slower` with --fail-on slower, else `undecided` with --strict, else done. */
export function exitCodeOfReport(
  { comparisons }: Pick<Report, 'comparisons'>,
  { failOn, strict }: Pick<OutputChoices, 'failOn' | 'strict'>,
): ExitCode {
  const verdicts = new Set(comparisons.map(({ verdict }) => verdict));
  if (failOn !== null && verdicts.has(failOn)) return exitCodes.slower;
  return strict && verdicts.has('undecided') ? exitCodes.undecided : exitCodes.done;
}
