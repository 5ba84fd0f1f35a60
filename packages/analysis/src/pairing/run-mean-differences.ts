import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { checkPaired } from './check-paired.ts';
import type { RunsOfTimes } from './runs-of-times.ts';

/**
 * The mean over each run of the paired differences x - y, in the unit of the times.
 *
 * @throws RangeError as `pairedRatios`.
 * Source: Drozdik 2023, section 4.3.2 ("run means"), with the sign turned so that more than 0 means x takes longer.
 */
export const runMeanDifferences = (x: RunsOfTimes, y: RunsOfTimes): Float64Array => {
  checkPaired(x, y);
  return Float64Array.from(x, (run, r) => {
    const other = at(y, r);
    const differences = new Float64Array(run.length);
    for (let i = 0; i < run.length; i++) differences[i] = run[i]! - other[i]!;
    return mean(differences);
  });
};
