import { z } from 'zod';
import { procedureOf, type StopRuleKind } from './stop-rule.ts';

/** Exactly this many runs. */
export const runsSchema = z.object({ kind: z.literal('runs'), runs: z.int().positive() });

export const runsRule: StopRuleKind<z.infer<typeof runsSchema>, { readonly runs?: number | undefined }> = {
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
