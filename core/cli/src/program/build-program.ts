import { Command, Help, type Option } from 'commander';
import { addOptions, readTyped, toCommander, type TypedCommand } from '../command/to-commander.ts';
import { compare } from '../commands/compare.ts';
import { subcommands } from '../commands/registry.ts';
import type { LoadedSubcommands } from './load-subcommands.ts';

/** Who is called with what was typed. */
export interface ProgramActions {
  readonly compare: (typed: TypedCommand) => void;
  /** A subcommand: its name, what it is going to do, and what it has read. */
  readonly subcommand: (chosen: {
    readonly name: string;
    readonly act: TypedCommand['act'];
    readonly request: object;
  }) => void;
}

const termWidth = 26;

/** The command line of deadheat as commander knows it; it writes through `write` and throws instead of exiting. */
export function buildProgram(
  actions: ProgramActions,
  {
    version,
    write,
    loaded,
    showsAll = false,
  }: {
    readonly version: string;
    readonly write: (text: string) => void;
    /** Loaded subcommands; the others have a line in the help only. */
    readonly loaded: LoadedSubcommands;
    /** True if helps show every option, and not only those that most people need. */
    readonly showsAll?: boolean;
  },
): Command {
  const program: Command = configure(new Command('deadheat'), { write, showsAll })
    .usage(compare.usage ?? '')
    .description(compare.description)
    .enablePositionalOptions()
    .argument('[commands...]')
    .helpOption(false)
    .action((words: readonly string[]) => {
      actions.compare(readTyped(compare, { made: program, words, path: [] }));
    });
  addOptions(program, compare.options);
  program
    .optionsGroup('Help:')
    .helpOption('-h, --help', 'show this help')
    .version(`deadheat ${version}`, '-V, --version', 'show the version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', compare.examples ?? '');
  for (const { name, aliases = [], summary } of subcommands) {
    const create = (word: string): Command =>
      configure(new Command(word), { write, showsAll }).helpOption('-h, --help', 'show this help');
    const choose = ({ act, values, args }: TypedCommand): void =>
      actions.subcommand({ name, act, request: { ...values, ...args } });
    const command = loaded.get(name);
    program.addCommand(
      command === undefined
        ? create(name)
            .summary(summary)
            .aliases([...aliases])
        : toCommander(command, { create, choose }),
    );
  }
  return program;
}

interface Configuration {
  readonly write: (text: string) => void;
  readonly showsAll: boolean;
}

function configure(command: Command, { write, showsAll }: Configuration): Command {
  return command
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {}, getOutHelpWidth: () => 80, getErrHelpWidth: () => 80 })
    .configureHelp({
      padWidth: () => termWidth,
      formatItem,
      visibleArguments: () => [],
      subcommandTerm: (one) => [one.name(), ...one.aliases()].join('|'),
      ...(showsAll ? { visibleOptions: allOptions } : {}),
    })
    .addHelpText('after', () => {
      const left = showsAll ? 0 : command.options.filter(({ hidden }) => hidden).length;
      return left === 0 ? '' : `\n${pathOf(command)} --help all shows ${left} more options.`;
    });
}

/** Options that commander shows, and those that a short help hides. */
function allOptions(command: Command): Option[] {
  return [...command.options, ...new Help().visibleOptions(command).filter((one) => !command.options.includes(one))];
}

/** `deadheat git`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** A term that is too long for its column gets a line of its own, so that every description is wrapped alike. */
function formatItem(term: string, width: number, description: string, helper: Help): string {
  const indent = ' '.repeat(width + 4);
  const lines = helper.boxWrap(description, (helper.helpWidth ?? 80) - indent.length).split('\n');
  const first = term.length > width ? `  ${term}\n${indent}` : `  ${term.padEnd(width + 2)}`;
  return `${first}${lines.join(`\n${indent}`)}`;
}
