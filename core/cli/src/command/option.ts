import type { Exports } from '../terminal/output.ts';
import {
  createExcerpt,
  parseChoice,
  parseChoices,
  parseCount,
  parseShare,
  parseText,
  UsageError,
} from 'deadheat/settings';

/** An option of a command. `Value` is the type of its value in the action. */
export interface Option<Value> {
  /** As help shows it: `-r, --runs <N>`. A value in square brackets may be left out. */
  readonly flags: string;
  /** Meaning: a sentence without its capital, its full stop and the default. */
  readonly help: string;
  /** The default as help shows it; absent = help shows none. */
  readonly fallback?: string;
  /** Value of an option that is not typed. */
  readonly initial: Value;
  /** Reads a typed value; `before` is the value of the earlier occurrences. Absent: the option takes no value, and is true when typed. */
  read?(typed: string, before?: Value): Value;
  /** Value of an option whose value in square brackets is left out. */
  readonly bare?: Value;
  /** The words that the value may be, for completions. */
  readonly choices?: readonly string[];
  /** Heading in the help; absent = `Options:`. */
  readonly group?: string;
  /** Hidden from a short help; `--help all` shows it. */
  readonly rare?: true;
  /** Keys of options of which at least one must be given too. */
  readonly needs?: readonly string[];
  /** Keys of options and names of arguments that cannot be given too. */
  readonly without?: readonly string[];
  /** Keys of the only options that can be given too. */
  readonly only?: readonly string[];
  /** Reason for `without`, or description of the option for `only`: `both limit the time`, `changes settings only`. */
  readonly why?: string;
  /** Example of a value of an option that must be given. */
  readonly required?: string;
}

/** Options of a command by the names of their values. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** Values of options, as the action gets them. */
export type ValuesOf<Given extends Options> = {
  readonly [Key in keyof Given]: Given[Key] extends Option<infer Value> ? Value : never;
};

/** Options with values of these types. */
export type OptionsFor<Values> = { readonly [Key in keyof Values]-?: Option<Values[Key]> };

/** Makes the parser of values of a flag, which throws UsageError `BAD_VALUE`. */
export type ValueParser<Value> = (flag: string) => (typed: string) => Value;

interface FlagSpec extends Pick<Option<unknown>, 'group' | 'rare' | 'needs' | 'without' | 'only' | 'why'> {
  readonly help: string;
}

interface ValueSpec<Value> extends FlagSpec {
  readonly parse: ValueParser<Value>;
  readonly fallback?: string;
  readonly bare?: NoInfer<Value>;
}

/** An option without a value; false where it is not typed. */
export function flag(flags: string, spec: FlagSpec): Option<boolean> {
  return { flags, initial: false, ...spec };
}

/** An option with a value; `null` where it is not typed and has no default. */
export function option<Value>(
  flags: string,
  spec: ValueSpec<Value> & { readonly default: NoInfer<Value> },
): Option<Value>;
export function option<Value>(flags: string, spec: ValueSpec<Value> & { readonly required: string }): Option<Value>;
export function option<Value>(flags: string, spec: ValueSpec<Value>): Option<Value | null>;
export function option<Value>(
  flags: string,
  { parse, default: initial, ...spec }: ValueSpec<Value> & { readonly default?: Value; readonly required?: string },
): Option<Value | null> {
  const read = parse(spellingOf(flags));
  const isPlain = typeof initial === 'string' || typeof initial === 'number';
  return {
    flags,
    initial: initial ?? null,
    read: (typed) => read(typed),
    ...choicesOf(read),
    ...(isPlain ? { fallback: String(initial) } : {}),
    ...spec,
  };
}

/** An option that may be given several times: its values in order. */
export function several<Value>(flags: string, { parse, ...spec }: ValueSpec<Value>): Option<readonly Value[]> {
  const read = parse(spellingOf(flags));
  const { bare: _bare, ...rest } = spec;
  return { flags, initial: [], read: (typed, before = []) => [...before, read(typed)], ...choicesOf(read), ...rest };
}

/** The options under a heading of the help. */
export function group<Given extends Options>(heading: string, options: Given): Given {
  const entries = Object.entries(options).map(([key, one]) => [key, { ...one, group: heading }]);
  return Object.fromEntries(entries) as Given;
}

