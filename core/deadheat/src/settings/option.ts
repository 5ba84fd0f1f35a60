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
  /** Keys from the layer down to the place of the value; where it depends on the value, a function of it. */
  readonly place: readonly string[] | ((value: unknown) => readonly string[]);
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
