import {
  intervalKindSchema,
  methodFacts,
  metricSchema,
  paperSchema,
  stabilityCriterionSchema,
  stableDefaults,
  stableRuleSchema,
  swapSchema,
  type IntervalKind,
  type Metric,
  type Paper,
  type StableRule,
  type Swap,
} from '@deadheat/model';
import { z } from 'zod';
import {
  choice,
  confidence,
  count,
  duration,
  factor,
  flagKind,
  orWord,
  rate,
  share,
  shareOrZero,
  threshold,
  type Kind,
} from './kinds.ts';
import type { Flag, FlagGroup, SettingOption, Subject, Unfit } from './option.ts';
import { parseChoice, parseChoices } from './parse-values.ts';
import { eitherSchema, mapSchema, wordSchema } from './scalars.ts';

/*
 * How benchmarks are measured and judged: every option once, with its key in files, its flag, what it takes, its help, its
 * default, what it contradicts and where it does nothing. To add one: a line in `SettingsOf` and an entry in
 * `settingsTable`; the flag, the key, the library's setting, their docs and the JSON Schema follow.
 */

/** What can be said on any level; `Amount` is how durations and shares are written. */
export interface SettingsOf<Amount> {
  readonly preset?: 'quick' | 'rigorous' | 'none' | undefined;
  readonly like?: Paper | 'none' | undefined;
  readonly runs?: number | undefined;
  readonly 'min-runs'?: number | undefined;
  readonly 'max-runs'?: number | undefined;
  readonly precision?: Amount | undefined;
  readonly until?: 'decided' | undefined;
  readonly 'max-time'?: Amount | 'none' | undefined;
  readonly 'warmup-runs'?: number | undefined;
  readonly warmup?: number | 'first-half' | 'none' | undefined;
  readonly iterations?: number | 'program' | undefined;
  readonly stable?: StableLayer | 'never' | undefined;
  readonly confidence?: Amount | undefined;
  readonly margin?: Amount | undefined;
  readonly metric?: Metric | 'auto' | undefined;
  readonly interval?: IntervalKind | undefined;
  readonly replicates?: number | undefined;
  readonly swap?: Swap | undefined;
  readonly unpaired?: boolean | undefined;
  readonly 'trade-every'?: number | 'never' | undefined;
  readonly fill?: boolean | undefined;
  readonly 'minimum-overlap-rate'?: number | undefined;
  readonly 'ignore-failure'?: boolean | undefined;
  readonly 'planned-width'?: Amount | undefined;
  readonly timeouts?: TimeoutsOf<Amount> | undefined;
}

