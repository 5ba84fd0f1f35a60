import type { Comparison, ExperimentConfig, SequentialRatio } from '@deadheat/model';
import { relativeHalfWidth } from '../verdict/half-width.ts';
import type { AnytimeRatio } from './anytime-ratio.ts';
import { anytimeVerdict } from './anytime-verdict.ts';
import { isDecided } from './is-decided.ts';
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
