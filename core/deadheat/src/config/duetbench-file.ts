import { z } from 'zod';
import { containerEngineSchema, type ContainerEngineName } from '@deadheat/model';
import {
  countSchema,
  flagSchema,
  artifactsSchema,
  lineSchema,
  mapSchema,
  textSchema,
  wordSchema,
  type Text,
} from '../settings/scalars.ts';

/*
 * Content of a file of duetbench (T. Drozdik, Asynchronous Duet Benchmarking, thesis 2023, section 3.2; key names as in
 * the package `duet`, config.py).
 */

export type DuetbenchSchedule = 'sequential' | 'randomized_interleaving_trials';

/** Said for the suite, a benchmark or a side; what is said further in counts. */
export interface DuetbenchProgram {
  readonly run_base?: string | undefined;
  readonly syncduet_run_base?: string | undefined;
  readonly image?: string | undefined;
  /** Paths in the container. */
  readonly results?: readonly string[] | undefined;
}

/** Said for the suite or a benchmark. */
export interface DuetbenchCounts extends DuetbenchProgram {
  readonly suite?: Text | undefined;
  readonly duet_repetitions?: number | undefined;
  readonly syncduet_repetitions?: number | undefined;
  readonly sequential_repetitions?: number | undefined;
  /** Seconds of a run; 0 = none. */
  readonly timeout?: number | undefined;
  readonly schedule?: DuetbenchSchedule | undefined;
  readonly remove_containers?: boolean | undefined;
}

export interface DuetbenchSuite extends DuetbenchCounts {
  readonly name?: Text | undefined;
  readonly verbose?: boolean | undefined;
  readonly seed?: Text | undefined;
  readonly duets: readonly string[];
  readonly docker_command?: ContainerEngineName | undefined;
  readonly artifacts?: Readonly<Record<string, string>> | undefined;
}

export interface DuetbenchSide extends DuetbenchProgram {
  readonly run: string;
}

export interface DuetbenchBenchmark extends DuetbenchCounts {
  readonly A: DuetbenchSide;
  readonly B?: DuetbenchSide | undefined;
}

/** A base may be empty: then `run` is the whole command. */
const base = z.string({ error: 'a text' });
const program = {
  run_base: base.optional(),
  syncduet_run_base: base.optional(),
  image: lineSchema.optional(),
  results: z.array(lineSchema, { error: 'a list of paths in the container' }).optional(),
};
const counts = {
  ...program,
  remove_containers: flagSchema.optional(),
  suite: textSchema.optional(),
  duet_repetitions: countSchema(0).optional(),
  syncduet_repetitions: countSchema(0).optional(),
  sequential_repetitions: countSchema(0).optional(),
  timeout: z.number({ error: 'a number of seconds' }).optional(),
  schedule: wordSchema(['sequential', 'randomized_interleaving_trials']).optional(),
};

export const duetbenchSuiteSchema: z.ZodType<DuetbenchSuite> = mapSchema({
  ...counts,
  docker_command: wordSchema(containerEngineSchema.options).optional(),
  name: textSchema.optional(),
  verbose: flagSchema.optional(),
  seed: textSchema.optional(),
  duets: z.array(lineSchema, { error: 'a list of names of benchmarks' }).min(1, { error: 'at least one benchmark' }),
  artifacts: artifactsSchema.optional(),
});

const side = mapSchema({ ...program, run: lineSchema });

export const duetbenchBenchmarkSchema: z.ZodType<DuetbenchBenchmark> = mapSchema({
  ...counts,
  A: side,
  B: side.optional(),
});
