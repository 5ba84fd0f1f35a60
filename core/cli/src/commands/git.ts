import { existsSync } from 'node:fs';
import { readRange } from '@deadheat/versions';
import type { Command } from 'commander';
import { draftOfRevisions, type Narrowing } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { addCompareOptionsBut } from '../arguments/compare-options.ts';
import { addFilterOption } from '../arguments/filter-option.ts';
import { flagOf } from '../arguments/flag-of.ts';
import { splitCommandWords } from '../command/fold-command-words.ts';
import type { OutputChoices } from '../command/output-options.ts';
import { outputKeys } from '../arguments/output-keys.ts';
import { limitedResources } from '../command/output-options.ts';
import { readOutputChoices } from '../arguments/output-options.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawCompareOptions } from '../arguments/raw-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import {
  addVersionOptions,
  type RawVersionOptions,
  readVersionChoices,
  splitVersionOptions,
} from '../arguments/version-options.ts';
import { compareVersions } from '../experiment/run-with-progress.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawGitOptions = RawVersionOptions &
  Omit<RawCompareOptions, 'setup' | 'resume' | 'reference'> & {
    readonly exact?: true;
    readonly filter?: readonly string[];
  };

/** What counts beside a file, which says everything else. */
const besideFile: ReadonlySet<string> = new Set<keyof RawCompareOptions>([
  'seed',
  'maxTime',
  'control',
  'correction',
  'showOutput',
  'output',
  ...outputKeys,
]);

/** `deadheat git`: two commits, or the working tree and the commit it came from. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('git')
    .description(
      'Compares two commits of a git repository. Each commit is checked out into a separate folder and built there, and the command runs in both folders. The working tree is not changed. Without HEAD, B is the working tree, including uncommitted changes and new files. A is the last common ancestor of BASE and HEAD. Without BASE, A is the commit at which your branch left the default branch; on the default branch itself it is the previous commit. Without a command, deadheat.yaml describes the benchmarks. More: docs/git.md.',
    )
    .usage('[options] [BASE[..HEAD]] [-- COMMAND]')
    .argument('[words...]')
    .action((words: readonly string[], raw: RawGitOptions) => {
      const { before, commandLine } = splitCommandWords(words);
      if (before.length > 1) {
        throw new UsageError('TOO_MANY_ARGUMENTS', `git compares one range of commits, not ${before.join(' ')}`, {
          hint: 'Put the command behind --: deadheat git BASE..HEAD -- COMMAND.',
        });
      }
      const { exact, filter = [], ...others } = raw;
      const { version, compare } = splitVersionOptions(others);
      const revisions = { ...readRange(before[0] ?? null), exact: exact === true };
      if (commandLine !== null && filter.length > 0) {
        throw new UsageError(
          'CONFLICT',
          '--filter chooses among the benchmarks of deadheat.yaml, and there is a command',
          {
            hint: 'Leave one of them out.',
          },
        );
      }
      const versions = { ...readVersionChoices(version), revisions };
      if (commandLine === null) {
        const { narrowing, ...output } = readFileSubject(compare, filter);
        choose((terminal) =>
          compareVersions(
            (preparation) =>
              draftOfRevisions({ ...versions, subject: { file: findOwnFile(), narrowing } }, preparation),
            { output, terminal },
          ),
        );
      } else {
        const subject = toCompareInvocation([commandLine, commandLine], compare, { probeFile });
        choose((terminal) =>
          compareVersions((preparation) => draftOfRevisions({ ...versions, subject }, preparation), {
            output: subject,
            terminal,
          }),
        );
      }
    });
  command.optionsGroup('Which versions:');
  addVersionOptions(command, { base: 'side A', head: 'side B' });
  command.option('--exact', 'A is the commit BASE itself, not the last common ancestor of BASE and HEAD');
  addFilterOption(command);
  addCompareOptionsBut(command, ['setup', 'resume', 'reference']);
  return command.addHelpText('after', examples);
}

function readFileSubject(
  raw: RawCompareOptions,
  filter: readonly string[],
): OutputChoices & { readonly output: string | null; readonly narrowing: Narrowing } {
  const idle = Object.keys(raw).find((key) => !besideFile.has(key));
  if (idle !== undefined) {
    throw new UsageError(
      'CONFLICT',
      `${flagOf(idle)} needs a command behind --: without one deadheat.yaml says how to measure`,
      {
        hint: 'Add -- COMMAND, or say it in the file (docs/configuration.md).',
      },
    );
  }
  const {
    output = null,
    seed = null,
    maxTime = null,
    showOutput = false,
    control = false,
    correction = null,
    strict = false,
  } = raw;
  if (maxTime === 'none') {
    throw new UsageError(
      'BAD_VALUE',
      '--max-time none: without a command deadheat.yaml says how long a benchmark takes',
      {
        hint: 'Write max-time: none into the file.',
      },
    );
  }
  const narrowing = {
    filter,
    methods: [],
    seed,
    maxTimeNs: maxTime,
    engine: null,
    showOutput,
    control,
    correction,
    strict,
    settings: {},
    also: limitedResources(raw.failOn),
  };
  return { ...readOutputChoices(raw), narrowing, output };
}

const examples = `
Examples:
  deadheat git --setup 'npm ci' -- node bench.js
      did my changes, committed or not, make the benchmark slower?
  deadheat git main..topic --quick --margin 1% --fail-on slower -- ./run-bench
      for continuous integration: exit code 1 if topic is slower than the commit
      at which it left main
  deadheat git v1.0..v2.0 --exact --bench-path bench -- node bench/sort.js
      compare two releases, both with the benchmark of the newer one
  deadheat git main
      compare the benchmarks that deadheat.yaml describes

The exit codes are those of comparisons (deadheat --help). The exit code is also
4 if a side cannot be built, and 2 if the repository or a commit does not exist.
`;

function findOwnFile(): string {
  const found = ['deadheat.yaml', 'deadheat.yml'].find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw new UsageError('MISSING_COMMAND', 'git needs a command, and there is no deadheat.yaml here that names one', {
    hint: 'Put the command behind --: deadheat git main -- node bench.js.',
  });
}
