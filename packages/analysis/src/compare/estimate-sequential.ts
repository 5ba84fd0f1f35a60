import type { Metric } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { kindForUnits } from '../interval/kind-for-units.ts';
import { sequentialRatioInterval } from '../interval/sequential-ratio-interval.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import type { Estimate } from './estimate.ts';
import type { JudgeSetup } from './judge-setup.ts';

/** The ratio of two sides that never ran at the same time, by the standard method over run means. */
export const estimateSequential = (
  setup: JudgeSetup,
  measured: { readonly metric: Metric; readonly times: JudgedTimes },
): Estimate => {
  const { confidence, replicates, random } = setup;
  const A = Float64Array.from(measured.times.A, (run) => mean(run));
  const B = Float64Array.from(measured.times.B, (run) => mean(run));
  const { ratio, difference, standardError } = sequentialRatioInterval(A, B, {
    kind: kindForUnits(setup.interval, { units: A.length, confidence, samples: 2 }),
    confidence,
    replicates,
    random: random(measured.metric),
  });
  return {
    ratio,
    difference: () => difference,
    pairingGain: () => null,
    standardDeviation: standardError * Math.sqrt(A.length),
    unitLogRatios: A.map((time, r) => Math.log(at(B, r) / time)),
  };
};
