import type { Report } from '@deadheat/model';
import type { OutputChoices } from '../arguments/invocation.ts';
import { exitCodes, type ExitCode } from '../errors/exit-codes.ts';

/**
 * The exit code of a finished report: refused when a control fired, `slower` with --fail-on slower where the gate failed, else
 * `undecided` with --strict, else done.
 */
export function exitCodeOfReport(
  { comparisons, gate }: Pick<Report, 'comparisons' | 'gate'>,
  { failOn, strict }: Pick<OutputChoices, 'failOn' | 'strict'>,
): ExitCode {
  if (gate.outcome === 'abstained') return exitCodes.environment;
  if (failOn !== null && gate.outcome === 'failed') return exitCodes.slower;
  const isOpen = comparisons.some(({ verdict, controlOf }) => verdict === 'undecided' && controlOf === undefined);
  return strict && isOpen ? exitCodes.undecided : exitCodes.done;
}
