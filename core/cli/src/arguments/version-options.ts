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
      'shell command that builds a commit, executed in the folder of that commit; the build is kept for later comparisons',
      parseText('--setup', 'a command'),
    )
    .option(
      '--bench-path <PATH>',
      'file or folder of the benchmark that both sides take from the same commit; may be repeated',
      several(parseText('--bench-path', 'a file or folder of the repository')),
    )
    .option(
      '--bench-from <SIDE>',
      `commit from which --bench-path is taken: head = ${names.head} (default), base = ${names.base}; own = each side uses its own files, as without --bench-path`,
      parseChoice<BenchFrom>('--bench-from', ['head', 'base', 'own']),
    )
    .option('--fresh', 'build again, even if a build of the commit is kept');
}

/** @throws UsageError for options that do nothing without each other */
export function readVersionChoices({ setup, benchFrom, benchPath, fresh }: RawVersionOptions): VersionChoices {
  if (benchPath === undefined && benchFrom !== undefined && benchFrom !== 'own') {
    throw new UsageError('CONFLICT', `--bench-from ${benchFrom} needs the files that it is about: --bench-path PATH`, {
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