export interface TimeoutsOf<Amount> {
  readonly iteration?: Amount | 'none' | undefined;
  readonly run?: Amount | 'none' | undefined;
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

/** Settings as they were said on one level, read: durations are nanoseconds, shares fractions. Absent = inherited. */
export type SettingsLayer = SettingsOf<number>;
export type SettingKey = keyof SettingsLayer;

/** A setting's entry in the table. */
export type SettingEntry<Key extends SettingKey> = SettingOption<NonNullable<SettingsLayer[Key]>>;

const swapFits = (method: Subject['method']): boolean => method === 'sync-duet' || method === 'async-duet';

export const settingsTable: { readonly [Key in SettingKey]-?: SettingEntry<Key> } = {
  preset: {
    schema: wordSchema(['quick', 'rigorous', 'none']),
    help: 'settings that go together, as far as nothing else is said: quick, rigorous or none',
    fallback: 'none',
    flags: [
      {
        ...flagOf('--quick', 'amount', ['preset']),
        stands: 'quick',
        help: 'the same as --until decided --confidence 95% --margin 2% --max-time 20s',
        common: true,
      },
      {
        ...flagOf('--rigorous', 'amount', ['preset']),
        stands: 'rigorous',
        help: 'the same as --precision 0.5% --confidence 99% --margin 0 --max-time 10m',
        common: true,
      },
    ],
  },
  like: {
    schema: wordSchema([...paperSchema.options, 'none']),
    help: 'the procedure of a paper, as far as nothing else is said: icpe20 (sync-duet), thesis (async-duet), or none',
    fallback: 'none',
    page: 'duet.md',
    flags: [
      {
        flags: '--like <READING>',
        group: 'amount',
        help: "the procedure of a paper: icpe20 (Bulej et al.: sync-duet, percentile interval) or thesis (Drozdik: async-duet, BCa); with --stable: paper = the criteria as printed (default), jmh-reconfigure = as in the authors' code",
        parse: parseChoice('--like', [...paperSchema.options, ...stableRuleSchema.shape.like.options]),
        place: (value) => (paperSchema.safeParse(value).success ? ['like'] : ['stable', 'like']),
      },
    ],
  },
  runs: {
    ...ordinary('runs', { kind: count(1), flags: '-r, --runs <N>', group: 'amount', common: true }),
    help: 'exactly this many runs; a run is one execution of each side',
    fallback: null,
  },
  'min-runs': {
    ...ordinary('min-runs', { kind: count(1), flags: '-m, --min-runs <N>', group: 'amount' }),
    help: 'at least this many runs',
    fallback: '20, and 5 s; 5 with {until}; 2 with {stable}',
  },
  'max-runs': {
    ...ordinary('max-runs', { kind: count(1), flags: '-M, --max-runs <N>', group: 'amount' }),
    help: 'at most this many runs',
    fallback: 'no limit; 5 with {stable}',
  },
  precision: {
    ...ordinary('precision', { kind: share, flags: '--precision <SHARE>', group: 'amount' }),
    help: 'go on until the interval, one that holds at every look, reaches no further than this to each side: 0.5%',
    fallback: null,
    page: 'early-verdicts.md',
  },
  until: {
    ...ordinary('until', { kind: choice(['decided']), flags: '--until <WHAT>', group: 'amount', common: true }),
    help: 'go on until the verdict is safe, however often it was looked at, or cannot be within {max-time} or {max-runs}; the one choice is: decided',
    fallback: null,
    page: 'early-verdicts.md',
  },
  'max-time': {
    ...ordinary('max-time', { kind: limit(duration), flags: '--max-time <TIME>', group: 'amount', common: true }),
    help: 'begin no further run of a benchmark after this, once there are 5; or none',
    fallback: '60s; none with {runs}, and with {stable} alone',
  },
  'warmup-runs': {
    ...ordinary('warmup-runs', { kind: count(0), flags: '-w, --warmup <N>', group: 'amount', common: true }),
    help: 'runs before the measured ones, not judged',
    fallback: '0',
    sets: (warmupRuns) => ({ warmupRuns }),
  },
  warmup: {
    ...ordinary('warmup', {
      kind: orWord(count(0), ['first-half', 'none'], 'a whole number, first-half or none'),
      flags: '--warmup-iterations <N>',
      group: 'amount',
    }),
    help: 'iterations at the start of each run that are not judged: a number, first-half or none',
    fallback: 'none for commands, else first-half',
    sets: (value) => ({ warmup: typeof value === 'number' ? { kind: 'fixed', iterations: value } : { kind: value } }),
    unfit: (value, { method, workload }) =>
      repeats(method, workload) || value === 'none'
        ? null
        : byWorkload(`a run of ${method} is one execution of a command; whole runs can be warm-up`),
  },
  iterations: {
    ...ordinary('iterations', {
      kind: orWord(count(1), ['program'], 'a whole number of at least 1, or program'),
      flags: '--iterations <N>',
      group: 'amount',
    }),
    help: 'iterations of each side in a run, warm-up included; program: the program decides',
    fallback: '1 for commands, 10 in async-duet; 40 for a harness; program for lines',
    sets: (value) => ({ iterations: value === 'program' ? null : value }),
    unfit: (value, { method, workload }) => {
      if (value === 'program' && workload === 'command') return byWorkload('a command has no iterations of its own');
      if (repeats(method, workload)) return null;
      return byMethod('a run is one execution of a command, and only async-duet repeats it');
    },
  },
  stable: {
    schema: eitherSchema(
      mapSchema({
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
        thresholds: mapSchema({
          cv: threshold.schema.optional(),
          rciw: threshold.schema.optional(),
          kld: threshold.schema.optional(),
        })
          .optional()
          .describe('Largest change of cv and rciw, least probability of kld.'),
        'min-warmup': count(0).schema.optional().describe('At least this many warm-up iterations of a run.'),
        'max-warmup': count(1).schema.optional().describe('At most this many warm-up iterations of a run.'),
        measured: count(1).schema.optional().describe('Measured iterations of a run.'),
        'lift-caps': factor.schema
          .optional()
          .describe('How many times max-warmup and max-runs are allowed while nothing is stable.'),
      }),
      z.literal('never'),
      'a map with criteria, or never',
    ),
    help: 'end the warm-up of a run, and then the runs, when they are stable; of a harness, or of a program whose output a built-in parser reads',
    fallback: 'never',
    page: 'configuration.md#stable',
    flags: [
      {
        flags: '--stable <CRITERIA>',
        group: 'amount',
        help: 'with --harness: end the warm-up of a run, and then the runs, when they are stable by cv, rciw or kld, or several: cv,kld',
        parse: (typed) =>
          typed === 'never' ? typed : parseChoices('--stable', stabilityCriterionSchema.options)(typed),
        place: (value) => (value === 'never' ? ['stable'] : ['stable', 'criteria']),
      },
      {
        ...flagOf('--combine <HOW>', 'amount', ['stable', 'combine'], choice(stableRuleSchema.shape.combine.options)),
        help: 'with --stable: all criteria must agree (default), or any may decide',
      },
      {
        ...flagOf('--lift-caps <N>', 'amount', ['stable', 'lift-caps'], factor),
        help: 'with --stable: allow N times as much while nothing is stable (default: 1)',
      },
    ],
    sets: (value) => ({ stable: value === 'never' ? null : toStableRule(value) }),
    unfit: (value, { method, workload, unseen }) => {
      if (value === 'never') return null;
      if (workload === 'lines') return unseen === null ? null : byWorkload(unseen);
      if (workload === 'harness' && hasBarrier(method)) return null;
      const why = 'it is for a harness in tandem or sync-duet, and for programs whose output a built-in parser reads';
      return workload === 'harness' ? byMethod(why) : byWorkload(why);
    },
  },
  confidence: {
    ...ordinary('confidence', { kind: confidence, flags: '--confidence <LEVEL>', group: 'judging', common: true }),
    help: 'level of the interval: 99% or 0.99',
    fallback: '99%; 95% for async-duet and sequential',
    sets: (level) => ({ confidence: level }),
  },
  margin: {
    ...ordinary('margin', { kind: shareOrZero, flags: '--margin <SHARE>', group: 'judging', common: true }),
    help: 'differences up to this do not matter: 1% or 0.01',
    fallback: '0',
    sets: (margin) => ({ margin }),
  },
  metric: {
    ...ordinary('metric', {
      kind: choice(['auto', ...metricSchema.options]),
      flags: '--metric <METRIC>',
      group: 'judging',
      common: true,
    }),
    help:
      'what decides: time (wall), cpu (user + system), undelayed (wall without waiting for a CPU), or auto, which takes cpu where ' +
      'both sides keep one core busy, and undelayed where they wait for other things',
    fallback: 'auto',
    sets: (metric) => ({ metric }),
    unfit: (value, { method }) =>
      value === 'time' && method === 'tandem' ? byMethod('in a tandem the wall time of a side is that of both') : null,
  },
  interval: {
    ...ordinary('interval', {
      kind: choice(intervalKindSchema.options),
      flags: '--interval <KIND>',
      group: 'judging',
    }),
    help: 'rank (of a typical run), or of the mean: expanded, percentile, bca or t',
    fallback: 'rank',
    sets: (interval) => ({ interval }),
  },
  replicates: {
    ...ordinary('replicates', { kind: count(1), flags: '--replicates <N>', group: 'judging' }),
    help: 'replicates of the bootstrap',
    fallback: '10000; 9999 for async-duet and sequential',
    sets: (replicates) => ({ replicates }),
  },
  swap: {
    ...ordinary('swap', { kind: choice(swapSchema.options), flags: '--swap <WHEN>', group: 'execution' }),
    help: 'the sides of a duet trade cores at every pair, at random each run, or never: pair, run, never',
    fallback: 'pair',
    sets: (swap) => ({ swap }),
    unfit: (_, { method }) => (swapFits(method) ? null : byMethod('only the sides of a duet have cores to trade')),
  },
  unpaired: {
    ...ordinary('unpaired', { kind: flagKind, flags: '--unpaired', group: 'execution' }),
    help: 'judge sequential runs as two independent samples (RMIT) instead of as pairs',
    fallback: 'false',
    sets: (unpaired) => ({ unpaired }),
    unfit: (value, { method }) =>
      !value || method === 'auto' || method === 'sequential' ? null : byMethod('it is about sequential runs'),
  },
  'trade-every': {
    ...ordinary('trade-every', {
      kind: orWord(count(1), ['never'], 'a whole number of at least 1, or never'),
      flags: '--trade-every <N>',
      group: 'execution',
    }),
    help: 'the sides of a harness trade cores after this many iterations of a run, too; or never',
    fallback: 'never',
    sets: (value) => ({ tradeEvery: value === 'never' ? null : value }),
    unfit: (value, subject) =>
      value === 'never' ? null : inSyncDuet(subject, 'only the sides of a sync-duet have cores to trade'),
  },
  fill: {
    ...ordinary('fill', { kind: flagKind, flags: '--fill', group: 'execution' }),
    help: 'the side of a harness that is done first works on, unmeasured, until the other is done; it means sync-duet',
    fallback: 'false',
    sets: (fill) => ({ fill }),
    unfit: (value, subject) =>
      value
        ? inSyncDuet(
            subject,
            subject.method === 'tandem'
              ? 'on the core that both sides share it would take time from the side that is measured'
              : 'only in a sync-duet can a side that is done keep its own core busy until the other is done',
          )
        : null,
  },
  'minimum-overlap-rate': {
    ...ordinary('minimum-overlap-rate', { kind: rate, flags: '--minimum-overlap-rate <RATE>', group: 'judging' }),
    help: 'smallest overlap rate at which two iterations of async-duet are a pair',
    fallback: '0.4',
    sets: (minimumOverlapRate) => ({ minimumOverlapRate }),
    unfit: (_, { method }) => (method === 'async-duet' ? null : byMethod('it is for async-duet')),
  },
  'ignore-failure': {
    ...ordinary('ignore-failure', { kind: flagKind, flags: '-i, --ignore-failure', group: 'execution' }),
    help: 'a program may end with another status than 0',
    fallback: 'false',
    sets: (ignoreFailure) => ({ ignoreFailure }),
  },
  'planned-width': {
    ...ordinary('planned-width', { kind: share, flags: '--planned-width <SHARE>', group: 'judging' }),
    help: 'how far to each side the interval was planned to reach; the report sets what it reached beside it',
    fallback: 'none',
    sets: (plannedHalfWidth) => ({ plannedHalfWidth }),
  },
  timeouts: {
    schema: mapSchema(timeoutShape()),
    help: 'longest time of one iteration and of one run; on the outermost level also of the experiment',
    fallback: 'none',
    flags: [
      {
        ...flagOf('--timeout <TIME>', 'execution', ['timeouts', 'iteration'], limit(duration)),
        help: 'longest time of one execution: 10s (default: none)',
      },
      {
        ...flagOf('--run-timeout <TIME>', 'execution', ['timeouts', 'run'], limit(duration)),
        help: 'longest time of one run: 60s (default: none)',
      },
    ],
    sets: ({ iteration, run }) => ({
      ...(iteration === undefined ? {} : { timeoutNs: iteration === 'none' ? null : iteration }),
      ...(run === undefined ? {} : { runTimeoutNs: run === 'none' ? null : run }),
    }),
  },
};

/** Whether a key of a level is a setting. */
export function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(settingsTable, key);
}

