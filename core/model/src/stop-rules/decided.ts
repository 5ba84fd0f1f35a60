import { z } from 'zod';
import { leastRuns, procedureOf, runLimits, type RunLimits, type StopRuleKind } from './stop-rule.ts';

/** Goes on until the verdict is safe, or cannot be within the limits. */
export const decidedSchema = z.object({
  kind: z.literal('decided'),
  minRuns: z.int().positive(),
  maxRuns: z.int().positive().nullable(),
});

export const decidedRule: StopRuleKind<
  z.infer<typeof decidedSchema>,
  RunLimits & { readonly until?: 'decided' | undefined }
> = {
  keys: ['until'],
  takesLimits: true,
  ask: ({ until, ...said }) => (until === 'decided' ? { kind: 'decided', ...runLimits(said, leastRuns) } : null),
  of: ({ minRuns, maxRuns }) => {
    const procedure = procedureOf({ minRuns, maxRuns });
    const { mostRuns } = procedure;
    return {
      ...procedure,
      interim: { from: minRuns, isReached: ({ decided }) => decided, asksVerdict: true },
      asked: { until: 'decided' },
      isEnough: ({ runs }) => runs >= mostRuns,
      shareDone: () => 0,
      expectedTimeNs: ({ timeOf }) => [timeOf(minRuns), timeOf(mostRuns)],
      until: () => 'until the verdict is safe',
      // A comparison that is not decided says so itself.
      limitWarning: () => null,
    };
  },
};
