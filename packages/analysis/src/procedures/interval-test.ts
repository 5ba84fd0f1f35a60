import type { Random } from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import type { IntervalOptions } from '../interval/interval-options.ts';
import { pairedDifferenceInterval } from '../interval/paired-difference-interval.ts';
import type { Detection } from './detection.ts';
import { pairMeanDifferences } from './pair-mean-differences.ts';
import type { PairedRun } from './paired-run.ts';

/** The outcome of `intervalTest`: the mean paired difference B - A and its interval, in the unit of the times. */
export interface IntervalDetection extends Detection {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  /** Runs that had a pair, each one value of the sample. */
  readonly runs: number;
}

/**
 * The confidence interval test: a change is reported when the interval of the mean paired difference leaves out 0. The sample
 * is the mean difference of every run's pairs; runs without a pair are left out.
 *
 * @param options defaults: `bca`, 95 %, 9 999 replicates.
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two runs that have pairs.
 * @throws RangeError for paired times that are not finite and above 0.
 * Source: Drozdik 2023, section 4.3.2, with the sign turned so that more than 0 means that B takes longer.
 */
export const intervalTest = (
  runs: readonly PairedRun[],
  options: Partial<Omit<IntervalOptions, 'random'>> & { readonly random: Random },
): IntervalDetection => {
  const { kind = 'bca', confidence = 0.95, replicates = 9999, random } = options;
  const usable = runs.filter(({ pairs }) => pairs.length > 0);
  if (usable.length < 2) {
    throw new AnalysisError(
      'TOO_FEW_RUNS',
      `${usable.length} of ${runs.length} runs have pairs; the interval test needs at least 2, so record more runs, or ` +
        'lower the minimum overlap rate where iterations are paired by overlap',
    );
  }
  const differences = pairMeanDifferences(usable);
  const interval = pairedDifferenceInterval(differences, { kind, confidence, replicates, random });
  const direction = interval.lowNs > 0 ? 'slower' : interval.highNs < 0 ? 'faster' : 'none';
  return {
    detected: direction !== 'none',
    direction,
    estimate: interval.estimateNs,
    low: interval.lowNs,
    high: interval.highNs,
    confidence,
    runs: usable.length,
  };
};
