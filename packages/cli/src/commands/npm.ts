import type { Command } from 'commander';
import { draftOfPackages } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { addCompareOptionsBut } from '../arguments/compare-options.ts';
import { splitCommandWords } from '../arguments/fold-command-words.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawCompareOptions } from '../arguments/raw-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import { compareVersions } from '../experiment/run-with-progress.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawNpmOptions = Omit<RawCompareOptions, 'resume'> & { readonly fresh?: true };

/** `deadheat npm`: two versions of a package. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('npm')
    .description(
      'Compares two versions of a package of npm, or two tarballs. Each side gets a copy of the current folder, its ' +
        'dependencies, and its version of the package, so that the files of the copy import that one. The command runs in the ' +
        'copy, and programs of its packages are found first. More: docs/git.md.',
    )
    .usage('[options] PACKAGE@A PACKAGE@B -- COMMAND')
    .argument('[words...]')
    .action((words: readonly string[], { fresh, ...raw }: RawNpmOptions) => {
      const { before, commandLine } = splitCommandWords(words);
      const [a, b, ...more] = before;
      if (a === undefined || b === undefined || more.length > 0) {
        throw new UsageError('MISSING_COMMAND', `npm needs two versions of a package, not ${before.length}`, {
          hint: 'Put them before -- and the command behind it: deadheat npm ms@2.0.0 ms@2.1.3 -- node bench.mjs.',
        });
      }
      if (commandLine === null) {
        throw new UsageError('MISSING_COMMAND', 'npm needs a command that uses the package', {
          hint: `Put it behind --: deadheat npm ${a} ${b} -- node bench.mjs.`,
        });
      }
      const request = toCompareInvocation([commandLine, commandLine], raw, { probeFile });
      const comparison = { specs: { A: a, B: b }, fresh: fresh === true, request };
      choose((terminal) =>
        compareVersions((preparation) => draftOfPackages(comparison, preparation), { output: request, terminal }),
      );
    });
  command.optionsGroup('Which versions:').option('--fresh', 'install although that was done before');
  addCompareOptionsBut(command, ['resume']);
  return command.addHelpText('after', examples);
}

const examples = `
Examples:
  deadheat npm ms@2.0.0 ms@2.1.3 -- node bench.mjs
      which version is faster in what bench.mjs does with it?
  deadheat npm --quick prettier@3.5.0 prettier@3.6.0 -- prettier --check src
      a program of the package
  deadheat npm ./lib-1.0.0.tgz ./lib-1.1.0.tgz -- node bench.mjs
      tarballs, as npm pack makes them; no registry is asked for them

Exit codes as for comparisons (deadheat --help); 4 also when a version cannot be
installed, 2 when it cannot be a package.`;
