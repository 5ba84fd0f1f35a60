import { mean } from '@deadheat/stats';
import { runLogRatios } from './run-log-ratios.ts';
import type { RunsOfTimes } from './runs-of-times.ts';

/**
 * The geometric mean over runs of the runs' geometric means: the estimate of the ratio of times x / y. Every run weighs
 * the same, however many iterations it holds.
 *
 * @throws RangeError as `pairedRatios`, and without runs.
 * Source: Bulej et al., ICPE'20, section 3, step 4.
 */
export const grandGeometricMean = (x: RunsOfTimes, y: RunsOfTimes): number => Math.exp(mean(runLogRatios(x, y)));