/** Two settings that cannot both be said, and why; `name` gives what the person knows a setting by. */
export interface Conflict {
  readonly first: SettingKey;
  readonly second: SettingKey;
  /** `level`: said on the same one, since an inner level takes the place of an outer one; `any`: wherever they are said. */
  readonly within: 'level' | 'any';
  readonly why: (name: (key: SettingKey) => string) => string;
}

export const conflicts: readonly Conflict[] = [
  {
    first: 'preset',
    second: 'like',
    within: 'any',
    why: (name) => `each sets how sure the verdict is, and ${name('preset')} another interval`,
  },
  {
    first: 'runs',
    second: 'precision',
    within: 'level',
    why: (name) => `${name('runs')} fixes the number of runs, ${name('precision')} lets the result decide it`,
  },
  {
    first: 'runs',
    second: 'until',
    within: 'level',
    why: (name) => `${name('runs')} fixes the number of runs, ${name('until')} lets the result decide it`,
  },
  {
    first: 'precision',
    second: 'until',
    within: 'level',
    why: () => 'one goes on until the size is known, the other until the verdict is',
  },
  { first: 'runs', second: 'min-runs', within: 'level', why: (name) => `${name('runs')} fixes the number of runs` },
  { first: 'runs', second: 'max-runs', within: 'level', why: (name) => `${name('runs')} fixes the number of runs` },
  {
    first: 'stable',
    second: 'iterations',
    within: 'any',
    why: (name) => `${name('stable')} ends a run when enough is measured`,
  },
  {
    first: 'stable',
    second: 'warmup',
    within: 'any',
    why: (name) => `${name('stable')} ends warm-up when it is stable`,
  },
];

