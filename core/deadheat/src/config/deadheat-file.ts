import { z } from 'zod';
import {
  askedMethodSchema,
  builtInParserSchema,
  timeUnitSchema,
  workloadSchema,
  type AskedMethod,
  type TimeUnit,
  type Waiver,
  type Workload,
} from '@deadheat/model';
import type { Amounts, Parsed } from '../settings/amounts.ts';
import { experimentTable, type ExperimentLayer } from '../settings/experiment-table.ts';
import { duration } from '../settings/kinds.ts';
import { lineSchema, mapSchema, memorySchema, textSchema, wordSchema, type Text } from '../settings/scalars.ts';
import { limit, settingsTable, timeoutShape, type SettingsOf, type TimeoutsOf } from '../settings/settings-table.ts';
import { withNames } from '../settings/layer-of-flags.ts';
import { listWords } from '../settings/words.ts';

/*
 * Content of a deadheat.yaml as it is written: an absent key is inherited from the level above, or is the default.
 * Durations are nanoseconds and shares are fractions here already.
 */

/** A list of methods, or a map of methods and what differs for them. */
export type MethodsOf<In extends Amounts> =
  readonly AskedMethod[] | Readonly<Partial<Record<AskedMethod, SettingsOf<In> | null>>>;
export type MethodsLayer = MethodsOf<Parsed>;

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
export type ProgramLayer = ProgramOf<Parsed>;

/** Keys of the experiment and of a benchmark besides settings and program. */
export interface WorkloadOf<In extends Amounts> {
  readonly workload?: Workload | undefined;
  readonly lines?: { readonly pattern: string; readonly unit: TimeUnit } | undefined;
  readonly parser?: string | undefined;
  readonly input?: string | undefined;
  readonly matrix?: Readonly<Record<string, readonly Text[]>> | undefined;
  readonly methods?: MethodsOf<In> | undefined;
}
export type WorkloadLayer = WorkloadOf<Parsed>;

export interface SideOf<In extends Amounts> extends ProgramOf<In> {
  readonly name?: Text | undefined;
}
export type SideLayer = SideOf<Parsed>;

export interface BenchmarkOf<In extends Amounts> extends ProgramOf<In>, WorkloadOf<In>, SettingsOf<In> {
  readonly waiver?: Waiver | undefined;
  readonly A?: SideOf<In> | undefined;
  readonly B?: SideOf<In> | undefined;
}
export type BenchmarkLayer = BenchmarkOf<Parsed>;

/** Keys of the outermost level besides the benchmarks. */
export interface OutermostOf<In extends Amounts>
  extends ProgramOf<In>, WorkloadOf<In>, Omit<SettingsOf<In>, 'timeouts'>, ExperimentLayer {
  readonly timeouts?: (TimeoutsOf<In> & { readonly experiment?: In['duration'] | 'none' | undefined }) | undefined;
}

/** A whole deadheat.yaml. */
export interface DeadheatFileOf<In extends Amounts> extends OutermostOf<In> {
  readonly benchmarks: Readonly<Record<string, BenchmarkOf<In> | null>>;
}
export type DeadheatFile = DeadheatFileOf<Parsed>;

const settings = shapeOf(settingsTable);

