import { randomBytes } from 'node:crypto';
import { type InstalledPackage, startExperiment, Versions } from '@deadheat/engine';
import type { CommitRef, Side } from '@deadheat/model';
import type { Command } from 'commander';
import { withControls } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { addCompareOptionsBut } from '../arguments/compare-options.ts';
import { splitCommandWords } from '../arguments/fold-command-words.ts';
import type { CompareInvocation } from '../arguments/invocation.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawCompareOptions } from '../arguments/raw-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { checkExports } from '../experiment/finish.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createTeller } from '../terminal/output.ts';
import { tool } from '../version.ts';
import { draftInFolder, joinDrafts, type SidePlace, withInstalledPrograms } from '../versions/sides.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawNpmOptions = Omit<RawCompareOptions, 'resume'> & { readonly fresh?: true };

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
      const invocation = toCompareInvocation([commandLine, commandLine], raw, { probeFile });
      choose((terminal) => comparePackages({ specs: { A: a, B: b }, fresh: fresh === true, invocation }, terminal));
    });
  command.optionsGroup('Which versions:').option('--fresh', 'install again, even if an installation is kept');
  addCompareOptionsBut(command, ['resume']);
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

interface PackagesComparison {
  /** As npm takes them. */
  readonly specs: Readonly<Record<Side, string>>;
  readonly fresh: boolean;
  readonly invocation: CompareInvocation;
}

/** `deadheat npm`. Returns the exit code. */
async function comparePackages({ specs, fresh, invocation }: PackagesComparison, terminal: Terminal): Promise<number> {
  checkExports(invocation.exports);
  const tell = createTeller(invocation, terminal);
  const versions = new Versions();
  return withInterruption(async (signal) => {
    try {
      await versions.sweep();
      const path = terminal.env['PATH'] ?? '';
      const place = async (side: Side): Promise<SidePlace> => {
        const spec = specs[side];
        const installed: InstalledPackage = await versions.install({
          spec,
          what: side,
          cwd: process.cwd(),
          signal,
          fresh,
          onInstall: () => tell(`${side}: npm install ${spec}`),
        });
        const { folder, label, wasReady } = installed;
        tell(`${side} = ${label}${wasReady ? ', installed before' : ''}`);
        return { folder, label, environment: withInstalledPrograms(folder, path) };
      };
      const places = { A: await place('A'), B: await place('B') };
      const packageRef = ({ label }: SidePlace): CommitRef => ({ id: label, label, committedAt: null });
      const commits = { A: packageRef(places.A), B: packageRef(places.B) };
      const seed = randomBytes(4).toString('hex');
      const draftOf = (side: Side): ReturnType<typeof draftInFolder> =>
        draftInFolder(invocation, { place: places[side], path, seed });
      const joined = joinDrafts({ A: draftOf('A'), B: draftOf('B') }, places);
      const draft = invocation.control ? withControls(joined) : joined;
      const { output: directory, showOutput } = invocation;
      return await runWithProgress(
        (control) => startExperiment({ ...control, draft, directory, parent: '.deadheat', tool, commits }),
        { choices: invocation, terminal, showOutput },
      );
    } finally {
      await versions.releaseAll();
    }
  });
}
