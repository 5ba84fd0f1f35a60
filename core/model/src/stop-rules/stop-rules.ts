import { z } from 'zod';
import { decidedRule, decidedSchema } from './decided.ts';
import { enoughRule, enoughSchema } from './enough.ts';
import { precisionRule, precisionSchema } from './precision.ts';
import { runsRule, runsSchema } from './runs.ts';
import { stableSchema, stableStopRule } from './stable.ts';
import type { StopProcedure, StopRuleKind } from './stop-rule.ts';

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
