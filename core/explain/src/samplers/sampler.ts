import type { Runtime } from '@deadheat/engine';
import type { SampledRun } from '../sampled-run.ts';

/** A program that can be started. */
export interface Program {
  /** Path of the program, and its arguments. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Where a sampler writes, and how often it samples. */
export interface SamplingPlace {
  /** An empty folder of the run. */
  readonly folder: string;
  /** Time between two samples, ns. */
  readonly intervalNs: number;
  /** Executions in one start, one after the other; more than one only for samplers that repeat. */
  readonly executions: number;
}

/** The sampler of a runtime. */
export interface Sampler {
  /** The runtime in output: `node`, `native`. */
  readonly runtime: Runtime;
  /** Name for sentences: `the CPU profiler of V8`. */
  readonly name: string;
  /** Shortest time between samples, ns: at less, sampling itself takes more than a tenth of the time. */
  readonly leastIntervalNs: number;
  /** `true` = one start of it can execute a program several times. */
  readonly repeats: boolean;
  /** Looks whether it can work here. @throws DeadheatError `SAMPLER_MISSING` or `SAMPLER_REFUSED` */
  check(folder: string): Promise<void>;
  /** The program with the sampler in it. */
  launch(program: Program, place: SamplingPlace): Program;
  /** The samples of one or more executions that ended. @throws DeadheatError `PROFILE_MISSING` or `PROFILE_MALFORMED` */
  read(folder: string): Promise<SampledRun>;
}

/** Environment with a value put before what a variable holds. */
export function withFirst(
  environment: Readonly<Record<string, string>>,
  { name, value, separator }: { readonly name: string; readonly value: string; readonly separator: string },
): Readonly<Record<string, string>> {
  const before = environment[name] ?? '';
  return { ...environment, [name]: before === '' ? value : `${value}${separator}${before}` };
}
