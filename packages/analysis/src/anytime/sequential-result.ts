import type { Comparison, ExperimentConfig, SequentialRatio } from '@deadheat/model';
import { relativeHalfWidth } from '../verdict/decide-verdict.ts';
import type { AnytimeRatio } from './anytime-ratio.ts';
import { anytimeVerdict, isDecided } from './anytime-verdict.ts';
import { looksUpTo } from './looks.ts';

/** An anytime-valid ratio as a report has it. */
export const toSequentialRatio = ({ estimate, low, high, confidence }: AnytimeRatio): SequentialRatio => ({
  estimate,
  low,
  high,
  confidence,
  interval: 'anytime-t',
});

/** The same for the metric that decides, with what the stop rule made of it. */
export const sequentialResult = (
  ratio: AnytimeRatio,
  facts: {
    readonly config: Pick<ExperimentConfig, 'stop' | 'swap' | 'margin' | 'confidence' | 'method'>;
    readonly runs: number;
  },
): Comparison['sequential'] => {
  const { stop, margin } = facts.config;
  return {
    ...toSequentialRatio(ratio),
    looks: looksUpTo(facts.runs, facts.config),
    reached:
      stop.kind === 'precision'
        ? relativeHalfWidth(ratio) <= stop.precision
        : isDecided(anytimeVerdict(ratio, margin), margin),
  };
};

/** Below this a level is 0 for every purpose. */
const SMALLEST = 1e-12;
const LARGEST = 1 - 1e-9;
const STEPS = 60;

/** The smallest level at which `isExcluded`, which then holds at every larger one. */
const smallestLevel = (isExcluded: (level: number) => boolean): number => {
  if (!isExcluded(LARGEST)) return 1;
  if (isExcluded(SMALLEST)) return SMALLEST;
  let [below, above] = [Math.log(SMALLEST), Math.log(LARGEST)];
  for (let step = 0; step < STEPS; step++) {
    const middle = (below + above) / 2;
    if (isExcluded(Math.exp(middle))) above = middle;
    else below = middle;
  }
  return Math.exp(above);
};

/**
 * One-sided p values as of `pValues` that may be taken at any look: half the smallest level at which the interval that holds
 * at every look lies beyond the margin; 1 where it does at none.
 *
 * @param ratioAt the same runs' ratio with an interval of another confidence.
 */
export const anytimePValues = (
  ratioAt: (confidence: number) => AnytimeRatio,
  margin: number,
): Comparison['pValues'] => {
  const edge = Math.log1p(margin);
  const half = (level: number): number => (level === 1 ? 1 : level / 2);
  return {
    slower: half(smallestLevel((level) => ratioAt(1 - level).log.low > edge)),
    faster: half(smallestLevel((level) => ratioAt(1 - level).log.high < -edge)),
  };
};
