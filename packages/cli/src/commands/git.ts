import { existsSync } from 'node:fs';
import { readRange } from '@deadheat/engine';
import type { Command } from 'commander';
import { draftOfRevisions, type Narrowing } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { addCompareOptionsBut } from '../arguments/compare-options.ts';
import { addFilterOption } from '../arguments/filter-option.ts';
import { flagOf } from '../arguments/flag-of.ts';
import { splitCommandWords } from '../arguments/fold-command-words.ts';
import type { OutputChoices } from '../arguments/invocation.ts';
import { outputKeys } from '../arguments/output-keys.ts';
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
  Omit<RawCompareOptions, 'setup' | 'resume'> & { readonly exact?: true; readonly filter?: readonly string[] };

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
      'Compares two commits of a git repository: checks each out in a folder of its own, builds it there, and runs the ' +
        'command in both. The working tree is not touched. Without HEAD, B is the working tree with what is not committed ' +
        'and new files. A is the commit where BASE and HEAD part. Without BASE that is where the default branch was left, ' +
        'or on it the commit before. Without a command deadheat.yaml tells what is run. More: docs/git.md.',
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
  command.option('--exact', 'A is BASE itself, not the commit where BASE and HEAD part');
  addFilterOption(command);
  addCompareOptionsBut(command, ['setup', 'resume']);
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
  const { output = null, seed = null, maxTime = null, showOutput = false, control = false, correction = null } = raw;
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
    seed: seed === null ? null : String(seed),
    maxTimeNs: maxTime,
    engine: null,
    showOutput,
    control,
    correction,
  };
  return { ...readOutputChoices(raw), narrowing, output };
}

const examples = `
Examples:
  deadheat git --setup 'npm ci' -- node bench.js
      did my changes make it slower? committed or not
  deadheat git main..topic --quick --margin 1% --fail-on slower -- ./run-bench
      for continuous integration: exit 1 if topic is slower than where it left main
  deadheat git v1.0..v2.0 --exact --bench-path bench -- node bench/sort.js
      two releases by the benchmark of the newer one
  deadheat git main
      what deadheat.yaml describes, on both sides

Exit codes as for comparisons (deadheat --help); 4 also when a side cannot be
built, 2 when there is no repository or no such commit.`;

function findOwnFile(): string {
  const found = ['deadheat.yaml', 'deadheat.yml'].find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw new UsageError('MISSING_COMMAND', 'git needs a command, and there is no deadheat.yaml here that names one', {
    hint: 'Put the command behind --: deadheat git main -- node bench.js.',
  });
}
