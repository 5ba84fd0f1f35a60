import { CommanderError, type Command } from 'commander';
import { UsageError } from 'deadheat/settings';
import { buildProgram } from './build-program.ts';
import type { LoadedSubcommands } from './load-subcommands.ts';
import { explainCommanderError } from '../command/explain-commander-error.ts';
import { foldCommandWords } from '../command/fold-command-words.ts';
import { foldValues } from '../command/fold-values.ts';
import type { TypedCommand } from '../command/to-commander.ts';

/** Context of parsing the arguments. */
export interface ArgumentsEnvironment {
  /** Version of the tool, for `--version`. */
  readonly version: string;
  /** Modules of the subcommands that the arguments may call. */
  readonly loaded: LoadedSubcommands;
}

/**
 * Invocation from the arguments after the program's name. Throws {@link UsageError} for everything that
 * cannot be carried out as typed.
 */
export function parseArguments(typed: readonly string[], env: ArgumentsEnvironment): Invocation {
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
    { version: env.version, write: (text) => (written += text), loaded: env.loaded, showsAll },
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