/** The shape of `timeouts` on every level. */
export function timeoutShape(): {
  readonly iteration: z.ZodType<number | 'none' | undefined>;
  readonly run: z.ZodType<number | 'none' | undefined>;
} {
  const { schema } = limit(duration);
  return {
    iteration: schema.optional().describe('Longest time of one iteration: 10s, or none.'),
    run: schema.optional().describe('Longest time of one run: 5m, or none.'),
  };
}

/** A duration, or `none` for no limit. */
export function limit(kind: Kind<number>): Kind<number | 'none'> {
  return orWord(kind, ['none'], 'a duration such as 500ms, 10s, 2m or 1h, or none');
}

/** A flag by its spelling, its group and its place in a layer; without a kind it takes no value. */
export function flagOf(flags: string, group: FlagGroup, place: readonly string[], kind?: Kind<unknown>): Flag {
  const name = flags.replace(/^-\w, /, '').replace(/[ =].*$/, '');
  return { flags, group, place, parse: kind?.parse == null ? null : kind.parse(name) };
}

/** The schema and the flag of an option that has one flag, which stands at its key. */
export function ordinary<Value>(
  key: string,
  { kind, flags, group, common }: { kind: Kind<Value>; flags: string; group: FlagGroup; common?: true },
): { readonly schema: z.ZodType<Value>; readonly flags: readonly Flag[] } {
  const flag = flagOf(flags, group, [key], kind);
  return { schema: kind.schema, flags: [common === undefined ? flag : { ...flag, common }] };
}

