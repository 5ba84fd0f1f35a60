import { z } from 'zod';
import {
  type StopProcedure,
  type StopRuleKind,
  procedureOf,
  runLimits,
  type RunLimits,
  leastRuns,
  percent,
  seconds,
} from './stop-rule.ts';

/** Fewest and most runs, `null` = any number. */
const limits = { minRuns: z.int().positive(), maxRuns: z.int().positive().nullable() };

/** FSE'20, section 5.3.2: fewest and most runs (forks) where the user does not say. */
const stableRuns: { readonly least: number; readonly most: number } = { least: 2, most: 5 };

/** Goes on until the rule `stable` of the settings calls what runs measured stable too. */
const stableSchema = z.object({
  kind: z.literal('stable'),
  minRuns: z.int().positive(),
  maxRuns: z.int().positive(),
});

/** Asked for by the criteria of `stable` inside a run, unless another rule is asked for. */
const stableStopRule: StopRuleKind<
  z.infer<typeof stableSchema>,
  RunLimits & { readonly stable?: object | 'never' | undefined }
> = {
  keys: [],
  takesLimits: true,
  ask: ({ stable, 'min-runs': minRuns, 'max-runs': maxRuns }) => {
    if (stable === undefined || stable === 'never') return null;
    // A fewest above the default most raises that.
    const most = maxRuns ?? Math.max(stableRuns.most, minRuns ?? 0);
    return { kind: 'stable', minRuns: minRuns ?? Math.min(stableRuns.least, most), maxRuns: most };
  },
  of: ({ minRuns, maxRuns }) => ({
    ...procedureOf({ minRuns, maxRuns }),
    endsByItself: true,
    stableRuns: { least: minRuns, most: maxRuns },
    asked: {},
    isEnough: ({ runs, isStable, liftCaps }) => isStable || runs >= Math.floor(maxRuns * liftCaps),
    shareDone: ({ runs }) => runs / maxRuns,
    expectedTimeNs: ({ timeOf, liftCaps }) => [timeOf(minRuns), timeOf(Math.floor(maxRuns * liftCaps))],
    until: () => 'until they are stable',
  }),
};

/** Exactly this many runs. */
const runsSchema = z.object({ kind: z.literal('runs'), runs: z.int().positive() });

const runsRule: StopRuleKind<z.infer<typeof runsSchema>, { readonly runs?: number | undefined }> = {
  keys: ['runs'],
  takesLimits: false,
  ask: ({ runs }) => (runs === undefined ? null : { kind: 'runs', runs }),
  of: ({ runs }) => ({
    ...procedureOf({ minRuns: runs, maxRuns: runs }),
    fixedRuns: runs,
    endsByItself: true,
    asked: { runs },
    isEnough: (progress) => progress.runs >= runs,
    shareDone: (progress) => progress.runs / runs,
    expectedTimeNs: ({ timeOf }) => [timeOf(runs), timeOf(runs)],
    until: () => null,
  }),
};

/** Goes on until the half-width of the interval that holds at every interim analysis is at most `precision`. */
const precisionSchema = z.object({
  kind: z.literal('precision'),
  precision: z.number().positive(),
  ...limits,
});

/** Keeps a whole number of runs from being rounded up by the last bit of a quotient. */
const rounding = 1e-6;

const precisionRule: StopRuleKind<
  z.infer<typeof precisionSchema>,
  RunLimits & { readonly precision?: number | undefined }
> = {
  keys: ['precision'],
  takesLimits: true,
  ask: ({ precision, ...said }) =>
    precision === undefined ? null : { kind: 'precision', precision, ...runLimits(said, enoughRuns) },
  of: ({ precision, minRuns, maxRuns }) => {
    const procedure = procedureOf({ minRuns, maxRuns });
    const { mostRuns } = procedure;
    return {
      ...procedure,
      interim: { from: minRuns, isReached: ({ halfWidth }) => halfWidth <= precision, asksVerdict: false },
      asked: { precision },
      isEnough: ({ runs }) => runs >= mostRuns,
      shareDone: () => 0,
      expectedTimeNs: ({ timeOf }) => [timeOf(minRuns), timeOf(mostRuns)],
      until: ({ share }) => `until the interval reaches no further than ${share(precision)}`,
      // The half-width of an interval shrinks with the square root of the number of runs.
      limitWarning: ({ benchmark, runs, halfWidth, nsPerRun }) => {
        const wanted = Math.ceil(runs * (halfWidth / precision) ** 2 - rounding);
        return {
          code: 'PRECISION_NOT_REACHED',
          message:
            `${benchmark}: --max-time ended it after ${runs} runs with an interval of about ${percent(halfWidth)} to either side; ` +
            `${percent(precision)} was wanted. About ${wanted} runs would bring it (--max-time ${seconds(nsPerRun * wanted)}).`,
        };
      },
    };
  },
};

/** Goes on until the verdict is safe, or cannot be within the limits. */
const decidedSchema = z.object({
  kind: z.literal('decided'),
  /** The only verdict that is waited for: a benchmark ends as soon as it is unlikely. Absent = any verdict. */
  only: z.literal('faster').optional(),
  ...limits,
});

