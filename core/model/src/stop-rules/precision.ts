import { z } from 'zod';
import { enoughRuns } from './enough.ts';
import { percent, procedureOf, runLimits, seconds, type RunLimits, type StopRuleKind } from './stop-rule.ts';

/** Goes on until the half-width of the interval that holds at every interim analysis is at most `precision`. */
export const precisionSchema = z.object({
  kind: z.literal('precision'),
  precision: z.number().positive(),
  minRuns: z.int().positive(),
  maxRuns: z.int().positive().nullable(),
});

/** Keeps a whole number of runs from being rounded up by the last bit of a quotient. */
const rounding = 1e-6;

export const precisionRule: StopRuleKind<
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
