import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { checkPaired } from './check-paired.ts';
import type { RunsOfTimes } from './runs-of-times.ts';

/**
 * The natural logarithm of every run's geometric mean ratio x / y. A mean of logarithms neither overflows nor underflows,
 * whatever the number of iterations.
 *
 * @throws RangeError as `pairedRatios`.
 */
export const runLogRatios = (x: RunsOfTimes, y: RunsOfTimes): Float64Array => {
  checkPaired(x, y);
  return Float64Array.from(x, (run, r) => {
    const below = at(y, r);
    const logs = new Float64Array(run.length);
    for (let i = 0; i < run.length; i++) logs[i] = Math.log(run[i]!) - Math.log(below[i]!);
    return mean(logs);
  });
};