/** The schemas of a table's options, each optional and with what it does. */
function shapeOf<Key extends string>(
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

const methodName = wordSchema(askedMethodSchema.options);
const methods: z.ZodType<MethodsLayer> = z
  .union(
    [
      z.array(methodName).min(1, { error: 'at least one of auto, tandem, sync-duet, async-duet and sequential' }),
      mapSchema(
        Object.fromEntries(
          askedMethodSchema.options.map((name) => [
            name,
            z
              .union([z.null(), mapSchema(settings)], { error: 'a map of settings' })
              .optional()
              .describe(`Settings that differ for ${name}.`),
          ]),
        ),
      ),
    ],
    { error: 'a list of methods, or a map of methods and their settings' },
  )
  .describe('How the sides are executed against each other: auto, tandem, sync-duet, async-duet, sequential.');

const program = {
  command: lineSchema
    .optional()
    .describe('What is executed and timed; {NAME} stands for a parameter of the matrix, {side} for A or B.'),
  cwd: lineSchema
    .optional()
    .describe('Folder in which it is executed, from the folder of this file; with image, in the container.'),
  scratch: lineSchema
    .optional()
    .describe(
      'Folder of which each side gets a copy, where its command and hooks are executed; the copies are removed at the end.',
    ),
  results: lineSchema
    .optional()
    .describe('File that the program writes and the parser reads; without it what it prints. * stands for any text.'),
  environment: z
    .record(z.string(), textSchema, { error: 'a map of variables' })
    .optional()
    .describe('Variables; those of inner levels are added.'),
  shell: lineSchema
    .optional()
    .describe('default (/bin/sh, only for commands with shell syntax), none, or a shell for the command.'),
  image: lineSchema.optional().describe('Image of the container that it is executed in; it has to be here already.'),
  limits: mapSchema({
    cpus: z
      .number({ error: 'a number above 0' })
      .gt(0, { error: 'a number above 0' })
      .optional()
      .describe('Most CPU time in each second, in CPUs: 0.5.'),
    memory: memorySchema.optional().describe('Most memory: 2g.'),
  })
    .optional()
    .describe('Limits of a container.'),
  network: lineSchema.optional().describe("A container's network, by the engine's name (default: none)."),
  writable: z
    .boolean({ error: 'true or false' })
    .optional()
    .describe('Whether programs may write to the files of their image; else only to /tmp.'),
  keep: z
    .array(lineSchema, { error: 'a list of paths in the container' })
    .optional()
    .describe('Files and folders of a container that are copied out after every run.'),
  build: lineSchema.optional().describe('Shell command, once before everything else of a benchmark.'),
  setup: lineSchema.optional().describe('Shell command, once before the first run.'),
  prepare: lineSchema.optional().describe('Shell command, before every run.'),
  conclude: lineSchema.optional().describe('Shell command, after every run.'),
  cleanup: lineSchema.optional().describe('Shell command, once after the last run.'),
};

const workload = {
  workload: wordSchema(workloadSchema.options)
    .optional()
    .describe(
      'command: the program is timed as a whole; harness: it times itself; lines: it prints or writes its times.',
    ),
  lines: mapSchema({
    pattern: lineSchema.describe('Regular expression with the groups start, end, duration or time.'),
    unit: wordSchema(timeUnitSchema.options).describe('Unit of all groups.'),
  })
    .optional()
    .describe('How iterations are found in what the program prints.'),
  parser: lineSchema
    .optional()
    .describe(
      `What finds iterations in its output: ${listWords(builtInParserSchema.options)}, or a module, ./parser.js.`,
    ),
  input: lineSchema.optional().describe('File fed to the standard input of both sides.'),
  matrix: z
    .record(z.string(), z.array(textSchema, { error: 'a list of values' }).min(1, { error: 'at least one value' }), {
      error: 'a map of parameters and lists of values',
    })
    .optional()
    .describe('One measurement for each combination of the values; {NAME} stands for the value of NAME.'),
  methods: methods.optional(),
};

const sideMap = mapSchema({ name: textSchema.optional().describe('Name in reports.'), ...program });
/** A side's command alone stands for a map with nothing else. */
const side = z
  .union([lineSchema, sideMap], { error: 'a command or a map' })
  .transform((value) => (typeof value === 'string' ? { command: value } : value));

const benchmark = mapSchema({
  ...program,
  ...workload,
  ...settings,
  waiver: mapSchema({
    reason: lineSchema.describe('Why it may be slower for a while.'),
    expires: z.iso
      .date({ error: 'a day such as 2027-01-31' })
      .describe('Last day on which it may, such as 2027-01-31.'),
  })
    .optional()
    .describe('Excuses this benchmark from failing a pipeline.'),
  A: side.optional().describe('The baseline.'),
  B: side.optional().describe('The candidate; without it A is compared with itself.'),
});

/** The schema of deadheat.yaml; its JSON Schema is made by `z.toJSONSchema` with `io: 'input'`. */
export const deadheatFileSchema: z.ZodType<DeadheatFile> = mapSchema({
  ...shapeOf(experimentTable),
  ...program,
  ...workload,
  ...settings,
  timeouts: mapSchema({
    ...timeoutShape(),
    experiment: limit(duration).schema.optional().describe('Longest time of the whole experiment: 2h, or none.'),
  })
    .optional()
    .describe('Longest times (default: none).'),
  benchmarks: z
    .record(z.string(), z.union([z.null(), benchmark], { error: 'a map with the keys of a benchmark' }), {
      error: 'a map of names and benchmarks',
    })
    .refine((all) => Object.keys(all).length > 0, { error: 'at least one benchmark' })
    .describe('What is measured, by name.'),
}) as unknown as z.ZodType<DeadheatFile>;
