import type { VersionChoices } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { choice, count, flag, type Option, option, type OptionsFor, several, text } from './option.ts';

/** Values of {@link versionOptions}. */
export interface VersionValues {
  readonly build: string | null;
  readonly benchPath: readonly string[];
  readonly benchFrom: 'head' | 'base' | 'own' | null;
  readonly fresh: boolean;
}

/** The options that make commits ready; `names` are the names of base and head in the help. */
export function versionOptions(names: { readonly base: string; readonly head: string }): OptionsFor<VersionValues> {
  return {
    build: option('--build <CMD>', {
      help: 'shell command that builds a commit, executed in the folder of that commit; the build is kept for later comparisons',
      parse: text('a command'),
    }),
    benchPath: several('--bench-path <PATH>', {
      help: 'file or folder of the benchmark that both sides take from the same commit; may be repeated',
      parse: text('a file or folder of the repository'),
    }),
    benchFrom: option('--bench-from <SIDE>', {
      help: `commit from which --bench-path is taken: head = ${names.head}, base = ${names.base}; own = each side uses its own files, as without --bench-path`,
      parse: choice(['head', 'base', 'own']),
      fallback: 'head',
    }),
    fresh: flag('--fresh', { help: 'build again, even if a build of the commit is kept' }),
  };
}

/** Most builds of a side; twice as many are kept (version-cache.ts in versions). */
const mostLayouts = 16;

/** The option that has each side built several times. */
export const layoutsOption: Option<number | null> = option('--layouts <N>', {
  help: `build each side N times (2 to ${mostLayouts}), each time with its code in other places, spread the runs over the builds, and make the interval one over builds; 8 is a good number. Needs --build, or build: in deadheat.yaml. See docs/layouts.md`,
  parse: () => (typed) => {
    const number = count(2)('--layouts')(typed);
    if (number <= mostLayouts) return number;
    throw new UsageError('BAD_VALUE', `--layouts ${number}: at most ${mostLayouts} builds of a side can be kept`);
  },
});

/** @throws UsageError for options that do nothing without each other */
export function toVersionChoices({ build, benchPath, benchFrom, fresh }: VersionValues): VersionChoices {
  if (benchPath.length === 0 && benchFrom !== null && benchFrom !== 'own') {
    throw new UsageError('CONFLICT', `--bench-from ${benchFrom} needs the files that it is about: --bench-path PATH`, {
      hint: 'Name the files and folders of the benchmark.',
    });
  }
  if (benchPath.length > 0 && benchFrom === 'own') {
    throw new UsageError(
      'CONFLICT',
      '--bench-path names files that both sides share, and --bench-from own shares none',
      { hint: 'Leave one of them out.' },
    );
  }
  const from = benchFrom === 'base' ? 'base' : 'head';
  return { setup: build, bench: benchPath.length === 0 ? null : { from, paths: benchPath }, fresh };
}
