import type { PartOptions } from '@deadheat/engine';
import type { Experiment, Progress, Report, Trial, Verdict, Waiver, Warning } from '@deadheat/model';
import type { Duration, Share, Written } from '../settings/amounts.ts';
import type { ExperimentLayer, OutermostOf } from '../settings/experiment-table.ts';
import type { CamelCase } from '../settings/layer-of-flags.ts';
import type { ProgramOf, WorkloadOf } from '../settings/program-table.ts';
import type { Text } from '../settings/scalars.ts';
import type { SettingsOf } from '../settings/settings-table.ts';
import type { FleetRequest } from './fleet.ts';

/** Maps whose keys are names of the person's own. */
type Named = 'environment' | 'matrix' | 'artifacts';

/** The keys of a file as JavaScript names them: `max-time` is `maxTime`. */
type Camel<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? {
        readonly [Key in keyof Value as Key extends string ? CamelCase<Key> : never]: Key extends Named
          ? Value[Key]
          : Key extends 'benchmarks' | 'versions'
            ? ByName<Value[Key]>
            : Camel<Value[Key]>;
      }
    : Value;

/** Descriptions by names of the person's own. */
type ByName<Value> = Value extends readonly unknown[] ? Value : { readonly [Name in keyof Value]: Camel<Value[Name]> };

/** Settings of measuring and judging a benchmark. */
export type MeasuringOptions = Camel<SettingsOf<Written>>;

/** The programs of a benchmark, and where they are executed. */
export type ProgramOptions = Camel<ProgramOf<Written>>;

/** The kind of the programs, their parameters and the methods by which they are compared. */
export type WorkloadOptions = Camel<WorkloadOf<Written>>;

/** The options that only a whole experiment has. */
export type ExperimentOnlyOptions = Camel<ExperimentLayer>;

/** Every option of an experiment: the keys of docs/configuration.md in camel case. */
export interface ExperimentSettings extends ProgramOptions, WorkloadOptions, MeasuringOptions, ExperimentOnlyOptions {
  /** Time limits of one iteration, of one run and of the whole experiment. */
  readonly timeouts?: Camel<OutermostOf<Written>['timeouts']>;
}

/** A side of a benchmark with what is its own. */
export interface BenchmarkSide extends ProgramOptions {
  /** Name of the side in reports (default: its command line). */
  readonly name?: Text | undefined;
}

/** A side with what is its own. */
export interface SideOptions extends BenchmarkSide {
  /** Command line of the program that is executed and timed. */
  readonly command: string;
}

/** One side: its command line, or its command line with what is its own. */
export type SideDescription = string | SideOptions;

/** One benchmark of an experiment; what it does not say is as the experiment says. */
export interface BenchmarkDescription extends ProgramOptions, WorkloadOptions, MeasuringOptions {
  /** Excuses this benchmark from failing a pipeline until a day. */
  readonly waiver?: Waiver | undefined;
  /** The baseline. */
  readonly A?: string | BenchmarkSide | undefined;
  /** The candidate; without it A is compared with itself. */
  readonly B?: string | BenchmarkSide | undefined;
}

/** An experiment of several benchmarks: what a deadheat.yaml holds. */
export interface ExperimentDescription extends ExperimentSettings {
  /** The benchmarks by their names; `null` = one that says nothing of its own. */
  readonly benchmarks: Readonly<Record<string, BenchmarkDescription | null>>;
}

/** An event of a running experiment. No event is emitted while a run is timed. */
export type ExperimentEvent =
  | {
      /** The experiment begins. */
      readonly kind: 'experiment-started';
      /** Folder of its recording. */
      readonly directory: string;
      /** The experiment; `experiment.json` in its folder holds all of it. */
      readonly experiment: Pick<Experiment, 'id' | 'startedAt'>;
      /** Runs that were recorded before, of an experiment that is continued. */
      readonly resumedTrials: number;
    }
  | {
      /** A run is over. */
      readonly kind: 'trial-finished';
      /** The run. */
      readonly trial: Pick<
        Trial,
        'trial' | 'benchmark' | 'method' | 'run' | 'phase' | 'status' | 'failures' | 'wallNs'
      >;
      /** Progress of its benchmark. */
      readonly progress: Progress;
    }
  | {
      /** A warning was raised. */
      readonly kind: 'warning';
      /** The warning. */
      readonly warning: Warning;
    }
  | {
      /** The experiment is over. */
      readonly kind: 'experiment-finished';
      /** Folder of its recording. */
      readonly directory: string;
      /** Its report. */
      readonly report: Report;
    };

