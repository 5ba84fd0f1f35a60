import {
  containerEngineSchema,
  correctionSchema,
  scheduleSchema,
  type ContainerEngineName,
  type FamilyCorrection,
  type Schedule,
} from '@deadheat/model';
import { z } from 'zod';
import type { Amounts } from './amounts.ts';
import { anyText, choice, count, flagKind, orWord } from './kinds.ts';
import type { Flag, Option } from './option.ts';
import { parseCpus } from './parse-values.ts';
import { artifactsSchema, lineSchema, textSchema, type Text } from './scalars.ts';
import { type ProgramOf, programTable, type WorkloadOf, workloadTable } from './program-table.ts';
import { flagOf, ordinary, settingsTable, type SettingsOf, type TimeoutsOf } from './settings-table.ts';

/*
 * The settings of a whole experiment, besides those of how its benchmarks are measured and judged.
 */

/** The settings that only the top level may hold. */
export interface ExperimentLayer {
  readonly name?: Text | undefined;
  readonly seed?: Text | undefined;
  readonly schedule?: Schedule | undefined;
  readonly machines?: number | readonly string[] | undefined;
  readonly cpus?: readonly number[] | undefined;
  readonly lanes?: number | 'all' | undefined;
  readonly engine?: ContainerEngineName | undefined;
  readonly artifacts?: Readonly<Record<string, string>> | undefined;
  readonly correction?: FamilyCorrection | undefined;
  readonly control?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly 'show-output'?: boolean | undefined;
}
export type ExperimentKey = keyof ExperimentLayer;

/** Keys of the outermost level besides the benchmarks. */
export interface OutermostOf<In extends Amounts>
  extends ProgramOf<In>, WorkloadOf<In>, Omit<SettingsOf<In>, 'timeouts'>, ExperimentLayer {
  readonly timeouts?: (TimeoutsOf<In> & { readonly experiment?: In['duration'] | 'none' | undefined }) | undefined;
}

export const experimentTable: { readonly [Key in ExperimentKey]-?: Option<NonNullable<ExperimentLayer[Key]>> } = {
  name: {
    schema: textSchema,
    help: 'name of the experiment and of its recording',
    fallback: "the file's folder",
    flags: [],
  },
  seed: {
    ...ordinary('seed', { kind: anyText, flags: '--seed <TEXT>', group: 'execution' }),
    help: 'seed of all random choices; the same seed gives the same choices',
    fallback: 'a new seed, which is shown',
  },
  schedule: {
    ...ordinary('schedule', {
      kind: choice(scheduleSchema.options),
      flags: '--schedule <ORDER>',
      group: 'execution',
    }),
    help: 'randomized-interleaving = the runs of all benchmarks and methods in rounds of random order; sequential = one benchmark and method after another',
    fallback: 'randomized-interleaving',
  },
  machines: {
    schema: z.union(
      [
        count(1).schema,
        z
          .array(lineSchema, { error: 'a list of names' })
          .min(1, { error: 'at least one name' })
          .refine((names) => new Set(names).size === names.length, { error: 'different names' }),
      ],
      { error: 'a number of machines or a list of their names' },
    ),
    help: 'the machines among which the runs of each benchmark are divided, a number or their names: deadheat ci matrix and --part make parts for each of them',
    fallback: 'one for each part',
    page: 'hosts.md',
    flags: [],
  },
  cpus: {
    schema: z
      .array(count(0).schema, { error: 'CPU numbers such as [0, 1]' })
      .min(1, { error: 'at least one CPU number' })
      .refine((cpus) => new Set(cpus).size === cpus.length, { error: 'different CPU numbers such as [0, 1]' }),
    help: "the cores to use, such as 0,1,2: those of tandems and of the method alone; in a duet first A's core, then B's",
    fallback: 'deadheat chooses',
    flags: [{ ...flagOf('--cpus <LIST>', 'execution', ['cpus']), parse: parseCpus('--cpus') }],
  },
  lanes: {
    ...ordinary('lanes', {
      kind: orWord(count(1), ['all'], 'a whole number of at least 1, or all'),
      flags: '--lanes <N>',
      group: 'execution',
    }),
    help: 'number of tandems that run at the same time, each on a core of its own; all = one for every core',
    fallback: 'number of cores where all are quiet, else minus one, at least 1',
    page: 'tandem.md#lanes',
  },
  engine: {
    ...ordinary('engine', {
      kind: choice(containerEngineSchema.options),
      flags: '--engine <ENGINE>',
      group: 'execution',
    }),
    help: 'the program that runs containers: podman or docker',
    fallback: 'the one that is installed, podman before docker',
    page: 'containers.md',
  },
  artifacts: {
    schema: artifactsSchema,
    help: 'a map of names to shell commands; the output of each command is stored with the results',
    fallback: 'none',
    flags: [],
  },
  correction: {
    ...ordinary('correction', {
      kind: choice(correctionSchema.options),
      flags: '--correction <NAME>',
      group: 'exit',
    }),
    help: 'how the rate of false alarms is controlled when there are several benchmarks: holm, benjamini-hochberg or none',
    fallback: 'holm',
    page: 'gate.md',
  },
  control: {
    ...ordinary('control', { kind: flagKind, flags: '--control', group: 'exit' }),
    help: 'also compare A with itself, beside each comparison; if that comparison shows a difference, no verdict is given (exit code 5)',
    fallback: 'false',
    page: 'gate.md',
  },
  strict: {
    ...ordinary('strict', { kind: flagKind, flags: '--strict', group: 'exit' }),
    help: 'exit with code 4 when one side lacks a benchmark that the other side has',
    fallback: 'false',
    page: 'gate.md',
  },
  'show-output': {
    ...ordinary('show-output', { kind: flagKind, flags: '--show-output', group: 'execution' }),
    help: 'show the output of the programs on the terminal',
    fallback: 'false',
  },
};

type Documented = Readonly<Record<string, Pick<Option<never>, 'flags' | 'help' | 'fallback'>>>;

/** The tables of all options, those of the subject first. */
export const optionTables: Readonly<Record<'workload' | 'program' | 'settings' | 'experiment', Documented>> = {
  workload: workloadTable,
  program: programTable,
  settings: settingsTable,
  experiment: experimentTable,
};

/** Every option of an experiment by its key. */
export const optionTable: Documented = Object.assign({}, ...Object.values(optionTables)) as Documented;

/** Every flag of an experiment, with its help, in the order of the tables. */
export const experimentFlags: readonly (Flag & { readonly help: string; readonly fallback: string | null })[] =
  Object.values(optionTable).flatMap((option) => flagsOf(option));

function flagsOf({
  flags,
  help,
  fallback,
}: Pick<Option<never>, 'flags' | 'help' | 'fallback'>): typeof experimentFlags {
  // A flag with a help text of its own names its default in that text; a flag without a value is off by default.

  return flags.map((flag) => ({
    help,
    ...flag,
    fallback: flag.help === undefined && flag.parse !== null ? fallback : null,
  }));
}
