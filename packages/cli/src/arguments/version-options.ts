import type { Command } from 'commander';
import type { VersionChoices } from 'deadheat/internals';
import { parseChoice, parseText, UsageError } from 'deadheat/settings';
import type { RawCompareOptions } from './raw-options.ts';
import { several } from './values/several.ts';

/** Options of `git` and `bisect` that say how a commit is made ready. */
export interface RawVersionOptions {
  readonly setup?: string;
  readonly benchFrom?: BenchFrom;
  readonly benchPath?: readonly string[];
  readonly fresh?: true;
}

/** Whose files of the benchmark both sides use. */
type BenchFrom = 'head' | 'base' | 'own';

/** Adds the options; `names` are what base and head are called. */
export function addVersionOptions(command: Command, names: { readonly base: string; readonly head: string }): void {
  command
    .option(
      '-s, --setup <CMD>',
      'shell command that builds a side, in its folder; carried out once for a commit and kept',
      parseText('--setup', 'a command'),
    )
    .option(
      '--bench-path <PATH>',
      'files or folders of the benchmark, which both sides take from one commit; several times for more',
      several(parseText('--bench-path', 'a file or folder of the repository')),
    )
    .option(
      '--bench-from <SIDE>',
      `from which: head (default) = ${names.head}, base = ${names.base}; own = each side has its own, as without --bench-path`,
      parseChoice<BenchFrom>('--bench-from', ['head', 'base', 'own']),
    )
    .option('--fresh', 'carry the setup out although that was done before');
}

/** @throws UsageError for options that do nothing without each other */
export function readVersionChoices({ setup, benchFrom, benchPath, fresh }: RawVersionOptions): VersionChoices {
  if (benchPath === undefined && benchFrom !== undefined && benchFrom !== 'own') {
    throw new UsageError('CONFLICT', `--bench-from ${benchFrom} has to be told which files: --bench-path PATH`, {
      hint: 'Name the files and folders of the benchmark.',
    });
  }
  if (benchPath !== undefined && benchFrom === 'own') {
    throw new UsageError(
      'CONFLICT',
      '--bench-path names files that both sides share, and --bench-from own shares none',
      {
        hint: 'Leave one of them out.',
      },
    );
  }
  const from = benchFrom === 'base' ? 'base' : 'head';
  return {
    setup: setup ?? null,
    bench: benchPath === undefined ? null : { from, paths: benchPath },
    fresh: fresh === true,
  };
}

/** Takes the options of versions from those of the comparison, which has another `--setup`. */
export function splitVersionOptions(raw: RawVersionOptions & Omit<RawCompareOptions, 'setup'>): {
  readonly version: RawVersionOptions;
  readonly compare: Omit<RawCompareOptions, 'setup'>;
} {
  const { setup, benchFrom, benchPath, fresh, ...compare } = raw;
  return {
    version: {
      ...(setup === undefined ? {} : { setup }),
      ...(benchFrom === undefined ? {} : { benchFrom }),
      ...(benchPath === undefined ? {} : { benchPath }),
      ...(fresh === undefined ? {} : { fresh }),
    },
    compare,
  };
}
