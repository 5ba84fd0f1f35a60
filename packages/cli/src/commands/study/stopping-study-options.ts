import type { StoppingOptions, StudyKind } from '@deadheat/analysis';
import type { Command } from 'commander';
import { parseChoice, UsageError } from 'deadheat/settings';
import { refuseStray, type RawStudyRunOptions } from './study-run-options.ts';

type Reading = Required<StoppingOptions>['like'];

/** What only `stopping` takes, as commander hands it over. */
export interface RawStoppingOptions {
  readonly like?: Reading;
  readonly liftCaps?: number;
}

/** How the study of stopping replays. */
export interface StoppingChoices {
  readonly like: Reading;
  readonly liftCaps: number;
  /** `null` = that of the first recording. */
  readonly seed: string | null;
}

const readings: readonly Reading[] = ['paper', 'jmh-reconfigure'];

/** Adds what only the study of stopping takes. */
export function addStoppingOptions(command: Command): void {
  command
    .optionsGroup('Stopping:')
    .option(
      '--like <READING>',
      "of stopping: paper = the criteria as printed (default), jmh-reconfigure = as in the authors' code",
      parseChoice('--like', readings),
    )
    .option('--lift-caps <N>', 'of stopping: allow N times as much while nothing is stable (default: 1)', readLift);
}

/**
 * What the study of stopping was asked for.
 *
 * @throws UsageError without data, for `--run`, and for options that only `--run` takes
 */
export function readStoppingChoices({
  paths,
  raw,
}: {
  readonly paths: readonly string[];
  readonly raw: RawStoppingOptions & RawStudyRunOptions;
}): StoppingChoices {
  const { seed = null, ...rest } = raw;
  const { like = 'paper', liftCaps = 1 } = raw;
  if (rest.run !== undefined) {
    throw new UsageError('CONFLICT', 'there is no --run for the study stopping', { hint: 'Give it recordings.' });
  }
  refuseStray(rest);
  if (paths.length === 0) {
    throw new UsageError('MISSING_COMMAND', 'study stopping needs recordings', {
      hint: 'Name folders of recordings, or a folder of files of series.',
    });
  }
  return { like, liftCaps, seed };
}

/** Refuses what only `stopping` takes. @throws UsageError that names the option */
export function refuseStoppingChoices({ like, liftCaps }: RawStoppingOptions, kind: StudyKind): void {
  const flag = like !== undefined ? '--like' : liftCaps !== undefined ? '--lift-caps' : null;
  if (flag === null) return;
  throw new UsageError('CONFLICT', `${flag} is about stopping early, not about ${kind}`, {
    hint: 'Leave it out, or ask for: deadheat study stopping.',
  });
}

/** Parser of `--lift-caps`. */
export function readLift(typed: string): number {
  const lift = Number(typed);
  if (/^\d+(\.\d+)?$/.test(typed) && lift >= 1) return lift;
  throw new UsageError('BAD_VALUE', `--lift-caps must be a number of at least 1, got '${typed}'`, {
    hint: 'For example: --lift-caps 2.',
  });
}
