import {
  askedMethodSchema,
  containerEngineSchema,
  correctionSchema,
  scheduleSchema,
  workloadSchema,
  type ContainerEngineName,
  type FamilyCorrection,
  type Schedule,
} from '@deadheat/model';
import { z } from 'zod';
import { anyText, choice, count, flagKind, line, orWord } from './kinds.ts';
import type { Flag, Option } from './option.ts';
import { parseCpus } from './parse-values.ts';
import { lineSchema, textSchema, type Text } from './scalars.ts';
import { flagOf, ordinary, settingsTable } from './settings-table.ts';

/*
 * What can be said of a whole experiment besides how its benchmarks are measured and judged, and the flags that say what a
 * benchmark is.
 */

/** What is said on the outermost level only. */
export interface ExperimentLayer {
  readonly name?: Text | undefined;
  readonly seed?: Text | undefined;
  readonly schedule?: Schedule | undefined;
  readonly cpus?: readonly number[] | undefined;
  readonly lanes?: number | 'all' | undefined;
  readonly engine?: ContainerEngineName | undefined;
  readonly artifacts?: Readonly<Record<string, string>> | undefined;
  readonly correction?: FamilyCorrection | undefined;
  readonly control?: boolean | undefined;
  readonly 'show-output'?: boolean | undefined;
}
export type ExperimentKey = keyof ExperimentLayer;

export const experimentTable: { readonly [Key in ExperimentKey]-?: Option<NonNullable<ExperimentLayer[Key]>> } = {
  name: {
    schema: textSchema,
    help: 'name of the experiment and of its recording',
    fallback: "the file's folder",
    flags: [],
  },
  seed: {
    ...ordinary('seed', { kind: anyText, flags: '--seed <TEXT>', group: 'execution' }),
    help: 'everything random comes from it',
    fallback: 'a new one, shown',
  },
  schedule: {
    schema: choice(scheduleSchema.options).schema,
    help: 'runs of all benchmarks and methods in random rounds, or one benchmark and method after another',
    fallback: 'randomized-interleaving',
    flags: [],
  },
  cpus: {
    schema: z
      .array(count(0).schema, { error: 'CPU numbers such as [0, 1]' })
      .min(1, { error: 'at least one CPU number' })
      .refine((cpus) => new Set(cpus).size === cpus.length, { error: 'different CPU numbers such as [0, 1]' }),
    help: "cores of tandems, such as 0,1,2; in a duet A's, then B's",
    fallback: 'chosen',
    flags: [{ ...flagOf('--cpus <LIST>', 'execution', ['cpus']), parse: parseCpus('--cpus') }],
  },
  lanes: {
    ...ordinary('lanes', {
      kind: orWord(count(1), ['all'], 'a whole number of at least 1, or all'),
      flags: '--lanes <N>',
      group: 'execution',
    }),
    help: 'tandems at once, each on a core of its own; all takes every core',
    fallback: 'cores less one, at least 1',
    page: 'tandem.md#lanes',
  },
  engine: {
    schema: choice(containerEngineSchema.options).schema,
    help: 'what runs containers: podman or docker',
    fallback: 'what is there, podman first',
    page: 'containers.md',
    flags: [],
  },
  artifacts: {
    schema: z.record(z.string(), lineSchema, { error: 'a map of names and commands' }),
    help: 'names and shell commands, whose output is kept with the results',
    fallback: 'none',
    flags: [],
  },
  correction: {
    ...ordinary('correction', {
      kind: choice(correctionSchema.options),
      flags: '--correction <NAME>',
      group: 'exit',
    }),
    help: 'how false alarms are controlled over several benchmarks: holm, benjamini-hochberg or none',
    fallback: 'holm',
    page: 'gate.md',
  },
  control: {
    ...ordinary('control', { kind: flagKind, flags: '--control', group: 'exit' }),
    help: 'also measure A against itself, beside each comparison; where that differs, nothing is judged (exit 5)',
    fallback: 'false',
    page: 'gate.md',
  },
  'show-output': {
    ...ordinary('show-output', { kind: flagKind, flags: '--show-output', group: 'execution' }),
    help: 'let the programs write to the terminal',
    fallback: 'false',
  },
};

/** Flags that say what is executed, by keys that a file has for programs and workloads. */
const programFlags: readonly Flag[] = [
  {
    ...flagOf('--input <FILE>', 'subject', ['input'], line('the name of a file')),
    help: 'standard input of both commands (default: /dev/null)',
  },
  {
    ...flagOf('--harness', 'subject', ['workload']),
    stands: workloadSchema.enum.harness,
    help: 'the commands time their own iterations: bench files of @deadheat/harness, or any program of the workload protocol',
    common: true,
  },
  {
    ...flagOf('--method <METHOD>', 'execution', ['methods'], choice(askedMethodSchema.options)),
    help: 'auto (default: pilot runs choose), tandem, sync-duet, async-duet or sequential',
    common: true,
  },
  {
    ...flagOf('-S, --shell <SHELL>', 'execution', ['shell'], line('default, none or the command line of a shell')),
    help: 'default (/bin/sh, only for commands with shell syntax), none, or a shell for all commands',
  },
  { ...flagOf('-N', 'execution', ['shell']), stands: 'none', help: 'no shell: the same as --shell=none' },
  {
    ...flagOf('-s, --setup <CMD>', 'execution', ['setup'], line('a command')),
    help: 'once for each side, before the first run',
    common: true,
  },
  {
    ...flagOf('-c, --cleanup <CMD>', 'execution', ['cleanup'], line('a command')),
    help: 'once for each side, after the last run',
  },
];

/** Every flag that says something of an experiment, with its help; the groups' order is that of the tables. */
export const experimentFlags: readonly (Flag & { readonly help: string; readonly fallback: string | null })[] = [
  ...programFlags.map((flag) => ({ help: '', ...flag, fallback: null })),
  ...Object.values(settingsTable).flatMap((option) => flagsOf(option)),
  ...Object.values(experimentTable).flatMap((option) => flagsOf(option)),
];

function flagsOf({
  flags,
  help,
  fallback,
}: Pick<Option<never>, 'flags' | 'help' | 'fallback'>): typeof experimentFlags {
  // A flag with a help of its own says its default itself; one without a value is off where it is not given.
  return flags.map((flag) => ({
    help,
    ...flag,
    fallback: flag.help === undefined && flag.parse !== null ? fallback : null,
  }));
}
