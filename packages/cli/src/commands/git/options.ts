import { readRange } from '@deadheat/engine';
import type { Command } from 'commander';
import { splitCommandWords } from '../../arguments/fold-command-words.ts';
import { addFilterOption } from '../../arguments/filter-option.ts';
import { outputKeys } from '../../arguments/output-keys.ts';
import { flagOf } from '../../arguments/flag-of.ts';
import { readOutputChoices } from '../../arguments/output-options.ts';
import { probeFile } from '../../arguments/probe-file.ts';
import type { RawCompareOptions } from '../../arguments/raw-options.ts';
import { addCompareOptionsBut } from '../../arguments/some-compare-options.ts';
import { toCompareInvocation } from '../../arguments/to-compare-invocation.ts';
import { UsageError } from 'deadheat/settings';
import { compareRevisions, type RevisionsSubject } from './git.ts';
import {
  addVersionOptions,
  readVersionChoices,
  splitVersionOptions,
  type RawVersionOptions,
} from '../../versions/version-choices.ts';
import type { Subcommand } from '../subcommand.ts';

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
export const gitSubcommand: Subcommand = ({ create, choose }): Command => {
  const command = create('git')
    .summary('two commits of a repository, or what is not committed yet')
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
      const subject =
        commandLine === null ? readFileSubject(compare, filter) : readCommandSubject(commandLine, compare);
      const comparison = { ...readVersionChoices(version), revisions, subject };
      choose((terminal) => compareRevisions(comparison, terminal));
    });
  command.optionsGroup('Which versions:');
  addVersionOptions(command, { base: 'side A', head: 'side B' });
  command.option('--exact', 'A is BASE itself, not the commit where BASE and HEAD part');
  addFilterOption(command);
  addCompareOptionsBut(command, ['setup', 'resume']);
  return command.addHelpText('after', examples);
};

function readCommandSubject(commandLine: string, raw: RawCompareOptions): RevisionsSubject {
  return { kind: 'command', invocation: toCompareInvocation([commandLine, commandLine], raw, { probeFile }) };
}

function readFileSubject(raw: RawCompareOptions, filter: readonly string[]): RevisionsSubject {
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
  const narrowing = { filter, seed, maxTimeNs: maxTime, control, correction };
  return { kind: 'file', ...readOutputChoices(raw), ...narrowing, output, showOutput };
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
