import type { SegmentRequest } from '@deadheat/analysis';
import type { Command } from 'commander';
import { badValue, parseCount, UsageError } from 'deadheat/settings';

/** What one change costs. */
export type Penalty = NonNullable<SegmentRequest['penalty']>;

/** Options about segments, as commander hands them over. */
export interface RawSegmentOptions {
  readonly segments?: true;
  readonly steadyWindow?: number;
  readonly penalty?: Penalty;
}

/** Adds the options that ask for segments of steady performance. */
export function addSegmentOptions(command: Command): void {
  command
    .option(
      '--segments',
      'find the points at which the performance changes within a run, show how the intervals change when these are taken into account, and which runs reach a steady state',
    )
    .option(
      '--steady-window <N>',
      'with --segments: number of iterations at the end of a run that must be steady (default: 500)',
      parseCount('--steady-window', 1),
    )
    .option(
      '--penalty <PENALTY>',
      'with --segments: penalty for each change point: knee, bic, mbic, barrett or a number (default: knee)',
      parsePenalty,
    );
}

const names = ['knee', 'bic', 'mbic', 'barrett'] as const;

/** Reads what one change costs. @throws UsageError for another word, and a number below 0 */
export function parsePenalty(value: string): Penalty {
  const name = names.find((one) => one === value);
  if (name !== undefined) return name;
  const penalty = value.trim() === '' ? Number.NaN : Number(value);
  if (penalty >= 0 && penalty < Infinity) return penalty;
  throw badValue('--penalty', value, { allowed: `${names.join(', ')} or a number of at least 0` });
}

/** What is asked about segments; `null` = nothing. */
export function readSegmentRequest({ segments, steadyWindow, penalty }: RawSegmentOptions): SegmentRequest | null {
  if (segments === true) {
    return {
      ...(steadyWindow === undefined ? {} : { window: steadyWindow }),
      ...(penalty === undefined ? {} : { penalty }),
    };
  }
  if (steadyWindow === undefined && penalty === undefined) return null;
  const flag = steadyWindow === undefined ? '--penalty' : '--steady-window';
  throw new UsageError('CONFLICT', `${flag} has no meaning without --segments`, {
    hint: 'Add --segments, or leave it out.',
  });
}
