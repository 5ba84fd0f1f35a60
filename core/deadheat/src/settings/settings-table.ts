import {
  workloadFacts,
  meetsOnOwnCores,
  mostReplicates,
  askedIntervalSchema,
  type JudgedQuantity,
  judgedSchema,
  type Method,
  methodFacts,
  metricSchema,
  resourceMetricSchema,
  paperSchema,
  stabilityCriterionSchema,
  stableDefaults,
  stableRuleSchema,
  swapSchema,
  type AskedInterval,
  type Metric,
  type ResourceMetric,
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
  line,
  margin,
  marginSettings,
  orWord,
  rate,
  share,
  readLength,
  readWarmup,
  threshold,
  type Kind,
  written,
} from './kinds.ts';
import type { Amounts, Parsed } from './amounts.ts';
import type { Flag, FlagGroup, SettingOption, Subject, Unfit } from './option.ts';
import { parseChoice, parseChoices, parseNames } from './parse-values.ts';
import { eitherSchema, lineSchema, mapSchema, wordSchema } from './scalars.ts';

/*
 * Settings of measuring and judging: every option once, with its key in files, its flag, its values, its help, its
 * default, the options that it contradicts, and the methods for which it does nothing. To add an option, add a line to
 * `SettingsOf` and an entry to `settingsTable`. The flag, the key, the library's setting, their docs and the JSON Schema follow.
 */

/** The settings that any level may hold. */
export interface SettingsOf<In extends Amounts> {
  readonly preset?: 'quick' | 'rigorous' | 'none' | undefined;
  readonly like?: Paper | 'none' | undefined;
  readonly runs?: number | undefined;
  readonly 'min-runs'?: number | undefined;
  readonly 'max-runs'?: number | undefined;
  readonly precision?: In['share'] | undefined;
  readonly until?: 'decided' | 'faster' | undefined;
  readonly 'max-time'?: In['duration'] | 'none' | undefined;
  readonly warmup?: number | undefined;
  readonly 'warmup-iterations'?: In['warmup'] | undefined;
  readonly iterations?: number | 'program' | undefined;
  readonly length?: In['length'] | undefined;
  readonly stable?: StableLayer | 'never' | undefined;
  readonly confidence?: In['share'] | undefined;
  readonly margin?: In['margin'] | undefined;
  readonly judge?: JudgedQuantity | undefined;
  readonly metric?: Metric | 'auto' | undefined;
  readonly also?: readonly ResourceMetric[] | 'none' | undefined;
  readonly interval?: AskedInterval | undefined;
  readonly replicates?: number | undefined;
  readonly swap?: Swap | undefined;
  readonly unpaired?: boolean | undefined;
  readonly 'trade-every'?: number | 'never' | undefined;
  readonly fill?: boolean | undefined;
  readonly 'minimum-overlap-rate'?: number | undefined;
  readonly 'ignore-failure'?: boolean | undefined;
  readonly 'whole-process'?: boolean | undefined;
  readonly 'same-output'?: boolean | undefined;
  readonly 'same-files'?: readonly string[] | undefined;
  readonly 'normalise-output'?: string | undefined;
  readonly 'planned-width'?: In['share'] | undefined;
  readonly timeouts?: TimeoutsOf<In> | undefined;
}

export interface TimeoutsOf<In extends Amounts> {
  readonly iteration?: In['duration'] | 'none' | undefined;
  readonly run?: In['duration'] | 'none' | undefined;
}

/** The settings of dynamic reconfiguration. Those of an inner level replace those of an outer level as a whole. */
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

/** The settings of one level after parsing: durations are nanoseconds, shares are fractions. An absent setting is inherited. */
export type SettingsLayer = SettingsOf<Parsed>;
export type SettingKey = keyof SettingsLayer;

/** A setting's entry in the table. */
export type SettingEntry<Key extends SettingKey> = SettingOption<NonNullable<SettingsLayer[Key]>>;

