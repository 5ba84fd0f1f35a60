import { z } from 'zod';
import {
  builtInParserSchema,
  containerEngineSchema,
  intervalKindSchema,
  askedMethodSchema,
  metricSchema,
  paperSchema,
  scheduleSchema,
  swapSchema,
  timeUnitSchema,
  workloadSchema,
  correctionSchema,
  type ContainerEngineName,
  type FamilyCorrection,
  type Waiver,
  type IntervalKind,
  type AskedMethod,
  type Metric,
  type Paper,
  stabilityCriterionSchema,
  stableRuleSchema,
  type Schedule,
  type StableRule,
  type Swap,
  type TimeUnit,
  type Workload,
} from '@deadheat/model';
import {
  confidenceSchema,
  countSchema,
  durationSchema,
  eitherSchema,
  flagSchema,
  lineSchema,
  listWords,
  marginSchema,
  memorySchema,
  precisionSchema,
  textSchema,
  wordSchema,
  type Text,
} from './scalars.ts';
import { mapSchema } from './map-schema.ts';

/*
 * What a deadheat.yaml holds, as it is written: an absent key is inherited from the level above, or is the default.
 * Durations are nanoseconds and shares are fractions here already.
 */

/** How benchmarks are measured and judged, said on any level. */
export interface SettingsLayer {
  readonly like?: Paper | 'none' | undefined;
  readonly runs?: number | undefined;
  readonly 'min-runs'?: number | undefined;
  readonly 'max-runs'?: number | undefined;
  readonly precision?: number | undefined;
  readonly until?: 'decided' | undefined;
  readonly 'max-time'?: number | 'none' | undefined;
  readonly 'warmup-runs'?: number | undefined;
  readonly warmup?: number | 'first-half' | 'none' | undefined;
  readonly iterations?: number | 'program' | undefined;
  readonly stable?: StableLayer | 'never' | undefined;
  readonly confidence?: number | undefined;
  readonly margin?: number | undefined;
  readonly interval?: IntervalKind | undefined;
  readonly replicates?: number | undefined;
  readonly metric?: Metric | 'auto' | undefined;
  readonly swap?: Swap | undefined;
  readonly unpaired?: boolean | undefined;
  readonly 'trade-every'?: number | 'never' | undefined;
  readonly fill?: boolean | undefined;
  readonly 'minimum-overlap-rate'?: number | undefined;
  readonly 'ignore-failure'?: boolean | undefined;
  readonly 'planned-width'?: number | undefined;
  readonly timeouts?: TimeoutsLayer | undefined;
}

/** Dynamic reconfiguration, said on any level; an inner one takes the place of an outer one. */
export interface StableLayer {
  readonly criteria: readonly StableRule['criteria'][number][];
  readonly combine?: StableRule['combine'] | undefined;
  readonly like?: StableRule['like'] | undefined;
  readonly thresholds?: { readonly [Name in keyof StableRule['thresholds']]?: number | undefined } | undefined;
  readonly 'min-warmup'?: number | undefined;
  readonly 'max-warmup'?: number | undefined;
  readonly measured?: number | undefined;
  readonly 'lift-caps'?: number | undefined;
}

export interface TimeoutsLayer {
  readonly iteration?: number | 'none' | undefined;
  readonly run?: number | 'none' | undefined;
}

/** A list of methods, or a map of methods and what differs for them. */
export type MethodsLayer = readonly AskedMethod[] | Readonly<Partial<Record<AskedMethod, SettingsLayer | null>>>;

/** What is executed, said on any level. */
export interface ProgramLayer {
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly results?: string | undefined;
  readonly environment?: Readonly<Record<string, Text>> | undefined;
  readonly shell?: string | undefined;
  readonly image?: string | undefined;
  readonly limits?: { readonly cpus?: number | undefined; readonly memory?: number | undefined } | undefined;
  readonly network?: string | undefined;
  readonly keep?: readonly string[] | undefined;
  readonly build?: string | undefined;
  readonly setup?: string | undefined;
  readonly prepare?: string | undefined;
  readonly conclude?: string | undefined;
  readonly cleanup?: string | undefined;
}

/** What the experiment and a benchmark have, besides settings and program. */
export interface WorkloadLayer {
  readonly workload?: Workload | undefined;
  readonly lines?: { readonly pattern: string; readonly unit: TimeUnit } | undefined;
  readonly parser?: string | undefined;
  readonly input?: string | undefined;
  readonly matrix?: Readonly<Record<string, readonly Text[]>> | undefined;
  readonly methods?: MethodsLayer | undefined;
}

export interface SideLayer extends ProgramLayer {
  readonly name?: Text | undefined;
}

