import type { ExperimentConfig, InterimRule } from '@deadheat/model';
import { anytimeOutlook, anytimeVerdict, detectableAnytime } from '../anytime/anytime-verdict.ts';
import { anytimePValues, sequentialResult, toSequentialRatio } from '../anytime/sequential-result.ts';
import { notDecided } from '../warnings/not-decided.ts';
import { withoutDoubt, type Judging } from './judging.ts';

/**
 * Judges by the interval that holds at every interim analysis, as the stop rule did while runs were made.
 *
 * @param facts.runs usable runs.
 */
export function judgeAnytime(
  config: ExperimentConfig,
  { interim, runs }: { readonly interim: InterimRule; readonly runs: number },
): Judging {
  const { confidence, margin } = config;
  return ({ estimate, anytimeAt }) => {
    const ratio = anytimeAt(confidence);
    const verdict = withoutDoubt(anytimeVerdict(ratio, margin), estimate);
    const sequential = () => sequentialResult(ratio, { config, interim, runs });
    return {
      estimate,
      verdict,
      decidedBy: 'sequential',
      sequentialRatio: toSequentialRatio(ratio),
      sequential,
      pValues: () => anytimePValues(anytimeAt, margin),
      detectable: () => detectableAnytime(ratio, margin),
      outlook: (pace) => anytimeOutlook(ratio, { verdict, margin, ...pace }),
      intervalWarnings: () => [],
      verdictWarnings: (pace) =>
        interim.asksVerdict && !sequential().reached ? notDecided(ratio, { config, ...pace }) : [],
    };
  };
}
