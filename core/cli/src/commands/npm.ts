import { draftOfPackages } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { compareOptions } from '../command/compare-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { flag, group, omit } from '../command/option.ts';
import { toOutputChoices } from '../command/output-options.ts';
import { typedCommands } from '../command/typed-experiment.ts';
import { compareVersions } from '../experiment/run-with-progress.ts';

const versions = 'two versions of a package';

/** `deadheat npm`: two versions of a package. */
export const npm: Command = defineCommand({
  description:
    'Compares two versions of an npm package, or two tarballs. Each side gets a copy of the current folder with its dependencies, in which its version of the package is installed. The command runs in that copy, and the programs of the installed packages come first in PATH. More: docs/git.md.',
  usage: '[options] PACKAGE@A PACKAGE@B -- COMMAND',
  args: { '<a>': versions, '<b>': versions, '--': 'a command' },
  options: {
    ...group('Which versions:', { fresh: flag('--fresh', { help: 'install again, even if an installation is kept' }) }),
    ...omit(compareOptions, ['reference']),
  },
  act: async ({ fresh, ...values }, { a, b, commandLine }, terminal) => {
    if (commandLine === null) {
      throw new UsageError('MISSING_COMMAND', 'npm needs a command that uses the package', {
        hint: `Put it behind --: deadheat npm ${a} ${b} -- node bench.mjs.`,
      });
    }
    const { changes, ...subject } = typedCommands([commandLine, commandLine], values);
    return compareVersions(
      (preparation) => draftOfPackages({ specs: { A: a, B: b }, fresh, subject, changes }, preparation),
      { typed: changes.typed, output: { ...toOutputChoices(values), output: values.output }, terminal },
    );
  },
  examples: `
Examples:
  deadheat npm ms@2.0.0 ms@2.1.3 -- node bench.mjs
      which version of ms makes bench.mjs faster?
  deadheat npm --quick prettier@3.5.0 prettier@3.6.0 -- prettier --check src
      compare a program that is part of the package
  deadheat npm ./lib-1.0.0.tgz ./lib-1.1.0.tgz -- node bench.mjs
      compare two tarballs, as npm pack writes them, without asking a registry

The exit codes are those of comparisons (deadheat --help). The exit code is also
4 if a version cannot be installed, and 2 if its name is not that of a package.
`,
});