function byMethod(why: string): Unfit {
  return { because: 'method', why };
}

function byWorkload(why: string): Unfit {
  return { because: 'workload', why };
}

/** Whether a run makes several iterations of a side. */
function repeats(method: Subject['method'], workload: Subject['workload']): boolean {
  return workload !== 'command' || method === 'async-duet';
}

function hasBarrier(method: Subject['method']): boolean {
  return method === 'auto' || methodFacts[method].barrier;
}

/** Why something that needs a harness in a sync-duet does nothing. */
function inSyncDuet({ method, workload }: Subject, why: string): Unfit | null {
  if (workload !== 'harness') return byWorkload('it is for a harness in sync-duet');
  return method === 'sync-duet' ? null : byMethod(why);
}

function toStableRule(value: StableLayer): StableRule {
  return {
    criteria: [...value.criteria],
    combine: value.combine ?? stableDefaults.combine,
    like: value.like ?? stableDefaults.like,
    thresholds: {
      cv: value.thresholds?.cv ?? stableDefaults.thresholds.cv,
      rciw: value.thresholds?.rciw ?? stableDefaults.thresholds.rciw,
      kld: value.thresholds?.kld ?? stableDefaults.thresholds.kld,
    },
    leastWarmup: value['min-warmup'] ?? stableDefaults.leastWarmup,
    mostWarmup: value['max-warmup'] ?? stableDefaults.mostWarmup,
    measured: value.measured ?? stableDefaults.measured,
    liftCaps: value['lift-caps'] ?? stableDefaults.liftCaps,
  };
}
