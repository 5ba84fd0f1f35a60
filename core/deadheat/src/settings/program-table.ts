import {
  askedMethodSchema,
  builtInParserSchema,
  sides,
  timeUnitSchema,
  workloadSchema,
  type AskedMethod,
  type TimeUnit,
  type Workload,
} from '@deadheat/model';
import { z } from 'zod';
import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Amounts, Parsed } from './amounts.ts';
import { line } from './kinds.ts';
import { describedShape, type Flag, type Option } from './option.ts';
import { badValue, listWords, parseChoices } from './parse-values.ts';
import { flagSchema, lineSchema, mapSchema, memorySchema, textSchema, wordSchema, type Text } from './scalars.ts';
import { flagOf, ordinary, settingsTable, type SettingsOf } from './settings-table.ts';

/*
 * The options that describe programs and the kind of a workload. An experiment and its benchmarks may hold them, those of a program
 * also a side.
 */

/** Keys of the program, on any level. */
export interface ProgramOf<In extends Amounts> {
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly scratch?: string | undefined;
  readonly results?: string | undefined;
  readonly environment?: Readonly<Record<string, Text>> | undefined;
  readonly shell?: string | undefined;
  readonly image?: string | undefined;
  readonly limits?: { readonly cpus?: number | undefined; readonly memory?: In['memory'] | undefined } | undefined;
  readonly network?: string | undefined;
  readonly writable?: boolean | undefined;
  readonly keep?: readonly string[] | undefined;
  readonly build?: string | undefined;
  readonly setup?: string | undefined;
  readonly prepare?: string | undefined;
  readonly conclude?: string | undefined;
  readonly cleanup?: string | undefined;
}

/** Keys of a side. */
export interface SideOf<In extends Amounts> extends ProgramOf<In> {
  readonly name?: Text | undefined;
}

/** A list of methods, or a map of methods and what differs for them. */
export type MethodsOf<In extends Amounts> =
  readonly AskedMethod[] | Readonly<Partial<Record<AskedMethod, SettingsOf<In> | null>>>;

/** Names of versions, or a map of their names and the keys of their sides, or their commands. */
export type VersionsOf<In extends Amounts> = readonly Text[] | Readonly<Record<string, string | ProgramOf<In> | null>>;

/** Keys of the experiment and of a benchmark besides settings and program. */
export interface WorkloadOf<In extends Amounts> {
  readonly workload?: Workload | undefined;
  readonly lines?: { readonly pattern: string; readonly unit: TimeUnit } | undefined;
  readonly parser?: string | undefined;
  readonly input?: string | undefined;
  readonly matrix?: Readonly<Record<string, readonly Text[]>> | undefined;
  readonly versions?: VersionsOf<In> | undefined;
  readonly methods?: MethodsOf<In> | undefined;
}

type Entries<Layer> = { readonly [Key in keyof Layer]-?: Option<NonNullable<Layer[Key]>> };