export const settingsTable: { readonly [Key in SettingKey]-?: SettingEntry<Key> } = {
  preset: {
    schema: wordSchema(['quick', 'rigorous', 'none']),
    help: 'a set of values for several settings, each of which another setting can override: quick, rigorous or none',
    fallback: 'none',
    flags: [
      {
        ...flagOf('--quick', 'amount', ['preset']),
        stands: 'quick',
        help: 'for a quick answer: the same as --until decided --confidence 95% --margin 2% --max-time 20s',
      },
      {
        ...flagOf('--rigorous', 'amount', ['preset']),
        stands: 'rigorous',
        help: 'for a precise answer: the same as --precision 0.5% --confidence 99% --margin 0 --max-time 10m',
      },
    ],
  },
  like: {
    schema: wordSchema([...paperSchema.options, 'none']),
    help: 'use the settings of a published procedure, each of which another setting can override: icpe20 (sync-duet), thesis (async-duet), or none',
    fallback: 'none',
    page: 'duet.md',
    flags: [
      {
        flags: '--like <READING>',
        group: 'amount',
        help: "use the settings of a published procedure: icpe20 (Bulej et al.: sync-duet, percentile interval) or thesis (Drozdik: async-duet, BCa interval). With --stable it chooses the formulas of the criteria: paper = as the paper prints them (default, but not with kld), jmh-reconfigure = as the authors' program computes them (default with kld)",
        parse: parseChoice('--like', [...paperSchema.options, ...stableRuleSchema.shape.like.options]),
        place: (value) => (paperSchema.safeParse(value).success ? ['like'] : ['stable', 'like']),
      },
    ],
  },
  runs: {
    ...ordinary('runs', { kind: count(1), flags: '-r, --runs <N>', group: 'amount' }),
    help: 'perform exactly N runs; a run executes both commands once',
    fallback: null,
  },
  'min-runs': {
    ...ordinary('min-runs', { kind: count(1), flags: '-m, --min-runs <N>', group: 'amount' }),
    help: 'perform at least N runs',
    fallback: '20, and 5 s; 5 with {until}; 2 with {stable}',
  },
  'max-runs': {
    ...ordinary('max-runs', { kind: count(1), flags: '-M, --max-runs <N>', group: 'amount' }),
    help: 'perform at most N runs',
    fallback: 'no limit; 5 with {stable}',
  },
  precision: {
    ...ordinary('precision', { kind: share, flags: '--precision <SHARE>', group: 'amount' }),
    help: 'stop when the confidence interval is at most this wide on each side of the estimate: 0.5%. The interval is one that stays valid although it is computed many times while the experiment runs',
    fallback: null,
    page: 'early-verdicts.md',
  },
  until: {
    ...ordinary('until', { kind: choice(['decided', 'faster']), flags: '--until <WHAT>', group: 'amount' }),
    help: 'decided = stop as soon as the verdict is certain at the confidence level, or as soon as {max-time} and {max-runs} leave too little for a verdict. The error rate holds although the data are analysed many times. faster = the same, and also as soon as B is hardly going to be called faster within the limits',
    fallback: null,
    page: 'early-verdicts.md',
  },
  'max-time': {
    ...ordinary('max-time', { kind: limit(duration), flags: '--max-time <TIME>', group: 'amount' }),
    help: 'start no new run of a benchmark after this time, except that there are always at least 5 runs; none = no limit',
    fallback: '60s; none with {runs}, and with {stable} when it is the only stop rule',
  },
  warmup: {
    ...ordinary('warmup', { kind: count(0), flags: '-w, --warmup <N>', group: 'amount' }),
    help: 'perform N runs before the measured runs; their times are not used for the verdict',
    fallback: '0',
    sets: (warmupRuns) => ({ warmupRuns }),
  },
  'warmup-iterations': {
    ...ordinary('warmup-iterations', {
      kind: written(readWarmup, 'a whole number, a duration such as 5min, first-half or none'),
      flags: '--warmup-iterations <N>',
      group: 'amount',
    }),
    help: 'do not use the first iterations of each run for the verdict: a number, those that begin within a time such as 5min, first-half or none',
    fallback: 'none for plain commands, first-half for programs that time themselves',
    sets: (value) => ({ warmup: readWarmup(value) ?? { kind: 'none' } }),
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
    help: 'number of iterations of each side in a run, including warm-up; program = the program decides',
    fallback:
      '1 for plain commands, but 10 in async-duet; 40 with a harness, which {max-time} does not make fewer; program with lines',
    sets: (value) => ({ iterations: value === 'program' ? null : value }),
    unfit: (value, { method, workload }) => {
      if (value === 'program' && !workloadFacts[workload].timesItself)
        return byWorkload('a command has no iterations of its own');
      if (repeats(method, workload)) return null;
      return byMethod('a run is one execution of a command, and only async-duet repeats it');
    },
  },
  length: {
    ...ordinary('length', {
      kind: written(readLength, 'iterations, a duration, or both: 100, 10min, 100 or 10min'),
      flags: '--length <LENGTH>',
      group: 'amount',
    }),
    help: "length of a run, including warm-up: a number of iterations, a time from the start of the first one, or both, of which the one that is reached first ends the run: 100, 10min, '100 or 10min'",
    fallback: 'as {iterations} says',
    page: 'configuration.md#length',
    sets: (value) => {
      const { iterations, timeNs } = readLength(value) ?? { iterations: null, timeNs: null };
      return { iterations, lengthNs: timeNs };
    },
    unfit: (_, { workload, unseen }) => {
      if (!workloadFacts[workload].timesItself) return byWorkload('a command has no iterations of its own');
      return workloadFacts[workload].printed && unseen !== null ? byWorkload(unseen) : null;
    },
  },
  stable: {
    schema: eitherSchema(
      mapSchema({
        criteria: z
          .array(wordSchema(stabilityCriterionSchema.options), { error: 'a list of criteria' })
          .min(1, { error: 'at least one criterion' })
          .refine((names) => new Set(names).size === names.length, { error: 'each criterion once' })
          .describe('The stability criteria: cv, rciw, kld.'),
        combine: wordSchema(stableRuleSchema.shape.combine.options)
          .optional()
          .describe('Whether all criteria must be met, or any one of them is enough.'),
        like: wordSchema(stableRuleSchema.shape.like.options)
          .optional()
          .describe("Compute the criteria as the paper prints them, or as the authors' program does."),
        thresholds: mapSchema({
          cv: threshold.schema.optional().describe('Largest change of the coefficient of variation.'),
          rciw: threshold.schema
            .optional()
            .describe('Largest change of the relative width of the confidence interval.'),
          kld: threshold.schema.optional().describe('Smallest probability that two distributions are equal.'),
        })
          .optional()
          .describe('The largest change of cv and of rciw, and the smallest probability of kld, that count as stable.'),
        'min-warmup': count(0).schema.optional().describe('At least this many warm-up iterations of a run.'),
        'max-warmup': count(1).schema.optional().describe('At most this many warm-up iterations of a run.'),
        measured: count(1).schema.optional().describe('Measured iterations of a run.'),
        'lift-caps': factor.schema
          .optional()
          .describe('Factor by which max-warmup and max-runs are multiplied as long as no criterion is met.'),
      }),
      z.literal('never'),
      'a map with criteria, or never',
    ),
    help: 'end the warm-up of each run when the times are stable, and perform no more runs when the results are stable; for a harness, or a program whose output a built-in parser reads',
    fallback: 'never',
    page: 'configuration.md#stable',
    flags: [
      {
        flags: '--stable <CRITERIA>',
        group: 'amount',
        help: 'with --harness: end the warm-up of each run when the times are stable, and perform no more runs when the results are stable. CRITERIA is cv, rciw or kld, or a list: cv,kld',
        parse: (typed) =>
          typed === 'never' ? typed : parseChoices('--stable', stabilityCriterionSchema.options)(typed),
        place: (value) => (value === 'never' ? ['stable'] : ['stable', 'criteria']),
      },
      {
        ...flagOf('--combine <HOW>', 'amount', ['stable', 'combine'], choice(stableRuleSchema.shape.combine.options)),
        help: 'with --stable: all = every criterion must be met (default), any = one is enough',
      },
      {
        ...flagOf('--lift-caps <N>', 'amount', ['stable', 'lift-caps'], factor),
        help: 'with --stable: multiply the limits of warm-up and of runs by N as long as no criterion is met (default: 1)',
      },
    ],
    sets: (value) => ({ stable: value === 'never' ? null : toStableRule(value) }),
    unfit: (value, { method, workload, unseen }) => {
      if (value === 'never') return null;
      const { printed, protocol } = workloadFacts[workload];
      if (value.criteria.includes('kld')) {
        const why = 'kld compares how the times of invocations are distributed, and here an iteration is one value';
        if (printed) return byWorkload(why);
        if (protocol && hasBarrier(method) && !meetsOnOwnCores(method)) return byMethod(`${why}: use sync-duet`);
      }
      if (printed) return unseen === null ? null : byWorkload(unseen);
      if (protocol && hasBarrier(method)) return null;
      const why = 'it is for a harness in tandem or sync-duet, and for programs whose output a built-in parser reads';
      return protocol ? byMethod(why) : byWorkload(why);
    },
  },
  confidence: {
    ...ordinary('confidence', { kind: confidence, flags: '--confidence <LEVEL>', group: 'judging' }),
    help: 'confidence level of the interval: 99% or 0.99',
    fallback: '99%; 95% for async-duet and sequential',
    sets: (level) => ({ confidence: level }),
  },
  margin: {
    ...ordinary('margin', { kind: margin, flags: '--margin <SHARE|TIME>', group: 'judging' }),
    help: 'largest difference that does not matter to you: 1%, 0.01, or a time such as 0.5ms. B is slower or faster where it differs by more, and a dead heat is within it; with 0 every difference matters, and a dead heat is within 2%',
    fallback: '0',
    page: 'verdicts.md',
    sets: marginSettings,
  },
  judge: {
    ...ordinary('judge', { kind: choice(judgedSchema.options), flags: '--judge <QUANTITY>', group: 'judging' }),
    help: 'quantity that decides: typical (the ratio of typical runs) or total (the ratio of total times, in which rare slow runs count in full). A gate fails by the one that is named, and without a name by either (with {until} by the typical run)',
    fallback: 'typical',
    page: 'verdicts.md',
    sets: (judge) => ({ judge }),
    unfit: (value, { method }) =>
      value === 'total' && factsOf(method)?.valueOfRun === 'lower-quartile'
        ? byMethod('the total time of a run holds turns of the other side on the core')
        : null,
  },
  metric: {
    ...ordinary('metric', {
      kind: choice(['auto', ...metricSchema.options]),
      flags: '--metric <METRIC>',
      group: 'judging',
    }),
    help:
      'what is compared: time (wall time), cpu (user + system time), undelayed (wall time without the time spent waiting ' +
      'for a CPU), or auto, which uses cpu when both sides keep one core busy and undelayed when they wait for other things; or a ' +
      'resource: rss (peak memory), faults (page faults), switches (context switches), or counted by the processor: instructions, cycles, branch-misses, cache-misses',
    fallback: 'auto',
    sets: (metric) => ({ metric }),
    unfit: (value, { method }) =>
      value === 'time' && factsOf(method)?.ownTime === 'cpu'
        ? byMethod('on one core the wall time of a side is that of others as well')
        : null,
  },
  also: {
    ...ordinary('also', {
      kind: {
        schema: eitherSchema(
          z.array(z.enum(resourceMetricSchema.options)).min(1),
          z.literal('none'),
          `a list of ${resourceMetricSchema.options.join(', ')}, or none`,
        ),
        parse: (flag) => (typed) =>
          typed === 'none' ? typed : parseChoices(flag, resourceMetricSchema.options)(typed),
      },
      flags: '--also <RESOURCES>',
      group: 'judging',
    }),
    help:
      'resources that are compared beside the metric that decides, with commas between them: rss, faults, switches, ' +
      'cycles, branch-misses, cache-misses; allocations (calls of malloc; of Node and Java bytes of their heap) and instructions, which are counted in runs of their own, by valgrind or ' +
      'the runtime, where the processor does not',
    fallback: 'none',
    page: 'resources.md',
    sets: (resources) => ({ also: resources === 'none' ? [] : [...resources] }),
  },
  interval: {
    ...ordinary('interval', {
      kind: choice(askedIntervalSchema.options),
      flags: '--interval <KIND>',
      group: 'judging',
    }),
    help: 'kind of confidence interval: rank (for a typical run), or for the mean: expanded, percentile, bca or t',
    fallback: 'rank',
    sets: (interval) => ({ interval }),
  },
  replicates: {
    ...ordinary('replicates', { kind: count(1, mostReplicates), flags: '--replicates <N>', group: 'judging' }),
    help: 'number of bootstrap replicates',
    fallback: '10000; 9999 for async-duet and sequential',
    sets: (replicates) => ({ replicates }),
  },
  swap: {
    ...ordinary('swap', { kind: choice(swapSchema.options), flags: '--swap <WHEN>', group: 'execution' }),
    help: 'when the two sides of a duet trade cores: pair = after every pair, run = at random in each run, or never',
    fallback: 'pair',
    sets: (swap) => ({ swap }),
    unfit: (_, { method }) =>
      factsOf(method)?.cpus === 'one-each' ? null : byMethod('only the sides of a duet have cores to trade'),
  },
  unpaired: {
    ...ordinary('unpaired', { kind: flagKind, flags: '--unpaired', group: 'execution' }),
    help: 'analyse sequential runs as two independent samples (RMIT) instead of as pairs',
    fallback: 'false',
    sets: (unpaired) => ({ unpaired }),
    unfit: (value, { method }) =>
      !value || method === 'auto' || methodFacts[method].pairs === 'none'
        ? null
        : byMethod('it is about sequential runs'),
  },
  'trade-every': {
    ...ordinary('trade-every', {
      kind: orWord(count(1), ['never'], 'a whole number of at least 1, or never'),
      flags: '--trade-every <N>',
      group: 'execution',
    }),
    help: 'with --harness: the two sides also trade cores within a run, after every N iterations; or never',
    fallback: 'never',
    sets: (value) => ({ tradeEvery: value === 'never' ? null : value }),
    unfit: (value, subject) =>
      value === 'never' ? null : inSyncDuet(subject, 'only the sides of a sync-duet have cores to trade'),
  },
  fill: {
    ...ordinary('fill', { kind: flagKind, flags: '--fill', group: 'execution' }),
    help: 'with --harness: the side that finishes an iteration first keeps working, unmeasured, until the other side has finished. It selects the method sync-duet',
    fallback: 'false',
    sets: (fill) => ({ fill }),
    unfit: (value, subject) =>
      value
        ? inSyncDuet(
            subject,
            factsOf(subject.method)?.cpus === 'one-shared'
              ? 'on the core that both sides share it would take time from the side that is measured'
              : 'only in a sync-duet can a side that is done keep its own core busy until the other is done',
          )
        : null,
  },
  'minimum-overlap-rate': {
    ...ordinary('minimum-overlap-rate', { kind: rate, flags: '--minimum-overlap-rate <RATE>', group: 'judging' }),
    help: 'smallest overlap rate at which two iterations of an async-duet are analysed as a pair',
    fallback: '0.4',
    sets: (minimumOverlapRate) => ({ minimumOverlapRate }),
    unfit: (_, { method }) => (factsOf(method)?.pairs === 'overlapping' ? null : byMethod('it is for async-duet')),
  },
  'ignore-failure': {
    ...ordinary('ignore-failure', { kind: flagKind, flags: '-i, --ignore-failure', group: 'execution' }),
    help: 'accept an exit status other than 0; a program that a signal ends still fails',
    fallback: 'false',
    sets: (ignoreFailure) => ({ ignoreFailure }),
  },
  'whole-process': {
    ...ordinary('whole-process', { kind: flagKind, flags: '--whole-process', group: 'subject' }),
    help: 'compare whole processes also of a benchmark harness that fills a time, whatever an operation costs (go test -bench, criterion, timeit and others)',
    fallback: 'false: they are compared by the times of operations that they print',
    page: 'parsers.md#harnesses-with-a-time-budget',
    sets: (wholeProcess) => ({ wholeProcess }),
    unfit: (_, { workload }) =>
      workloadFacts[workload].timesItself ? byWorkload('its processes are not compared as a whole') : null,
  },
  'same-output': {
    ...ordinary('same-output', { kind: flagKind, flags: '--same-output', group: 'subject' }),
    help: 'compare what both commands print and their exit statuses before any time is judged, and refuse sides that differ; in runs of their own, 3 before the first that is judged and one after every 5',
    fallback: 'false',
    page: 'outputs.md',
    sets: (sameOutput) => ({ sameOutput }),
    unfit: unfitForOutputs,
  },
  'same-files': {
    schema: z.array(lineSchema, { error: 'a list of names of files' }).min(1, { error: 'at least one name' }),
    help: 'with --same-output, which it implies: files that both sides have to write alike, with commas between them; {side} in a name stands for A or B',
    fallback: 'none',
    page: 'outputs.md#files',
    flags: [{ ...flagOf('--same-files <FILES>', 'subject', ['same-files']), parse: parseNames('--same-files') }],
    sets: (sameFiles) => ({ sameFiles: [...sameFiles] }),
    unfit: unfitForOutputs,
  },
  'normalise-output': {
    ...ordinary('normalise-output', {
      kind: line('a command'),
      flags: '--normalise-output <COMMAND>',
      group: 'subject',
    }),
    help: "with --same-output, which it implies: shell command that takes out what may differ, such as sed 's/took [0-9.]* s//'; it gets an output as its standard input",
    fallback: null,
    page: 'outputs.md',
    sets: (normaliseOutput) => ({ normaliseOutput }),
    unfit: unfitForOutputs,
  },
  'planned-width': {
    ...ordinary('planned-width', { kind: share, flags: '--planned-width <SHARE>', group: 'judging' }),
    help: 'the half-width of the interval that the experiment was planned for; the report shows it beside the half-width that was reached',
    fallback: 'none',
    sets: (plannedHalfWidth) => ({ plannedHalfWidth }),
  },
  timeouts: {
    schema: mapSchema(timeoutShape()),
    help: 'time limits of one iteration and of one run, and, at the top level of the file, of the experiment',
    fallback: 'none',
    flags: [
      {
        ...flagOf('--timeout <TIME>', 'execution', ['timeouts', 'iteration'], limit(duration)),
        help: 'time limit of one execution of a command: 10s (default: none)',
      },
      {
        ...flagOf('--run-timeout <TIME>', 'execution', ['timeouts', 'run'], limit(duration)),
        help: 'time limit of one run: 60s (default: none)',
      },
    ],
    sets: ({ iteration, run }) => ({
      ...(iteration === undefined ? {} : { timeoutNs: iteration === 'none' ? null : iteration }),
      ...(run === undefined ? {} : { runTimeoutNs: run === 'none' ? null : run }),
    }),
  },
};

