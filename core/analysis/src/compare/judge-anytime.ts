import type { ExperimentConfig, InterimRule } from '@deadheat/model';
import { anytimeOutlook, anytimeVerdict, detectableAnytime, runsUntil } from '../anytime/anytime-verdict.ts';
import { anytimePValues, sequentialResult, toSequentialRatio } from '../anytime/sequential-result.ts';
import { notDecided } from '../warnings/not-decided.ts';
import { claimedVerdict, moreRuns, type Judging } from './judging.ts';
import { reachToTell } from '../verdict/decide-verdict.ts';
import { runsToTell } from '../warnings/slow-now-and-then.ts';

/**
 * Judges by the interval that holds at every interim analysis, as the stop rule did while runs were made.
 *
 * @param facts.runs usable runs.
 */
export function judgeAnytime(
  config: ExperimentConfig,
  { interim, runs }: { readonly interim: InterimRule; readonly runs: number },
): Judging {
  const { confidence, margin, deadHeatBound: bound } = config;
  return ({ estimate, anytimeAt }) => {
    const ratio = anytimeAt(confidence);
    const { slow } = estimate;
    const detectable = () => detectableAnytime(ratio, margin);
    const verdict = claimedVerdict(anytimeVerdict(ratio, margin), { slow, interval: ratio, detectable, config });
    const runsToDecide = (made: number): number | null => {
      const needed = runsUntil(ratio, reachToTell(ratio.log.mean, { bound, confidence }));
      return needed === null || slow === null ? needed : Math.max(needed, runsToTell(slow, made));
    };
    const sequential = () => sequentialResult(ratio, { config, interim, runs });
    return {
      estimate,
      verdict,
      decidedBy: 'sequential',
      sequentialRatio: toSequentialRatio(ratio),
      sequential,
      pValues: () => anytimePValues(anytimeAt, margin),
      detectable,
      outlook: (pace) => {
        if (verdict !== 'undecided') return null;
        return margin > 0
          ? anytimeOutlook(ratio, { verdict, margin, ...pace })
          : moreRuns(runsToDecide(pace.runs), pace);
      },
      intervalWarnings: () => [],
      verdictWarnings: (pace) =>
        interim.asksVerdict && !sequential().reached ? notDecided(ratio, { config, ...pace }) : [],
    };
  };
}