export const programTable: Entries<ProgramOf<Parsed>> = {
  command: {
    schema: lineSchema,
    help: 'what is executed and timed; {NAME} stands for a parameter of the matrix, and the word side between braces for A or B',
    fallback: null,
    flags: [],
  },
  cwd: {
    ...ordinary('cwd', { kind: line('the name of a folder'), flags: '--cwd <DIR>', group: 'execution' }),
    help: 'folder in which the command and its hooks are executed; with an image, a folder of the container',
    fallback: 'the folder of the file, or the current folder',
  },
  scratch: {
    ...ordinary('scratch', { kind: line('the name of a folder'), flags: '--scratch <DIR>', group: 'execution' }),
    help: 'give each side a copy of this folder, and execute its command and its hooks there; the copies are removed at the end',
    fallback: 'none',
    page: 'tandem.md#sides-that-meet',
  },
  results: {
    ...ordinary('results', { kind: line('the name of a file'), flags: '--results <FILE>', group: 'subject' }),
    help: 'file that the program writes and the parser reads, instead of what it prints; * stands for any text',
    fallback: 'what it prints',
    page: 'parsers.md',
  },
  environment: {
    schema: z.record(z.string(), textSchema, { error: 'a map of variables' }),
    help: 'variables in the environment of the command and its hooks; those of inner levels are added',
    fallback: 'none',
    flags: [
      {
        flags: '--environment <NAME=VALUE>',
        group: 'execution',
        help: 'variable in the environment of the commands and their hooks; may be repeated',
        parse: (typed) => {
          if (/^[^=]+=/.test(typed)) return typed;
          throw badValue('--environment', typed, { allowed: 'NAME=VALUE' });
        },
        repeats: true,
        place: (typed) => ['environment', String(typed).replace(/=.*$/s, '')],
        keeps: (typed) => String(typed).replace(/^[^=]+=/, ''),
      },
    ],
  },
  shell: {
    schema: lineSchema,
    help: 'shell that starts the command: default (/bin/sh, only for commands with shell syntax), none, or the command line of a shell',
    fallback: 'default',
    flags: [
      flagOf('-S, --shell <SHELL>', 'execution', ['shell'], line('default, none or the command line of a shell')),
      { ...flagOf('-N', 'execution', ['shell']), stands: 'none', help: 'use no shell: the same as --shell=none' },
    ],
  },
  image: {
    ...ordinary('image', { kind: line('the name of an image'), flags: '--image <IMAGE>', group: 'execution' }),
    help: 'image of the container in which the command is executed; it must already be on this machine',
    fallback: 'none',
    page: 'containers.md',
  },
  limits: {
    schema: mapSchema({
      cpus: z
        .number({ error: 'a number above 0' })
        .gt(0, { error: 'a number above 0' })
        .optional()
        .describe('Most CPU time in each second, in CPUs: 0.5.'),
      memory: memorySchema.optional().describe('Most memory: 2g.'),
    }),
    help: 'limits of a container: cpus and memory',
    fallback: 'none',
    page: 'containers.md',
    flags: [],
  },
  network: {
    schema: lineSchema,
    help: "network of a container, by the engine's name",
    fallback: 'none',
    page: 'containers.md',
    flags: [],
  },
  writable: {
    schema: flagSchema,
    help: 'true if programs may write to the files of their image, and not only to /tmp',
    fallback: 'false',
    page: 'containers.md',
    flags: [],
  },
  keep: {
    schema: z.array(lineSchema, { error: 'a list of paths in the container' }),
    help: 'files and folders of a container that are copied out after every run',
    fallback: 'none',
    page: 'containers.md',
    flags: [],
  },
  build: {
    schema: lineSchema,
    help: 'shell command to execute once, before everything else of a benchmark',
    fallback: 'none',
    flags: [],
  },
  setup: onceHook('setup', { when: 'before', flags: '-s, --setup <CMD>' }),
  prepare: runHook('prepare', { when: 'before', flags: '-p, --prepare <CMD>' }),
  conclude: runHook('conclude', { when: 'after', flags: '-C, --conclude <CMD>' }),
  cleanup: onceHook('cleanup', { when: 'after', flags: '-c, --cleanup <CMD>' }),
};

const aVersion = { error: 'a command or a map' };
const twoVersions = { error: 'two versions or more' };