/** True if a key of a level is a setting. */
export function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(settingsTable, key);
}

/** Two settings that contradict each other, and the reason; `name` gives the name under which the user knows a setting. */
export interface Conflict {
  readonly first: SettingKey;
  readonly second: SettingKey;
  /** `level`: a contradiction on the same level only, since an inner level overrides an outer one; `any`: on whichever levels. */

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
    second: 'length',
    within: 'any',
    why: (name) => `${name('stable')} ends a run when enough is measured`,
  },
  {
    first: 'length',
    second: 'iterations',
    within: 'level',
    why: (name) => `${name('length')} says how many iterations, too`,
  },
  {
    first: 'stable',
    second: 'warmup-iterations',
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
    iteration: schema.optional().describe('Time limit of one iteration: 10s, or none.'),
    run: schema.optional().describe('Time limit of one run: 5m, or none.'),
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
  { kind, flags, group }: { kind: Kind<Value>; flags: string; group: FlagGroup },
): { readonly schema: z.ZodType<Value>; readonly flags: readonly Flag[] } {
  const flag = flagOf(flags, group, [key], kind);
  return { schema: kind.schema, flags: [flag] };
}

function byMethod(why: string): Unfit {
  return { because: 'method', why };
}

/** Outputs can be compared where they hold no times. */
function unfitForOutputs(_: unknown, { workload }: Subject): Unfit | null {
  return workloadFacts[workload].timesItself ? byWorkload('what it prints are its own times') : null;
}

