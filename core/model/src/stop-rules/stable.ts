import { z } from 'zod';
import { procedureOf, type RunLimits, type StopRuleKind } from './stop-rule.ts';

/** FSE'20, section 5.3.2: fewest and most runs (forks) where the user does not say. */
const stableRuns: { readonly least: number; readonly most: number } = { least: 2, most: 5 };

/** Goes on until the rule `stable` of the settings calls what runs measured stable too. */
export const stableSchema = z.object({
  kind: z.literal('stable'),
  minRuns: z.int().positive(),
  maxRuns: z.int().positive(),
});

/** Asked for by the criteria of `stable` inside a run, unless another rule is asked for. */
export const stableStopRule: StopRuleKind<
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
