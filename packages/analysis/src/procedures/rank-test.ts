import { mannWhitneyU, mean } from '@deadheat/stats';
import type { Detection } from './detection.ts';
import type { PairedRun } from './paired-run.ts';

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
export const rankTest = (runs: readonly Pick<PairedRun, 'A' | 'B'>[], options: RankTestOptions = {}): RankDetection => {
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
};