export interface BenchmarkLayer extends ProgramLayer, WorkloadLayer, SettingsLayer {
  readonly waiver?: Waiver | undefined;
  readonly A?: SideLayer | undefined;
  readonly B?: SideLayer | undefined;
}

/** A whole deadheat.yaml. */
export interface DeadheatFile extends ProgramLayer, WorkloadLayer, SettingsLayer {
  readonly name?: Text | undefined;
  readonly seed?: Text | undefined;
  readonly schedule?: Schedule | undefined;
  readonly cpus?: readonly number[] | undefined;
  readonly lanes?: number | 'all' | undefined;
  readonly engine?: ContainerEngineName | undefined;
  readonly artifacts?: Readonly<Record<string, string>> | undefined;
  readonly correction?: FamilyCorrection | undefined;
  readonly control?: boolean | undefined;
  readonly timeouts?: (TimeoutsLayer & { readonly experiment?: number | 'none' | undefined }) | undefined;
  readonly benchmarks: Readonly<Record<string, BenchmarkLayer | null>>;
}

const limit = eitherSchema(durationSchema, z.literal('none'), 'a duration such as 10s, or none');
const timeouts = {
  iteration: limit.optional().describe('Longest time of one iteration: 10s, or none.'),
  run: limit.optional().describe('Longest time of one run: 5m, or none.'),
};

const threshold = z.number({ error: 'a number between 0 and 1' }).gt(0, { error: 'a number between 0 and 1' }).lt(1, {
  error: 'a number between 0 and 1',
});

const stable = mapSchema({
  criteria: z
    .array(wordSchema(stabilityCriterionSchema.options), { error: 'a list of criteria' })
    .min(1, { error: 'at least one criterion' })
    .refine((names) => new Set(names).size === names.length, { error: 'each criterion once' })
    .describe('What is asked whether it is stable: cv, rciw, kld.'),
  combine: wordSchema(stableRuleSchema.shape.combine.options)
    .optional()
    .describe('Whether all criteria must agree or any may decide.'),
  like: wordSchema(stableRuleSchema.shape.like.options)
    .optional()
    .describe("The criteria as the paper prints them, or as the authors' code has them."),
  thresholds: mapSchema({ cv: threshold.optional(), rciw: threshold.optional(), kld: threshold.optional() })
    .optional()
    .describe('Largest change of cv and rciw, least probability of kld.'),
  'min-warmup': countSchema(0).optional().describe('At least this many warm-up iterations of a run.'),
  'max-warmup': countSchema(1).optional().describe('At most this many warm-up iterations of a run.'),
  measured: countSchema(1).optional().describe('Measured iterations of a run.'),
  'lift-caps': z
    .number({ error: 'a number of at least 1' })
    .min(1, { error: 'a number of at least 1' })
    .optional()
    .describe('So many times max-warmup and max-runs are allowed while nothing is stable.'),
});

const settings = {
  like: wordSchema([...paperSchema.options, 'none'])
    .optional()
    .describe(
      'The procedure of a paper, as far as nothing else is said: icpe20 (sync-duet), thesis (async-duet), or none.',
    ),
  runs: countSchema(1).optional().describe('Exactly this many runs; a run is one fresh process of each side.'),
  'min-runs': countSchema(1).optional().describe('At least this many runs.'),
  'max-runs': countSchema(1).optional().describe('At most this many runs.'),
  precision: precisionSchema
    .optional()
    .describe('Go on until the interval reaches no further than this to each side: 0.5%.'),
  until: wordSchema(['decided'])
    .optional()
    .describe('Go on until the verdict is safe, or cannot be within the limits.'),
  'max-time': limit.optional().describe('Begin no further run of a benchmark after this, once there are 5.'),
  'warmup-runs': countSchema(0).optional().describe('Runs before the measured ones, not judged.'),
  warmup: eitherSchema(countSchema(0), wordSchema(['first-half', 'none']), 'a whole number, first-half or none')
    .optional()
    .describe('Iterations of a run, the first, that are not judged.'),
  iterations: eitherSchema(countSchema(1), z.literal('program'), 'a whole number of at least 1, or program')
    .optional()
    .describe('Iterations of each side in a run, warm-up included; program: the program decides.'),
  stable: eitherSchema(stable, z.literal('never'), 'a map with criteria, or never')
    .optional()
    .describe(
      'End the warm-up of a harness, or of a program whose output a built-in parser reads, and then the runs, when they are stable.',
    ),
  confidence: confidenceSchema.optional().describe('Level of the interval: 99% or 0.99.'),
  margin: marginSchema.optional().describe('Differences up to this do not matter: 1%.'),
  interval: wordSchema(intervalKindSchema.options).optional().describe('Kind of the interval.'),
  replicates: countSchema(1).optional().describe('Replicates of the bootstrap.'),
  metric: wordSchema(['auto', ...metricSchema.options])
    .optional()
    .describe('What decides: time (wall), cpu, or auto.'),
  swap: wordSchema(swapSchema.options)
    .optional()
    .describe('The sides of a duet trade cores at every pair, at random each run, or never.'),
  unpaired: flagSchema
    .optional()
    .describe('Whether sequential runs are judged as two independent samples (RMIT) instead of as pairs.'),
  'trade-every': eitherSchema(countSchema(1), z.literal('never'), 'a whole number of at least 1, or never')
    .optional()
    .describe('Iterations after which the sides of a harness trade cores inside a run.'),
  fill: flagSchema
    .optional()
    .describe('Whether the side that is done first goes on, unmeasured, until the other is done.'),
  'minimum-overlap-rate': z
    .number({ error: 'a number above 0 and up to 1' })
    .gt(0, { error: 'a number above 0 and up to 1' })
    .lte(1, { error: 'a number above 0 and up to 1' })
    .optional()
    .describe('Smallest overlap rate at which two iterations of async-duet are a pair.'),
  'ignore-failure': flagSchema.optional().describe('Whether a program may end with another status than 0.'),
  'planned-width': precisionSchema
    .optional()
    .describe('How far to each side the interval was planned to reach; the report sets what it reached beside it.'),
};

