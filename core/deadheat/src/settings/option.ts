import type { Settings, Workload, AskedMethod } from '@deadheat/model';
import type { z } from 'zod';

/** Where `--help` shows a flag. */
export type FlagGroup = 'subject' | 'amount' | 'execution' | 'judging' | 'exit' | 'output';

/** A flag of the command that says something of an experiment. */
export interface Flag {
  /** Flags in the notation of commander: `-r, --runs <N>`. */
  readonly flags: string;
  readonly group: FlagGroup;
  /** Text in the help; absent = that of the option. */
  readonly help?: string;
  /** Reads what is typed; `null` = the flag takes no value and stands for `stands`. */
  readonly parse: ((typed: string) => unknown) | null;
  readonly stands?: unknown;
  /** True if the flag may be given several times; each of its values has a place of its own. */
  readonly repeats?: true;
  /** Keys from the layer down to the place of the value; where it depends on the value, or on how many were typed, a function of them. */
  readonly place:
    | readonly string[]
    | ((value: unknown, nth: { readonly index: number; readonly count: number }) => readonly string[]);
  /** The part of a value that is put there; absent = all of it. */
  keeps?(value: unknown): unknown;
}

/** Properties of a benchmark that decide which settings have an effect. */
export interface Subject {
  readonly method: AskedMethod;
  readonly workload: Workload;
  /** Why its iterations are not seen while it makes them, where it prints them; `null` = they are. */
  readonly unseen: string | null;
}

/** Why a setting does nothing: for the method, or for the kind of workload. */
export interface Unfit {
  readonly because: 'method' | 'workload';
  readonly why: string;
}

/** One option: all that is known of it in one place. */
export interface Option<Value> {
  /** The value as it is written in a file or in an object of the library; its output is what the parsers of flags give. */
  readonly schema: z.ZodType<Value>;
  /** Effect of the option: a sentence without its capital and its full stop. Here and in `fallback` `{runs}` is the name of an option. */
  readonly help: string;
  /** Default in words; `null` = none. */
  readonly fallback: string | null;
  /** Page of the docs that says more, such as `tandem.md#lanes`. */
  readonly page?: string;
  readonly flags: readonly Flag[];
}

/** An option about how a benchmark is measured and judged. */
export interface SettingOption<Value> extends Option<Value> {
  /** The settings that a value stands for; absent where several options make one setting together (the stop rule). */
  readonly sets?: (value: Value) => Partial<Settings>;
  /** Why the value does nothing for a benchmark; `null` where it does something; absent = it fits every benchmark. */
  readonly unfit?: (value: Value, subject: Subject) => Unfit | null;
}

/** The schemas of a table's options, each optional and with its documentation. */
export function describedShape<Key extends string>(
  table: Readonly<Record<Key, { readonly schema: z.ZodType; readonly help: string; readonly fallback: string | null }>>,
): Record<Key, z.ZodType> {
  const shape = Object.entries(table) as [Key, (typeof table)[Key]][];
  return Object.fromEntries(
    shape.map(([key, { schema, help, fallback }]) => {
      const sentence = `${help.charAt(0).toUpperCase()}${help.slice(1)}`;
      const otherwise = fallback === null ? '.' : ` (default: ${fallback}).`;
      return [key, schema.optional().describe(withNames(`${sentence}${otherwise}`, (name) => name))];
    }),
  ) as unknown as Record<Key, z.ZodType>;
}

/** A text of a table with options called by `name`. Only words of lower case between braces are options. */
export function withNames(text: string, name: (key: string) => string): string {
  return text.replaceAll(/\{([a-z-]+)\}/g, (_, key: string) => name(key));
}