function byWorkload(why: string): Unfit {
  return { because: 'workload', why };
}

/** True if a run makes several iterations of a side. */
function repeats(method: Subject['method'], workload: Subject['workload']): boolean {
  return workloadFacts[workload].timesItself || (factsOf(method)?.executions ?? 1) > 1;
}

/** Facts of a method; `null` for `auto`, whose method is not yet known. */
function factsOf(method: Subject['method']): (typeof methodFacts)[Method] | null {
  return method === 'auto' ? null : methodFacts[method];
}

function hasBarrier(method: Subject['method']): boolean {
  return method === 'auto' || methodFacts[method].barrier;
}

/** Why something that needs a harness in a sync-duet does nothing. */
function inSyncDuet({ method, workload }: Subject, why: string): Unfit | null {
  if (!workloadFacts[workload].protocol) return byWorkload('it is for a harness in sync-duet');
  return meetsOnOwnCores(method) ? null : byMethod(why);
}

function toStableRule(value: StableLayer): StableRule {
  return {
    criteria: [...value.criteria],
    combine: value.combine ?? stableDefaults.combine,
    // By the program kld ends warm-ups where the paper's results have them, after 19 iterations instead of 16 (docs/methods/procedures/stopping.md).
    like: value.like ?? (value.criteria.includes('kld') ? 'jmh-reconfigure' : stableDefaults.like),
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