/** Some of the options. */
export function pick<Given extends Options, Key extends keyof Given>(
  options: Given,
  keys: readonly Key[],
): Pick<Given, Key> {
  return Object.fromEntries(keys.map((key) => [key, options[key]])) as unknown as Pick<Given, Key>;
}

/** The values of options of which none is typed. */
export function untyped<Values>(options: OptionsFor<Values>): Values {
  return Object.fromEntries(
    Object.entries<Option<unknown>>(options).map(([key, { initial }]) => [key, initial]),
  ) as Values;
}

/** The options without some of them. */
export function omit<Given extends Options, Key extends keyof Given>(
  options: Given,
  keys: readonly Key[],
): Omit<Given, Key> {
  return Object.fromEntries(
    Object.entries(options).filter(([key]) => !keys.includes(key as unknown as Key)),
  ) as unknown as Omit<Given, Key>;
}

function choicesOf(read: object): { readonly choices?: readonly string[] } {
  return 'choices' in read ? { choices: read.choices as readonly string[] } : {};
}

/** The flag as messages name it: its long spelling where it has one. */
export function spellingOf(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags.split(/[ ,]/)[0] ?? flags;
}

/** Parser of a text that is not empty; `meaning` describes it: `a folder`. */
export function text(meaning: string): ValueParser<string> {
  return (name) => parseText(name, meaning);
}

/** Parser of one of several words. */
export function choice<Choice extends string>(words: readonly Choice[]): ValueParser<Choice> {
  return (name) => parseChoice(name, words);
}

/** Parser of several of several words, with commas between them. */
export function choices<Choice extends string>(words: readonly Choice[]): ValueParser<readonly Choice[]> {
  return (name) => parseChoices(name, words);
}

/** Parser of a whole number from `least` on. */
export function count(least: number): ValueParser<number> {
  return (name) => parseCount(name, least);
}

/** Parser of a share above 0, or from 0 on: `1%` or `0.01`. */
export function share(spec: { readonly zero: 'allowed' | 'refused'; readonly example: string }): ValueParser<number> {
  return (name) => parseShare(name, spec);
}

/** Parser of `FORMAT:FILE` among the formats; one file for each format, and one of them may be `-`. */
function readExport<Format extends string>(
  formats: readonly Format[] | null,
): (typed: string, before?: Exports<Format>) => Exports<Format> {
  return (typed, before = {}) => {
    const colon = typed.indexOf(':');
    const [name, file] = [typed.slice(0, colon), typed.slice(colon + 1)];
    if (colon <= 0 || file === '') {
      throw new UsageError('BAD_VALUE', `--export '${typed}' is not FORMAT:FILE`, {
        excerpt: createExcerpt(['--export', typed], { at: 1 }),
        hint: `For example: --export ${formats?.[0] ?? 'json'}:result.${formats?.[0] ?? 'json'}, or - as FILE for standard output.`,
      });
    }
    const format = formats === null ? (name as Format) : parseChoice('--export', formats)(name);
    if (before[format] !== undefined) {
      throw new UsageError('CONFLICT', `the format ${format} is exported twice`, { hint: 'Name each format once.' });
    }
    const other = Object.entries(before).find(([, path]) => path === '-')?.[0];
    if (file === '-' && other !== undefined) {
      throw new UsageError(
        'CONFLICT',
        `--export ${other}:- and --export ${format}:- cannot both write to standard output`,
      );
    }
    return { ...before, [format]: file };
  };
}

/**
 * The option `--export FORMAT:FILE`, which may be given once for each format.
 *
 * @param formats what each format writes, for the help: `{ json: 'all results' }`; `null` = those that `deadheat export` lists
 */
export function exportOption<Format extends string>(
  formats: Readonly<Record<Format, string>> | null,
): Option<Exports<Format>> {
  const ids = formats === null ? null : (Object.keys(formats) as Format[]);
  const list = Object.entries<string>(formats ?? {}).map(([id, content]) => `${id}:FILE = ${content}`);
  const what =
    formats === null
      ? 'write the result to a file, in one of the formats that deadheat export --help lists: json:FILE, markdown:FILE, go:FILE'
      : `write the results to a file: ${list.join(', ')}`;
  const rest = (ids?.length ?? 2) > 1 ? '; may be repeated' : '';
  return {
    flags: '--export <FORMAT:FILE>',
    help: `${what}; the file - is standard output${rest}`,
    initial: {},
    read: readExport(ids),
  };
}