const settingsWithTimeouts = { ...settings, timeouts: mapSchema(timeouts).optional() };

/** Whether a key of a level is a setting. */
export function isSetting(key: string): key is keyof SettingsLayer {
  return Object.hasOwn(settingsWithTimeouts, key);
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
            z.union([z.null(), mapSchema(settingsWithTimeouts)], { error: 'a map of settings' }).optional(),
          ]),
        ),
      ),
    ],
    { error: 'a list of methods, or a map of methods and their settings' },
  )
  .describe('How the sides are executed against each other: auto, tandem, sync-duet, async-duet, sequential.');

const program = {
  command: lineSchema.optional().describe('What is executed and timed; {NAME} stands for a parameter of the matrix.'),
  cwd: lineSchema
    .optional()
    .describe('Folder in which it is executed, from the folder of this file; with image, in the container.'),
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

const side = mapSchema({ name: textSchema.optional().describe('Name in reports.'), ...program });

const benchmark = mapSchema({
  ...program,
  ...workload,
  ...settingsWithTimeouts,
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
  name: textSchema.optional().describe('Name of the experiment (default: the folder of this file).'),
  seed: textSchema.optional().describe('Everything random comes from it (default: a new one, shown).'),
  schedule: wordSchema(scheduleSchema.options)
    .optional()
    .describe('Runs of all benchmarks and methods shuffled, or one benchmark and method after another.'),
  cpus: z
    .array(countSchema(0), { error: 'CPU numbers such as [0, 1]' })
    .min(1, { error: 'at least one CPU number' })
    .refine((cpus) => new Set(cpus).size === cpus.length, { error: 'different CPU numbers such as [0, 1]' })
    .optional()
    .describe("Cores of tandems; in a duet A's, then B's (default: chosen)."),
  lanes: eitherSchema(countSchema(1), z.literal('all'), 'a whole number of at least 1, or all')
    .optional()
    .describe('Tandems at once, each on a core of its own (default: cores less one, at least 1).'),
  engine: wordSchema(containerEngineSchema.options)
    .optional()
    .describe('What runs containers: podman or docker (default: what is there, podman first).'),
  artifacts: z
    .record(z.string(), lineSchema, { error: 'a map of names and commands' })
    .optional()
    .describe('Shell commands whose output is kept with the results.'),
  correction: wordSchema(correctionSchema.options)
    .optional()
    .describe('How false alarms are controlled over all benchmarks: holm, benjamini-hochberg or none.'),
  control: flagSchema
    .optional()
    .describe(
      'Whether A is also measured against itself, beside each benchmark; when that differs, nothing is judged.',
    ),
  ...program,
  ...workload,
  ...settings,
  timeouts: mapSchema({
    ...timeouts,
    experiment: limit.optional().describe('Longest time of the whole experiment: 2h, or none.'),
  }).optional(),
  benchmarks: z
    .record(z.string(), z.union([z.null(), benchmark], { error: 'a map with the keys of a benchmark' }), {
      error: 'a map of names and benchmarks',
    })
    .refine((all) => Object.keys(all).length > 0, { error: 'at least one benchmark' })
    .describe('What is measured, by name.'),
});
