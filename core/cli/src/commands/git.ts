import { readRange } from '@deadheat/versions';
import { draftOfRevisions } from 'deadheat/internals';
import { filterOptions } from '../command/common-options.ts';
import { compareOptions } from '../command/compare-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { flag, group, omit } from '../command/option.ts';
import { toOutputChoices } from '../command/output-options.ts';
import { typedSubject } from '../command/typed-experiment.ts';
import { layoutsOption, toVersionChoices, versionOptions } from '../command/version-options.ts';
import { compareVersions } from '../experiment/run-with-progress.ts';

/** `deadheat git`: two commits, or the working tree and the commit it came from. */
export const git: Command = defineCommand({
  description:
    'Compares two commits of a git repository. Each commit is checked out into a separate folder and built there, and the command runs in both folders. The working tree is not changed. Without HEAD, B is the working tree, including uncommitted changes and new files. A is the last common ancestor of BASE and HEAD. Without BASE, A is the commit at which your branch left the default branch; on the default branch itself it is the previous commit. Without a command, deadheat.yaml describes the benchmarks. More: docs/git.md.',
  usage: '[options] [BASE[..HEAD]] [-- COMMAND]',
  args: { '[range]': 'one range of commits', '--': 'a command' },
  options: {
    ...group('Which versions:', {
      ...versionOptions({ base: 'side A', head: 'side B' }),
      exact: flag('--exact', {
        help: 'A is the commit BASE itself, not the last common ancestor of BASE and HEAD',
      }),
      layouts: layoutsOption,
      filter: {
        ...filterOptions.filter,
        without: ['commandLine'],
        why: 'it chooses among the benchmarks of deadheat.yaml',
      },
    }),
    ...omit(compareOptions, ['reference']),
  },
  act: async (values, { range, commandLine }, terminal) => {
    const { build, benchPath, benchFrom, fresh, exact, layouts, ...compared } = values;
    const revisions = { ...readRange(range), exact };
    const { changes, ...subject } = typedSubject(commandLine, { ...compared, called: 'git main' });
    const versions = toVersionChoices({ build, benchPath, benchFrom, fresh });
    return compareVersions(
      (preparation) => draftOfRevisions({ ...versions, revisions, subject, changes, layouts }, preparation),
      {
        typed: commandLine === null ? null : changes.typed,
        output: { ...toOutputChoices(values), output: values.output },
        terminal,
      },
    );
  },
  examples: `
Examples:
  deadheat git --build 'npm ci' -- node bench.js
      did my changes, committed or not, make the benchmark slower?
  deadheat git main..topic --quick --margin 1% --fail-on slower -- ./run-bench
      for continuous integration: exit code 1 if topic is slower than the commit
      at which it left main
  deadheat git main --build 'make bench' --layouts 8 --max-time 2m -- ./bench
      build each side eight times, each time with the code in other places, so
      that the interval holds for any layout
  deadheat git v1.0..v2.0 --exact --bench-path bench -- node bench/sort.js
      compare two releases, both with the benchmark of the newer one
  deadheat git main
      compare the benchmarks that deadheat.yaml describes

The exit codes are those of comparisons (deadheat --help). The exit code is also
4 if a side cannot be built, and 2 if the repository or a commit does not exist.
`,
});
