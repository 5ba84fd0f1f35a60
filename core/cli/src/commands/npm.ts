import type { Command } from 'commander';
import { draftOfPackages } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { addCompareOptionsBut } from '../arguments/compare-options.ts';
import { splitCommandWords } from '../command/fold-command-words.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawCompareOptions } from '../arguments/raw-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import { compareVersions } from '../experiment/run-with-progress.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawNpmOptions = Omit<RawCompareOptions, 'resume' | 'reference'> & { readonly fresh?: true };

/** `deadheat npm`: two versions of a package. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('npm')
    .description(
      'Compares two versions of an npm package, or two tarballs. Each side gets a copy of the current folder with its dependencies, in which its version of the package is installed. The command runs in that copy, and the programs of the installed packages come first in PATH. More: docs/git.md.',
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
  command.optionsGroup('Which versions:').option('--fresh', 'install again, even if an installation is kept');
  addCompareOptionsBut(command, ['resume', 'reference']);
  return command.addHelpText('after', examples);
}

const examples = `
Examples:
  deadheat npm ms@2.0.0 ms@2.1.3 -- node bench.mjs
      which version of ms makes bench.mjs faster?
  deadheat npm --quick prettier@3.5.0 prettier@3.6.0 -- prettier --check src
      compare a program that is part of the package
  deadheat npm ./lib-1.0.0.tgz ./lib-1.1.0.tgz -- node bench.mjs
      compare two tarballs, as npm pack writes them, without asking a registry

The exit codes are those of comparisons (deadheat --help). The exit code is also
4 if a version cannot be installed, and 2 if its name is not that of a package.
`;
