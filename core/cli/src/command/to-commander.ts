import { nearestWord } from '@deadheat/model';
import { type Command as CommandLine, Option as CommandLineOption } from 'commander';
import { UsageError } from 'deadheat/settings';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type Arguments,
  checkTogether,
  type Command,
  type CommandEntry,
  type Family,
  isFamily,
  type TypedValues,
  type TypedWords,
} from './define-command.ts';
import { splitCommandWords } from './fold-values.ts';
import type { Options } from './option.ts';
import type { UserDefaults } from './user-defaults.ts';

/** A command with what it has below it, as far as that is loaded; `command` is `null` where it is not. */
export interface LoadedCommand extends Pick<CommandEntry, 'name' | 'aliases' | 'summary' | 'isDefault'> {
  readonly command: Command | Family | null;
  readonly below: readonly LoadedCommand[];
}

/** Values and words typed for a command, checked. */
export interface TypedCommand {
  /** Words of the command: `['history', 'prune']`. */
  readonly path: readonly string[];
  readonly values: TypedValues;
  readonly args: TypedWords;
  readonly act: (terminal: Terminal) => Promise<number>;
}

/** Makes commands of commander, and receives what is typed. */
export interface CommanderContext {
  readonly create: (name: string) => CommandLine;
  readonly choose: (typed: TypedCommand) => void;
  readonly defaults: UserDefaults;
}

/**
 * Loads the commands that `wanted` asks for, and those below them.
 *
 * @param wanted asked with the words down to a command; those that are not wanted have a name and a summary only
 */
export async function loadCommands(
  entries: readonly CommandEntry[],
  wanted: (path: readonly string[]) => boolean,
  above: readonly string[] = [],
): Promise<readonly LoadedCommand[]> {
  return Promise.all(
    entries.map(async (entry): Promise<LoadedCommand> => {
      const path = [...above, entry.name];
      if (
        entry.isDefault !== true &&
        !wanted(path) &&
        !(entry.aliases ?? []).some((alias) => wanted([...above, alias]))
      ) {
        return { ...entry, command: null, below: [] };
      }
      const command = await entry.load();
      const below = isFamily(command) ? await loadCommands(command.subcommands, wanted, path) : [];
      return { ...entry, command, below };
    }),
  );
}

/** The command in the form of commander. */
export function toCommander(
  loaded: LoadedCommand,
  context: CommanderContext,
  above: readonly string[] = [],
): CommandLine {
  const { name, aliases = [], summary, command, below } = loaded;
  const path = [...above, name];
  const made = context.create(name).summary(summary).aliases(aliases);
  if (command === null) return made;
  made.description(command.description).allowExcessArguments();
  if (isFamily(command)) {
    made.enablePositionalOptions().usage('SUBCOMMAND [options] [arguments]').helpCommand(false);
    for (const one of below) made.addCommand(toCommander(one, context, path), { isDefault: one.isDefault === true });
    made.action((_options: object, { args }: CommandLine) => {
      throw unknownSubcommand(args[0], { path, below });
    });
  } else {
    made.usage(command.usage ?? usageOf(command));
    addOptions(made, command.options);
    made.action((_options: object, { args }: CommandLine) => {
      context.choose(readTyped(command, { made, words: args, path, defaults: context.defaults }));
    });
  }
  made.helpOption('-h, --help', 'show this help');
  if (command.examples !== undefined) made.addHelpText('after', `\n${command.examples.trim()}`);
  return made;
}

/** Adds options to a command of commander. */
export function addOptions(made: CommandLine, options: Options): CommandLine {
  for (const typed of Object.values(options)) {
    const { flags, help, fallback, group, rare, choices } = typed;
    const option = new CommandLineOption(flags, fallback === undefined ? help : `${help} (default: ${fallback})`);
    // `--no-summary` is a flag like others: commander would give it a positive twin.
    option.negate = false;
    if (typed.read !== undefined) {
      option.argParser(Object.assign((word: string, before: unknown) => typed.read?.(word, before), { choices }));
    }
    if (group !== undefined) option.helpGroup(group);
    made.addOption(option.hideHelp(rare === true));
  }
  return made;
}

function usageOf({ args, options }: Command): string {
  const words = Object.keys(args).map((word) => (word === '--' ? '[-- COMMAND]' : word));
  return [...(Object.keys(options).length === 0 ? [] : ['[options]']), ...words].join(' ');
}

interface TypedLine {
  readonly made: CommandLine;
  readonly words: readonly string[];
  readonly path: readonly string[];
  readonly defaults: UserDefaults;
}

/** The typed command, from what commander has read of it. */
export function readTyped(command: Command, { made, words, path, defaults }: TypedLine): TypedCommand {
  const args = readWords(command.args, { made, words, path });
  const values: Record<string, unknown> = {};
  const given = new Set(Object.keys(args).filter((name) => args[name] !== null && args[name]?.length !== 0));
  for (const [index, [key, option]] of Object.entries(command.options).entries()) {
    const typed: unknown = made.getOptionValue(made.options[index]?.attributeName() ?? '');
    values[key] =
      typed === undefined
        ? (defaults[key] ?? option.initial)
        : typed === true && 'bare' in option
          ? option.bare
          : typed;
    if (typed !== undefined) given.add(key);
  }
  checkTogether(command, given, path.join(' '));
  return { path, values, args, act: (terminal) => command.act(values, args, terminal) };
}

function readWords(declared: Arguments, { made, words, path }: Omit<TypedLine, 'defaults'>): TypedWords {
  const { before, commandLine } = splitCommandWords(words);
  const rest = [...before];
  const read: Record<string, string | readonly string[] | null> = {};
  for (const [word, meaning] of Object.entries(declared)) {
    if (word === '--') {
      read['commandLine'] = commandLine;
      continue;
    }
    if (word.startsWith('<') && rest.length === 0) {
      throw new UsageError('MISSING_COMMAND', `${path.join(' ')} needs ${meaning}`, {
        hint: `deadheat ${path.join(' ')} --help shows its options.`,
      });
    }
    const name = word.replaceAll(/[<>[\].]/g, '');
    read[name] = word.includes('...') ? rest.splice(0) : (rest.shift() ?? null);
  }
  if (rest.length > 0) {
    const isIdle = '--' in declared && commandLine === null;
    throw new UsageError('TOO_MANY_ARGUMENTS', `too many arguments for ${path.join(' ')}`, {
      hint: isIdle
        ? `Put the command behind --: deadheat ${path.join(' ')} ... -- COMMAND.`
        : `Usage: deadheat ${path.join(' ')} ${made.usage()}`,
    });
  }
  return read;
}

function unknownSubcommand(
  word: string | undefined,
  { path, below }: { readonly path: readonly string[]; readonly below: readonly LoadedCommand[] },
): UsageError {
  const family = path.join(' ');
  const names = below.map(({ name }) => name);
  const nearest = word === undefined ? null : nearestWord(word.toLowerCase(), names);
  const what = word === undefined ? `${family} needs a subcommand` : `${family} has no subcommand ${word}`;
  const hint = nearest === null ? `There are ${names.join(', ')}.` : `Did you mean deadheat ${family} ${nearest}?`;
  return new UsageError('UNKNOWN_SUBCOMMAND', what, { hint });
}