export const workloadTable: Entries<WorkloadOf<Parsed>> = {
  workload: {
    schema: wordSchema(workloadSchema.options),
    help: 'command = the program is timed as a whole; harness = it measures the times of its own iterations; lines = it prints or writes its times',
    fallback: 'command; lines with a parser',
    page: 'harness.md',
    flags: [
      {
        ...flagOf('--harness', 'subject', ['workload']),
        stands: workloadSchema.enum.harness,
        help: 'the commands measure the times of their own iterations: they are bench files of @deadheat/harness, or programs that follow the workload protocol',
      },
    ],
  },
  lines: {
    schema: mapSchema({
      pattern: lineSchema.describe('Regular expression with the groups start, end, duration or time.'),
      unit: wordSchema(timeUnitSchema.options).describe('Unit of all groups.'),
    }),
    help: 'how iterations are found in what the program prints: a regular expression with the groups start and end, one of them and duration, or time alone; and the unit of its groups',
    fallback: 'none',
    page: 'parsers.md',
    flags: [],
  },
  parser: {
    ...ordinary('parser', {
      kind: line('the name or the path of a parser'),
      flags: '--parser <NAME>',
      group: 'subject',
    }),
    help: `how iterations are found in the output of the program: ${listWords(builtInParserSchema.options)}, or a module such as ./parser.js`,
    fallback: 'none',
    page: 'parsers.md',
  },
  input: {
    ...ordinary('input', { kind: line('the name of a file'), flags: '--input <FILE>', group: 'subject' }),
    help: 'file that both commands read as standard input; typed beside commands, - is what deadheat itself reads there',
    fallback: '/dev/null',
  },
  matrix: {
    schema: z.record(
      z.string(),
      z.array(textSchema, { error: 'a list of values' }).min(1, { error: 'at least one value' }),
      { error: 'a map of parameters and lists of values' },
    ),
    help: 'parameters and their values: one comparison for each combination; {NAME} stands for a value in commands, names, hooks, folders and variables, as it is written: 1.10 stays 1.10',
    fallback: 'none',
    flags: [],
  },
  versions: {
    schema: z.union(
      [
        z.array(textSchema).refine(({ length }) => length > 1, twoVersions),
        z
          .record(z.string(), z.union([z.null(), lineSchema, mapSchema(describedShape(programTable))], aVersion))
          .refine((versions) => Object.keys(versions).length > 1, twoVersions),
      ],
      { error: 'a list of versions, or a map of versions and their commands or keys of a program' },
    ) as unknown as z.ZodType<VersionsOf<Parsed>>,
    help: 'versions of the programs in place of A and B: each is compared with the first one, and its name is the parameter version',
    fallback: 'A and B',
    page: 'configuration.md#versions',
    flags: [],
  },
  methods: {
    schema: z.union(
      [
        z
          .array(wordSchema(askedMethodSchema.options))
          .min(1, { error: 'at least one of auto, tandem, alone, async-tandem, sync-duet, async-duet and sequential' }),
        mapSchema(
          Object.fromEntries(
            askedMethodSchema.options.map((name) => [
              name,
              z
                .union([z.null(), mapSchema(describedShape(settingsTable))], { error: 'a map of settings' })
                .optional()
                .describe(`Settings that differ for ${name}.`),
            ]),
          ),
        ),
      ],
      { error: 'a list of methods, or a map of methods and their settings' },
    ),
    help: 'how the two commands are run: tandem, alone, async-tandem, sync-duet, async-duet, sequential, or auto, which chooses from a few pilot runs; several of them, or a map of them with settings of their own',
    fallback: 'auto; sync-duet with {swap}, {fill} and the like',
    page: 'tandem.md',
    flags: [
      {
        ...flagOf('--method <METHODS>', 'execution', ['methods'], {
          schema: z.unknown(),
          parse: (flag) => parseChoices(flag, askedMethodSchema.options),
        }),
        help: 'how the two commands are run: tandem, alone, async-tandem, sync-duet, async-duet, sequential, or auto, which chooses from a few pilot runs; several with commas between them (default: auto)',
      },
    ],
  },
};

interface Hook {
  readonly when: 'before' | 'after';
  readonly flags: string;
}

function onceHook(key: string, { when, flags }: Hook): Option<string> {
  return {
    ...ordinary(key, { kind: line('a command'), flags, group: 'execution' }),
    help: `shell command to execute once for each side, ${when} its ${when === 'before' ? 'first' : 'last'} run`,
    fallback: 'none',
  };
}

/** A hook that may differ between the sides: typed once it is for both, typed twice it is A's first. */
function runHook(key: string, { when, flags }: Hook): Option<string> {
  const help = `shell command to execute ${when} every run of its side`;
  const flag: Flag = {
    ...flagOf(flags, 'execution', [key], line('a command')),
    help: `${help}; give it once for each command, in their order, or once for all`,
    repeats: true,
    place: (typed, { index, count }) => {
      const side = sides[index];
      if (count === 1) return [key];
      if (side !== undefined && count === sides.length) return [side, key];
      throw tooMany(`--${key}`, { count, last: String(typed) });
    },
  };
  return { schema: lineSchema, help, fallback: 'none', flags: [flag] };
}

/** @returns the error for an option of the sides that was given neither once nor for each of them */
export function tooMany(flag: string, { count, last }: { readonly count: number; readonly last: string }): UsageError {
  return new UsageError('BAD_VALUE', `${flag} can be given once for both commands or twice, not ${count} times`, {
    excerpt: createExcerpt([flag, last], { at: 1 }),
  });
}
