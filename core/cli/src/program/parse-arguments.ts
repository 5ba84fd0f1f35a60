import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CommanderError, Command, Help, type Option } from 'commander';
import { UsageError } from 'deadheat/settings';
import { type LoadedSubcommands, loadCalled } from './load-subcommands.ts';
import { explainCode } from './explain-code.ts';
import { explainCommanderError } from '../command/explain-commander-error.ts';
import { foldCommandWords, foldValues } from '../command/fold-values.ts';
import { type TypedCommand, addOptions, readTyped, toCommander } from '../command/to-commander.ts';
import type { UserDefaults } from '../command/user-defaults.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { compare } from '../commands/compare.ts';
import { subcommands } from '../commands/registry.ts';

/** Context of parsing the arguments. */
export interface ArgumentsEnvironment {
  /** Version of the tool, for `--version`. */
  readonly version: string;
  /** Modules of the subcommands that the arguments may call. */
  readonly loaded: LoadedSubcommands;
  /** Values of options that are not typed; absent = their own. */
  readonly defaults?: UserDefaults;
}

/**
 * Invocation from the arguments after the program's name. Throws {@link UsageError} for everything that
 * cannot be carried out as typed.
 */
export function parseArguments(typed: readonly string[], env: ArgumentsEnvironment): Invocation {
  const [first, code = ''] = typed;
  const meaning = first === 'help' ? explainCode(code) : null;
  if (meaning !== null) return { kind: 'help', text: meaning };
  const { args, showsAll } = readHelpScope(typed);
  let invocation: Invocation | null = null;
  let written = '';
  const program: Command = buildProgram(
    {
      compare: ({ act, values, args: words }) => {
        invocation = { kind: 'compare', act, request: { ...values, ...words } };
      },
      subcommand: (chosen) => {
        refuseOptionsBefore(program, chosen.name);
        invocation = { kind: 'subcommand', ...chosen };
      },
    },
    {
      version: env.version,
      write: (text) => (written += text),
      loaded: env.loaded,
      showsAll,
      defaults: env.defaults ?? {},
    },
  );
  try {
    program.parse(foldCommandWords(foldValues(args, program.options)), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.version') return { kind: 'version', text: written };
    if (error.exitCode === 0) return { kind: 'help', text: `${written.trimEnd()}\n` };
    throw explainCommanderError(error, { args, command: meant(program, args) });
  }
  if (invocation === null) throw new UsageError('MISSING_COMMAND', 'nothing to do');
  return invocation;
}

/** Takes `all` from behind `--help`: whether the help is to show every option. */
function readHelpScope(typed: readonly string[]): { readonly args: readonly string[]; readonly showsAll: boolean } {
  if (typed[0] === 'help' && typed[1] === 'all') return { args: ['--help'], showsAll: true };
  const end = typed.indexOf('--');
  const at = typed.findIndex((word, place) => (word === '--help' || word === '-h') && typed[place + 1] === 'all');
  if (at === -1 || (end !== -1 && end < at)) return { args: typed, showsAll: false };
  return { args: typed.filter((_, place) => place !== at + 1), showsAll: true };
}

/** The innermost subcommand that the arguments begin with. */
function meant(command: Command, args: readonly string[]): Command {
  const [word = '', ...rest] = args;
  const subcommand = command.commands.find((known) => [known.name(), ...known.aliases()].includes(word));
  return subcommand === undefined ? command : meant(subcommand, rest);
}

/** An option of the comparison before a subcommand would be ignored; that is said instead. */
function refuseOptionsBefore(program: Command, subcommand: string): void {
  const given = program.options.find((option) => program.getOptionValue(option.attributeName()) !== undefined);
  if (given === undefined) return;
  const flag = given.long ?? given.short ?? given.flags;
  throw new UsageError('CONFLICT', `${flag} stands before ${subcommand}, where it has no meaning`, {
    hint: `Put the options of ${subcommand} after it; deadheat ${subcommand} --help lists them.`,
  });
}

/** Action that the arguments ask for. */
export type Invocation =
  | { readonly kind: 'compare'; readonly act: TypedCommand['act']; readonly request: object }
  | { readonly kind: 'subcommand'; readonly name: string; readonly act: TypedCommand['act']; readonly request: object }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly text: string };

/** The file of the user's own defaults; `null` = there is none, or this is CI, where everybody shall see the same. */
function userFile({ CI: ci = '', XDG_CONFIG_HOME: home = '', HOME }: Terminal['env']): string | null {
  const file = join(isAbsolute(home) ? home : join(HOME ?? homedir(), '.config'), 'deadheat.yaml');
  return ci === '' && existsSync(file) ? file : null;
}

/** Reads the arguments and does what they ask for; loads no more than that needs. Returns the exit code. */
export async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const loaded = await loadCalled(args);
  const file = userFile(terminal.env);
  const defaults = file === null ? {} : (await import('../command/user-defaults.ts')).readUserDefaults(file);
  const invocation = parseArguments(args, { version, loaded, defaults });
  switch (invocation.kind) {
    case 'help':
    case 'version':
      terminal.stdout.write(invocation.text.endsWith('\n') ? invocation.text : `${invocation.text}\n`);
      return 0;
    case 'compare':
    case 'subcommand':
      return invocation.act(terminal);
  }
}

/** Who is called with what was typed. */
interface ProgramActions {
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
function buildProgram(
  actions: ProgramActions,
  {
    version,
    write,
    loaded,
    showsAll = false,
    defaults,
  }: {
    readonly defaults: UserDefaults;
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
      actions.compare(readTyped(compare, { made: program, words, path: [], defaults }));
    });
  addOptions(program, compare.options);
  program
    .optionsGroup('Help:')
    .helpOption('-h, --help', 'show this help')
    .version(`deadheat ${version}`, '-V, --version', 'show the version')
    .helpCommand('help [command|CODE]', 'explain a command, a warning or an error')
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
        : toCommander(command, { create, choose, defaults }),
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
