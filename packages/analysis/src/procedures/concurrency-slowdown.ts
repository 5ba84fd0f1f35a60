import type { Ratio } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { sequentialRatioInterval } from '../interval/sequential-ratio-interval.ts';
import type { RunsOfTimes } from '../pairing/runs-of-times.ts';
import { widthOptions } from './width-options.ts';
import type { WidthOptions } from './width-options.ts';

/**
 * How many times longer the same work takes with a copy of itself beside it: mean time in an A/A duet over mean time alone.
 * Near 1: the sides do not get into each other's way. Between 1 and 2: they share a core's resources, as hyperthreads do.
 * Above 2: something holds back whoever uses both cores, as a quota does. Every run weighs the same.
 *
 * @param times.concurrent of one or both sides of an A/A duet, at least two runs.
 * @param times.isolated of the same work by itself, at least two runs, in the same unit.
 * @returns the ratio with its interval; defaults as `WidthOptions`.
 * @throws RangeError as `sequentialRatioInterval`.
 * Source: Bulej et al., ICPE'20, section 4.4 and figure 7.
 */
export const concurrencySlowdown = (
  times: { readonly concurrent: RunsOfTimes; readonly isolated: RunsOfTimes },
  options: WidthOptions,
): Ratio =>
  sequentialRatioInterval(
    times.isolated.map((run) => mean(run)),
    times.concurrent.map((run) => mean(run)),
    widthOptions(options),
  ).ratio;