const decidedRule: StopRuleKind<
  z.infer<typeof decidedSchema>,
  RunLimits & { readonly until?: 'decided' | 'faster' | undefined }
> = {
  keys: ['until'],
  takesLimits: true,
  ask: ({ until, ...said }) =>
    until === undefined
      ? null
      : { kind: 'decided', ...(until === 'faster' ? { only: until } : {}), ...runLimits(said, leastRuns) },
  of: ({ only, minRuns, maxRuns }) => {
    const procedure = procedureOf({ minRuns, maxRuns });
    const { mostRuns } = procedure;
    return {
      ...procedure,
      interim: {
        from: minRuns,
        isReached: ({ decided }) => decided,
        asksVerdict: true,
        ...(only === undefined ? {} : { only }),
      },
      asked: { until: only ?? 'decided' },
      isEnough: ({ runs }) => runs >= mostRuns,
      shareDone: () => 0,
      expectedTimeNs: ({ timeOf }) => [timeOf(minRuns), timeOf(mostRuns)],
      until: () => (only === undefined ? 'until the verdict is safe' : `until B is ${only}, or hardly can be`),
      // A comparison that is not decided says so itself.
      limitWarning: () => null,
    };
  },
};

/** At least this many runs, and this much time, ns, where the user does not say. */
export const enoughRuns = 20;
const enoughTimeNs = 5e9;

/** The first moment with at least `minRuns` runs and `minTimeNs` spent, at most `maxRuns` runs. */
const enoughSchema = z.object({
  kind: z.literal('enough'),
  ...limits,
  minTimeNs: z.int().nonnegative(),
});

/** The rule that counts where no other is asked for. */
const enoughRule: StopRuleKind<z.infer<typeof enoughSchema>, RunLimits> = {
  keys: [],
  takesLimits: true,
  ask: (said) => ({ kind: 'enough', ...runLimits(said, enoughRuns), minTimeNs: enoughTimeNs }),
  of: ({ minRuns, maxRuns, minTimeNs }) => {
    const procedure = procedureOf({ minRuns, maxRuns });
    const { mostRuns } = procedure;
    return {
      ...procedure,
      asked: {},
      isEnough: ({ runs, elapsedNs }) => runs >= mostRuns || (runs >= minRuns && elapsedNs >= minTimeNs),
      shareDone: ({ runs, elapsedNs }) => Math.min(runs / minRuns, minTimeNs === 0 ? 1 : elapsedNs / minTimeNs),
      expectedTimeNs: ({ timeOf }) => {
        const time = Math.min(Math.max(timeOf(minRuns), minTimeNs), timeOf(mostRuns));
        return [time, time];
      },
      until: ({ stretch }) => `until ${stretch(minTimeNs)} have passed`,
    };
  },
};

/** When an experiment has enough runs of a benchmark. Every field counts for one benchmark. */
export const stopRuleSchema = z.discriminatedUnion('kind', [
  runsSchema,
  enoughSchema,
  precisionSchema,
  decidedSchema,
  stableSchema,
]);
export type StopRule = z.infer<typeof stopRuleSchema>;

/** Every kind, in the order in which settings are asked: the first that they ask for counts, and `enough` takes all. */
const kinds = {
  runs: runsRule,
  precision: precisionRule,
  decided: decidedRule,
  stable: stableStopRule,
  enough: enoughRule,
} satisfies { readonly [Kind in StopRule['kind']]: StopRuleKind<Extract<StopRule, { kind: Kind }>, never> };

type Kinds = (typeof kinds)[StopRule['kind']];
/** All settings that rules read. */
type StopSettings = Kinds extends { readonly ask: (said: infer Said) => unknown } ? Said : never;

const everyKind: readonly StopRuleKind<StopRule, StopSettings>[] = Object.values(kinds) as never;

/** A rule in force. Whoever wants to know something of a rule asks here; its `kind` is nobody else's business. */
export function stopRuleOf(stop: StopRule): StopProcedure {
  const kind: StopRuleKind<StopRule, StopSettings> = kinds[stop.kind] as never;
  return kind.of(stop);
}

/** The rule that settings ask for. */
export function askedStopRule(said: StopSettings): StopRule {
  for (const kind of everyKind) {
    const stop = kind.ask(said);
    if (stop !== null) return stop;
  }
  throw new RangeError('no stop rule is asked for');
}

const limitKeys: readonly string[] = ['min-runs', 'max-runs'];

/** Keys of settings about stop rules that count no more where an inner layer has the keys `said`. */
export function replacedByStopSettings(said: readonly string[]): readonly string[] {
  const asked = everyKind.filter(({ keys }) => keys.some((key) => said.includes(key)));
  const hasLimits = limitKeys.some((key) => said.includes(key));
  const others = everyKind.filter((kind) => asked.some((other) => other !== kind) || (hasLimits && !kind.takesLimits));
  return [...others.flatMap(({ keys }) => keys), ...(asked.some(({ takesLimits }) => !takesLimits) ? limitKeys : [])];
}
