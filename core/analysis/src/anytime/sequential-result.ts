import type { Comparison, ExperimentConfig, InterimRule, SequentialRatio } from '@deadheat/model';
import { relativeHalfWidth } from '../verdict/decide-verdict.ts';
import type { AnytimeRatio } from './anytime-ratio.ts';
import { anytimeVerdict, isDecided } from './anytime-verdict.ts';
import { countInterimAnalyses } from './interim-schedule.ts';

/** An anytime-valid ratio as a report has it. */
export function toSequentialRatio({ estimate, low, high, confidence }: AnytimeRatio): SequentialRatio {
  return {
    estimate,
    low,
    high,
    confidence,
    interval: 'anytime-t',
  };
}

/** The same for the metric that decides, with what the stop rule made of it. */
export function sequentialResult(
  ratio: AnytimeRatio,
  facts: {
    readonly config: Pick<ExperimentConfig, 'stop' | 'swap' | 'margin' | 'confidence' | 'method'>;
    readonly interim: InterimRule;
    readonly runs: number;
  },
): NonNullable<Comparison['sequential']> {
  const { margin } = facts.config;
  return {
    ...toSequentialRatio(ratio),
    looks: countInterimAnalyses(facts.runs, facts.config),
    reached: facts.interim.isReached({
      halfWidth: relativeHalfWidth(ratio),
      decided: isDecided(anytimeVerdict(ratio, margin), margin),
    }),
  };
}

/** Below this a level is 0 for every purpose. */
const smallest = 1e-12;
const largest = 1 - 1e-9;
const steps = 60;

/** The smallest level at which `isExcluded`, which then holds at every larger one. */
function smallestLevel(isExcluded: (level: number) => boolean): number {
  if (!isExcluded(largest)) return 1;
  if (isExcluded(smallest)) return smallest;
  let [below, above] = [Math.log(smallest), Math.log(largest)];
  for (let step = 0; step < steps; step++) {
    const middle = (below + above) / 2;
    if (isExcluded(Math.exp(middle))) above = middle;
    else below = middle;
  }
  return Math.exp(above);
}

/**
 * One-sided p values as of `pValues` that may be taken at any interim analysis: half the smallest level at which the interval
 * that holds at every one of them lies beyond the margin; 1 where it does at none.
 *
 * @param ratioAt the same runs' ratio with an interval of another confidence.
 */
export function anytimePValues(ratioAt: (confidence: number) => AnytimeRatio, margin: number): Comparison['pValues'] {
  const edge = Math.log1p(margin);
  const half = (level: number): number => (level === 1 ? 1 : level / 2);
  return {
    slower: half(smallestLevel((level) => ratioAt(1 - level).log.low > edge)),
    faster: half(smallestLevel((level) => ratioAt(1 - level).log.high < -edge)),
  };
}
