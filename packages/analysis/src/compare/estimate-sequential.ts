import type { Metric } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { kindForUnits } from '../interval/kind-for-units.ts';
import { welchError } from '../interval/welch-error.ts';
import { sequentialRatioInterval } from '../interval/sequential-ratio-interval.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import type { Estimate } from './estimate.ts';
import type { JudgeSetup } from './judge-setup.ts';

const meansOf = (runs: readonly Float64Array[]): Float64Array =>
  Float64Array.from(
    runs.filter(({ length }) => length > 0),
    (run) => mean(run),
  );

/**
 * The ratio of two sides that never ran at the same time, by the standard method over run means. A run counts for the
 * sides that it has iterations of.
 */
export const estimateSequential = (
  setup: JudgeSetup,
  measured: { readonly metric: Metric; readonly times: JudgedTimes },
): Estimate => {
  const { confidence, replicates, random } = setup;
  const A = meansOf(measured.times.A);
  const B = meansOf(measured.times.B);
  const { members } = setup.units;
  const { ratio, difference, standardError, logParts } = sequentialRatioInterval(A, B, {
    kind: kindForUnits(setup.interval, { units: Math.min(A.length, B.length), confidence, samples: 2 }),
    confidence,
    replicates,
    random: random(measured.metric),
  });
  return {
    ratio,
    difference: () => difference,
    pairingGain: () => null,
    standardDeviation: standardError * Math.sqrt(members.length),
    logError: { logRatio: Math.log(ratio.estimate), ...welchError(logParts) },
    unitLogRatios: Float64Array.from(members, (_, r) => Math.log(at(B, r) / at(A, r))),
    unitDifferencesNs: () => Float64Array.from(members, (_, r) => at(B, r) - at(A, r)),
  };
};
