import { UsageError } from 'deadheat/settings';
import type { Terminal } from '../terminal/terminal.ts';
import { type Options, spellingOf, type ValuesOf } from './option.ts';

/**
 * Arguments of a command by the words of its usage, with their meanings: `<path>` must be given, `[file]` may be, `[names...]` stands for
 * any number, `<names...>` for at least one. The key `--` stands for the command line behind `--`.
 */
export type Arguments = Readonly<Record<string, string>>;

type ArgumentName<Word> = Word extends '--'
  ? 'commandLine'
  : Word extends `${'<' | '['}${infer Name}...${']' | '>'}`
    ? Name
    : Word extends `${'<' | '['}${infer Name}${']' | '>'}`
      ? Name
      : never;
type ArgumentValue<Word> = Word extends `${string}...${string}`
  ? readonly string[]
  : Word extends `<${string}`
    ? string
    : string | null;

/** Typed arguments by their names: `[file]` is `file`, and `--` is `commandLine`. An argument that is not given is `null`. */
export type ArgumentsOf<Given extends Arguments> = {
  readonly [Word in keyof Given as ArgumentName<Word>]: ArgumentValue<Word>;
};

/** Values of options by their keys. */
export type TypedValues = Readonly<Record<string, unknown>>;
/** Arguments by their names. */
export type TypedWords = Readonly<Record<string, string | readonly string[] | null>>;

/** A command as a value: everything that help, completions, documentation and the parser need, and the action. */
export interface Command {
  /** Description at the head of the help. */
  readonly description: string;
  /** The words behind the name in the line `Usage:`; absent = options and arguments in general. */
  readonly usage?: string;
  readonly args: Arguments;
  readonly options: Options;
  /** Text below the options, which begins with a heading such as `Examples:`. */
  readonly examples?: string;
  /** Carries out what was typed. Returns the exit code. */
  act(values: TypedValues, args: TypedWords, terminal: Terminal): Promise<number>;
}

/** A command in a list of commands. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the list of commands in the help. */
  readonly summary: string;
  /** The command that is meant where no name of its family is typed. */
  readonly isDefault?: true;
  /** Loads the command, and with it the modules that it needs. */
  readonly load: () => Promise<Command | Family>;
}

/** A command that only has commands below it. */
export interface Family {
  readonly description: string;
  readonly subcommands: readonly CommandEntry[];
  /** Text below the list of commands. */
  readonly examples?: string;
}

/**
 * Declares a command. The types of `values` and `args` follow from the records of options and arguments.
 *
 * @example
 * export const prune: Command = defineCommand({
 *   description: 'Removes old recordings from a history.',
 *   options: {
 *     olderThan: option('--older-than <TIME>', { help: 'age of the recordings', parse: parseAge, required: '90d' }),
 *     dryRun: flag('--dry-run', { help: 'show what would be removed, and remove nothing' }),
 *   },
 *   act: async ({ olderThan, dryRun }, {}, terminal) => removeOld({ olderThan, dryRun }, terminal),
 * });
 */
export function defineCommand<const Typed extends Options = {}, const Words extends Arguments = {}>({
  options,
  args,
  act,
  ...rest
}: Pick<Command, 'description' | 'usage' | 'examples'> & {
  readonly args?: Words;
  readonly options?: Typed;
  readonly act: (values: ValuesOf<Typed>, args: ArgumentsOf<Words>, terminal: Terminal) => Promise<number>;
}): Command {
  return { ...rest, options: options ?? {}, args: args ?? {}, act };
}

export function isFamily(command: Command | Family): command is Family {
  return 'subcommands' in command;
}

/**
 * Refuses options that exclude or need each other, and the lack of an option that must be given.
 *
 * @param given keys of the options and names of the arguments that were typed
 * @param path words of the command, for messages
 * @throws UsageError `CONFLICT` or `MISSING_VALUE`
 */
export function checkTogether({ options }: Command, given: ReadonlySet<string>, path: string): void {
  const nameOf = (key: string): string => {
    const other = options[key];
    if (key === 'commandLine') return 'a command behind --';
    return other === undefined ? `an argument (${key})` : spellingOf(other.flags);
  };
  for (const [key, { flags, needs, without, only, why, required }] of Object.entries(options)) {
    const name = spellingOf(flags);
    if (!given.has(key)) {
      if (required === undefined) continue;
      throw new UsageError('MISSING_VALUE', `${path} needs ${name}`, { hint: `Such as: ${name} ${required}.` });
    }
    if (needs !== undefined && !needs.some((one) => given.has(one))) {
      const others = needs.map((one) => nameOf(one)).join(' or ');
      throw new UsageError('CONFLICT', `${name} does nothing without ${others}`, {
        hint: `Add ${others}, or leave ${name} out.`,
      });
    }
    const excluded = without?.find((one) => given.has(one));
    if (excluded !== undefined) {
      const reason = why === undefined ? '' : `: ${why}`;
      throw new UsageError('CONFLICT', `${name} and ${nameOf(excluded)} exclude each other${reason}`, {
        hint: 'Leave one of them out.',
      });
    }
    const idle = only === undefined ? undefined : [...given].find((one) => one !== key && !only.includes(one));
    if (idle !== undefined) {
      const reason = why === undefined ? '' : `, which ${why}`;
      throw new UsageError('CONFLICT', `${nameOf(idle)} does nothing with ${name}${reason}`, {
        hint: 'Leave one of them out.',
      });
    }
  }
}
