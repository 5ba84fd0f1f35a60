import { at } from '../internal/at.ts';
import { checkPaired } from './check-paired.ts';
import type { RunsOfTimes } from './runs-of-times.ts';

/**
 * The ratio x / y of every pair, run by run.
 *
 * @param x times above the line; B's, for a ratio in which more than 1 means that B is slower.
 * @param y times below the line, of the same shape.
 * @throws RangeError when the shapes differ, a run is empty, or a time is not finite and above 0.
 * Source: Bulej et al., ICPE'20, section 3, step 2.
 */
export const pairedRatios = (x: RunsOfTimes, y: RunsOfTimes): number[][] => {
  checkPaired(x, y);
  return x.map((run, r) => Array.from(run, (time, i) => time / at(at(y, r), i)));
};
