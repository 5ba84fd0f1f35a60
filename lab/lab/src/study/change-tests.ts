import { mannWhitneyU, mean, type Random } from '@deadheat/stats';
import { AnalysisError, at, meanInterval, runMeanDifferences } from '@deadheat/analysis';
import type { PairedRun } from './paired-run.ts';

/** What a test for a change says about B against A. */
export interface Detection {
  /** Whether it reports a change, in whichever direction. */
  readonly detected: boolean;
  /** `none` exactly when nothing was detected. */
  readonly direction: 'slower' | 'faster' | 'none';
}

/** A test for a change over the runs of one experiment; it draws from the given stream alone. */
export type DetectionTest = (runs: readonly PairedRun[], random: Random) => Detection;

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
export function intervalTest(
  runs: readonly PairedRun[],
  options: Partial<Omit<Parameters<typeof meanInterval>[1], 'random'>> & { readonly random: Random },
): IntervalDetection {
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
  const { estimate, low, high } = meanInterval(differences, { kind, confidence, replicates, random });
  const direction = low > 0 ? 'slower' : high < 0 ? 'faster' : 'none';
  return {
    detected: direction !== 'none',
    direction,
    estimate,
    low,
    high,
    confidence,
    runs: usable.length,
  };
}

/** Drawn sets hold the same runs again and again; the times of a run do not change. */
const known = new WeakMap<PairedRun, number>();

/**
 * The mean difference B - A over the pairs of every run, each of which has at least one.
 *
 * @throws RangeError as `runMeanDifferences`.
 */
function pairMeanDifferences(runs: readonly PairedRun[]): Float64Array {
  if (runs.some((run) => !known.has(run))) {
    const differences = runMeanDifferences(
      runs.map((run) => Float64Array.from(run.pairs, ({ b }) => at(run.B, b))),
      runs.map((run) => Float64Array.from(run.pairs, ({ a }) => at(run.A, a))),
    );
    for (const [r, run] of runs.entries()) known.set(run, at(differences, r));
  }
  return Float64Array.from(runs, (run) => known.get(run) ?? Number.NaN);
}

/** The outcome of `rankTest`. */
export interface RankDetection extends Detection {
  /** Two-sided p value. */
  readonly p: number;
  /** P(B > A) + P(B = A) / 2 for a random time of either side; 1/2 means no difference. */
  readonly a12: number;
}

/** How `rankTest` decides. */
export interface RankTestOptions {
  /**
   * `iterations` (default): all iterations of all runs pooled, as in the thesis. Iterations of one run resemble each other,
   * so this reports too many changes where runs differ. `run-means`: one value a run, which are independent; needs four
   * runs a side to report anything at 5 %.
   */
  readonly sample?: 'iterations' | 'run-means';
  /** A change is reported for p below this; inside (0, 1), default 0.05. */
  readonly significance?: number;
}

/**
 * The two-sided Mann-Whitney test of B's times against A's. Pairs play no part, also not for what is left out: every
 * iteration counts once.
 *
 * @throws RangeError without iterations on both sides, times that are not finite, a significance out of its range.
 * Source: Drozdik 2023, section 4.3.3.
 */
export function rankTest(runs: readonly Pick<PairedRun, 'A' | 'B'>[], options: RankTestOptions = {}): RankDetection {
  const { sample = 'iterations', significance = 0.05 } = options;
  if (!(significance > 0 && significance < 1)) {
    throw new RangeError(`significance must lie inside (0, 1), got ${significance}`);
  }
  const valuesOf = (side: 'A' | 'B'): number[] => {
    const filled = runs.map((run) => run[side]).filter((times) => times.length > 0);
    return sample === 'iterations' ? filled.flatMap((times) => Array.from(times)) : filled.map((times) => mean(times));
  };
  const { p, a12 } = mannWhitneyU(valuesOf('B'), valuesOf('A'));
  const detected = p < significance;
  return { detected, direction: detected ? (a12 > 0.5 ? 'slower' : 'faster') : 'none', p, a12 };
}
