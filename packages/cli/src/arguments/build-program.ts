import { Command, Help } from 'commander';
import { addCompareOptions } from './compare-options.ts';
import type { Act } from '../commands/subcommand.ts';
import { subcommands } from '../commands/registry.ts';
import { analyseExamples, helpExamples } from './help-text.ts';
import { addExperimentFlags } from './experiment-flags.ts';
import { addExitOptions, addOutputOptions } from './output-options.ts';
import { addSegmentOptions, type RawSegmentOptions } from './segment-options.ts';
import type { RawAnalyseOptions, RawCompareOptions, RawOutputOptions } from './raw-options.ts';
import { addReadingOptions } from './reading-options.ts';

/** Who is called with what was typed. */
export interface ProgramActions {
  readonly compare: (commands: readonly string[], options: RawCompareOptions) => void;
  readonly demo: (options: RawOutputOptions) => void;
  readonly analyse: (paths: readonly [string, string?], options: RawAnalyseOptions & RawSegmentOptions) => void;
  /** Any other subcommand: `name` and what it is going to do. */
  readonly subcommand: (name: string, act: Act) => void;
}

const termWidth = 26;

/** The command line of deadheat as commander knows it; it writes through `write` and throws instead of exiting. */
export function buildProgram(
  actions: ProgramActions,
  { version, write }: { readonly version: string; readonly write: (text: string) => void },
): Command {
  const program = configure(new Command('deadheat'), write)
    .usage("[options] 'command A' ['command B']\n       deadheat SUBCOMMAND [options] [arguments]")
    .description('Tells whether command B is slower than command A, by how much and how sure that is.')
    .enablePositionalOptions()
    .argument('[commands...]')
    .helpOption(false)
    .action((commands: readonly string[], options: RawCompareOptions) => {
      actions.compare(commands, options);
    });
  addCompareOptions(program);
  program
    .optionsGroup('Help:')
    .helpOption('-h, --help', 'show this help')
    .version(`deadheat ${version}`, '-V, --version', 'show the version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', helpExamples);
  program.addCommand(buildDemo(actions, write));
  program.addCommand(buildAnalyse(actions, write));
  for (const build of subcommands) {
    const subcommand = build({
      create: (name) => configure(new Command(name), write).helpOption('-h, --help', 'show this help'),
      choose: (act) => actions.subcommand(subcommand.name(), act),
    });
    program.addCommand(subcommand);
  }
  return program;
}

function buildDemo(actions: ProgramActions, write: (text: string) => void): Command {
  const demo = configure(new Command('demo'), write)
    .summary('three comparisons of bundled programs, within a minute')
    .description('Three comparisons of bundled programs, within a minute.')
    .action((options: RawOutputOptions) => {
      actions.demo(options);
    });
  addOutputOptions(demo.optionsGroup('Output:'));
  return demo.helpOption('-h, --help', 'show this help');
}

function buildAnalyse(actions: ProgramActions, write: (text: string) => void): Command {
  const analyse = configure(new Command('analyse'), write)
    .summary('judge a recording again, or result files of other tools')
    .alias('analyze')
    .description(
      'Judges a recording again, by its own settings or by others; or two result files of other tools, ' +
        'the first as A and the second as B. docs/formats/imports.md tells which.',
    )
    .usage('[options] RECORDING\n       deadheat analyse [options] FILE_OF_A FILE_OF_B')
    .argument('<path>', 'folder of a recording, or a file or folder of results')
    .argument('[second]', 'file or folder of results of B')
    .action((path: string, second: string | undefined, options: RawAnalyseOptions & RawSegmentOptions) => {
      actions.analyse(second === undefined ? [path] : [path, second], options);
    });
  const recorded = 'as recorded';
  addReadingOptions(analyse.optionsGroup('Result files of other tools:'));
  addExperimentFlags(analyse.optionsGroup('Judging:'), 'judging', {
    confidence: recorded,
    margin: recorded,
    metric: null,
    interval: recorded,
  });
  addSegmentOptions(analyse);
  addExitOptions(analyse);
  addOutputOptions(analyse.optionsGroup('Output:'));
  return analyse.helpOption('-h, --help', 'show this help').addHelpText('after', analyseExamples);
}

function configure(command: Command, write: (text: string) => void): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => 80, getErrHelpWidth: () => 80 })
    .configureHelp({ padWidth: () => termWidth, formatItem, visibleArguments: () => [] });
}

/** A term that is too long for its column gets a line of its own, so that every description is wrapped alike. */
function formatItem(term: string, width: number, description: string, helper: Help): string {
  const indent = ' '.repeat(width + 4);
  const lines = helper.boxWrap(description, (helper.helpWidth ?? 80) - indent.length).split('\n');
  const first = term.length > width ? `  ${term}\n${indent}` : `  ${term.padEnd(width + 2)}`;
  return `${first}${lines.join(`\n${indent}`)}`;
}
