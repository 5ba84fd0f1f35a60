import { runLogRatios } from './run-log-ratios.ts';
import type { RunsOfTimes } from './runs-of-times.ts';

/**
 * The geometric mean of every run's paired ratios x / y.
 *
 * @throws RangeError as `pairedRatios`.
 * Source: Bulej et al., ICPE'20, section 3, step 3.
 */
export const runGeometricMeans = (x: RunsOfTimes, y: RunsOfTimes): number[] =>
  Array.from(runLogRatios(x, y), (log) => Math.exp(log));
