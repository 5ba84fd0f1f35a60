import type { PartOptions } from '@deadheat/engine';
import type { EngineEvent } from '@deadheat/model';
import type { DeadheatFileOf, OutermostOf, SideOf } from '../config/deadheat-file.ts';
import type { Narrowing } from '../config/narrow-draft.ts';
import type { CamelCase } from '../settings/layer-of-flags.ts';
import type { FleetRequest } from './fleet.ts';

/** How a duration, a share or an amount of memory is written: `10s`, `1%`, `2g`; a number of seconds, a fraction, bytes. */
export type Amount = string | number;

/** Maps whose keys are names of the person's own. */
type Named = 'environment' | 'matrix' | 'artifacts';

/** The keys of a file as JavaScript names them: `max-time` is `maxTime`. */
type Camel<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? {
        readonly [Key in keyof Value as Key extends string ? CamelCase<Key> : never]: Key extends Named
          ? Value[Key]
          : Key extends 'benchmarks'
            ? { readonly [Name in keyof Value[Key]]: Camel<Value[Key][Name]> }
            : Camel<Value[Key]>;
      }
    : Value;

/** Every option of an experiment: the keys of docs/configuration.md in camel case. */
export type ExperimentSettings = Camel<OutermostOf<Amount>>;

/** One side: its command, or its command with what is its own. */
export type SideDescription = string | (Camel<SideOf<Amount>> & { readonly command: string });

/** An experiment of several benchmarks: what a deadheat.yaml holds. */
export type ExperimentDescription = Camel<DeadheatFileOf<Amount>>;

/** How an experiment is run, whatever it is. */
export interface RunOptions {
  /** Ends the experiment in order; what was recorded stays, and `resume` goes on with it. */
  readonly signal?: AbortSignal | undefined;
  /** Is told of everything that happens; never while a run is timed. */
  readonly onProgress?: ((event: EngineEvent) => void) | undefined;
  /** Is told, a sentence each, of what happens beside the runs: workers of a fleet that come and go. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** `PATH`, where programs are sought, and what reaches databases, such as `PGPASSWORD` (default: those of this process). */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Where the recording of a new experiment goes. */
export interface NewRunOptions extends RunOptions {
  /** Folder of the recording (default: a new one in `.deadheat` of the current folder). */
  readonly output?: string | null | undefined;
}

/** What is run of an experiment. */
export interface ReadOptions extends Pick<RunOptions, 'variables'> {
  /** What of it, and what is otherwise than it says. */
  readonly narrowing?: Partial<Narrowing> | undefined;
}

/** What is run of an experiment, and where. */
export interface ExperimentOptions extends NewRunOptions, ReadOptions {
  /** Runs one part of the runs here, for `deadheat merge`; without a seed its `experiment` is needed. */
  readonly part?: PartOptions | undefined;
  /** Has the runs executed by the workers of a fleet; docs/fleet.md. */
  readonly fleet?: FleetRequest | undefined;
}

/** A comparison of two commands. */
export interface CompareOptions extends ExperimentSettings, NewRunOptions {
  /** The baseline. */
  readonly a: SideDescription;
  /** The candidate; without it A is compared with itself. */
  readonly b?: SideDescription | undefined;
}

/** A key of a file: `maxTime` is `max-time`. */
export function fileKey(key: string): string {
  return key.replaceAll(/([a-z])([A-Z])/g, (_, before: string, letter: string) => `${before}-${letter.toLowerCase()}`);
}

/** A key as the library names it: `max-time` is `maxTime`. */
export function libraryKey(key: string): string {
  return key.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const named: ReadonlySet<string> = new Set(['environment', 'matrix', 'artifacts'] satisfies Named[]);

/** A description with the keys of a file. Names of benchmarks, parameters and variables stay as they are; absent stays absent. */
export function toFileKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toFileKeys(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.map(([key, inner]): [string, unknown] => {
      if (named.has(key)) return [key, inner];
      if (key === 'benchmarks' && typeof inner === 'object' && inner !== null) {
        return [key, Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, toFileKeys(one)]))];
      }
      return [fileKey(key), toFileKeys(inner)];
    }),
  );
}
