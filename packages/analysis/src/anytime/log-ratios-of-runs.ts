import type { Method } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import { pairedTimes } from '../metric/paired-times.ts';
import { runLogRatios } from '../pairing/paired-ratios.ts';
import type { UsableRun } from '../pairing/select-runs.ts';

/**
 * The logarithm of every run's ratio B / A: of a duet the mean over its pairs, of sequential runs that of the sides' mean times.
 */
export const logRatiosOfRuns = (
  runs: readonly UsableRun[],
  { method, times }: { readonly method: Method; readonly times: JudgedTimes },
): Float64Array => {
  if (method !== 'sequential') {
    const pairs = pairedTimes(runs, times);
    return runLogRatios(pairs.B, pairs.A);
  }
  return Float64Array.from(runs, (_, r) => Math.log(mean(at(times.B, r)) / mean(at(times.A, r))));
};
