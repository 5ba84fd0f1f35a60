import { z } from 'zod';
import { procedureOf, runLimits, type RunLimits, type StopRuleKind } from './stop-rule.ts';

/** At least this many runs, and this much time, ns, where the user does not say. */
export const enoughRuns = 20;
export const enoughTimeNs = 5e9;

/** The first moment with at least `minRuns` runs and `minTimeNs` spent, at most `maxRuns` runs. */
export const enoughSchema = z.object({
  kind: z.literal('enough'),
  minRuns: z.int().positive(),
  maxRuns: z.int().positive().nullable(),
  minTimeNs: z.int().nonnegative(),
});

/** The rule that counts where no other is asked for. */
export const enoughRule: StopRuleKind<z.infer<typeof enoughSchema>, RunLimits> = {
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