/** Options of running any experiment. */
export interface RunOptions {
  /** Ends the experiment in order; what was recorded stays, and `resume` goes on with it. */
  readonly signal?: AbortSignal | undefined;
  /** Is called with every event; never while a run is timed. */
  onProgress?(this: void, event: ExperimentEvent): void;
  /** Is called with a sentence about each event beside the runs, such as a worker of a fleet that joins or leaves. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** `PATH`, where programs are sought, and what reaches databases, such as `PGPASSWORD` (default: those of this process). */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Where the recording of a new experiment goes. */
export interface NewRunOptions extends RunOptions {
  /** Folder of the recording (default: a new one in `.deadheat` of the current folder). */
  readonly output?: string | null | undefined;
}

/** Options that change an experiment that is described elsewhere. */
export interface ReadOptions extends Pick<RunOptions, 'variables'> {
  /** Settings that override those of the experiment, of its benchmarks and of their sides. */
  readonly settings?: ExperimentSettings | undefined;
  /** Names of the only benchmarks that are run; `*` stands for any text. */
  readonly filter?: readonly string[] | undefined;
}

/** Options of an experiment that is described elsewhere. */
export interface ExperimentOptions extends NewRunOptions, ReadOptions {
  /** Runs one part of the runs here, for `deadheat ci merge`; without a seed its `experiment` is needed. */
  readonly part?: PartOptions | undefined;
  /** Place where the runs are executed: this machine, or the workers of a fleet; docs/fleet.md (default: `here`). */
  readonly on?: 'here' | FleetRequest | undefined;
}

/** A comparison of two commands. */
export interface CompareOptions extends ExperimentSettings, NewRunOptions {
  /** The baseline. */
  readonly a: SideDescription;
  /** The candidate; without it A is compared with itself. */
  readonly b?: SideDescription | undefined;
}

/** A comparison of two functions of the calling program. */
export interface CompareFunctionsOptions {
  /** The baseline; what it returns is awaited where it is a promise. */
  readonly a: () => unknown;
  /** The candidate. */
  readonly b: () => unknown;
  /** Largest difference that does not matter: a share (default: 5%; less may be a matter of how the code was compiled). */
  readonly margin?: Share | undefined;
  /** Time for the measurement, which ends earlier where it is decided (default: 10s for two processes, 2s for one). */
  readonly maxTime?: Duration | undefined;
  /** Where they are executed: two processes that load the calling module again, or the calling process (default: two processes where they reach the call). */
  readonly method?: FunctionComparison['method'] | undefined;
}

/** The result of a comparison of two functions. */
export interface FunctionComparison {
  /** Answer of the comparison: B is slower, B is faster, a dead heat, or undecided. */
  readonly verdict: Verdict;
  /** The ratio of times B / A with its interval of 95 %; in one process it holds at every interim analysis together. */
  readonly interval: { readonly estimate: number; readonly low: number; readonly high: number };
  /** The times that were compared: CPU time, or wall time where a function waits. */
  readonly metric: 'cpu' | 'time';
  /**
   * Where the functions were executed: in two processes that loaded the calling module again and were paired as commands are, or in the calling
   * process, in blocks of a drawn order and its reverse.
   */
  readonly method: 'two-processes' | 'one-process';
  /** Blocks, or pairs of processes, that were measured. */
  readonly blocks: number;
  /** The ratio, its interval, both times and how they were measured, in a sentence. */
  readonly sentence: string;
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
      const isByName = key === 'benchmarks' || (key === 'versions' && !Array.isArray(inner));
      if (isByName && typeof inner === 'object' && inner !== null) {
        return [key, Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, toFileKeys(one)]))];
      }
      return [fileKey(key), toFileKeys(inner)];
    }),
  );
}
