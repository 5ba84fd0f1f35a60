import type { Metric } from '@deadheat/model';
import { mean, median, rankSumShift } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { joined } from '../internal/joined.ts';
import { kindForUnits } from '../interval/kind-for-units.ts';
import { chosenMeanLocation, invertIntervals, tLocation, type Location } from '../interval/location.ts';
import { inflationOf, locationOfShift } from '../interval/rank-location.ts';
import { sequentialRatioInterval } from '../interval/sequential-ratio-interval.ts';
import { welchError } from '../interval/welch-error.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import { decideByMean, decideByRank, deviationBehind, type Decided, type Estimate } from './estimate.ts';
import type { JudgeSetup } from './judge-setup.ts';

const meansOf = (runs: readonly Float64Array[]): Float64Array =>
  Float64Array.from(
    runs.filter(({ length }) => length > 0),
    (run) => mean(run),
  );

/** The shift of the second sample by ranks; `null` where no sample could reach the level. */
function rankLocation(
  a: Float64Array,
  b: Float64Array,
  options: { readonly confidence: number; readonly t: Location; readonly inflation: number },
): Location | null {
  const { inflation, ...rest } = options;
  return locationOfShift(rankSumShift(b, a, { inflation }), { scale: 1, interval: 'rank-sum', ...rest });
}

/** What either sample says of rare slow runs: logs less their medians, those of A turned round. */
function deviations(a: Float64Array, b: Float64Array): Float64Array {
  const [centreA, centreB] = [median(a), median(b)];
  return joined([a.map((value) => centreA - value), b.map((value) => value - centreB)]);
}

/**
 * The ratio of two sides that were measured independently, over run means: by ranks of their logarithms, or by the standard method. A run
 * counts for the sides that it has iterations of.
 */
export const estimateSequential = (
  setup: JudgeSetup,
  measured: { readonly metric: Metric; readonly times: JudgedTimes },
): Estimate => {
  const { confidence, replicates, random, interval } = setup;
  const A = meansOf(measured.times.A);
  const B = meansOf(measured.times.B);
  const { members } = setup.units;
  const isRank = interval === 'rank';
  const kind = isRank ? 't' : kindForUnits(interval, { units: Math.min(A.length, B.length), confidence, samples: 2 });
  const { ratio, difference, standardError, logParts, logEndsAt } = sequentialRatioInterval(A, B, {
    kind,
    confidence,
    replicates,
    random: random(measured.metric),
  });
  const unitLogRatios = Float64Array.from(members, (_, r) => Math.log(at(B, r) / at(A, r)));
  // What both sides of a run share cancels in their ratio, as it does in the two samples where sides take turns.
  const inflation = isRank && setup.takesTurns ? inflationOf(unitLogRatios) : 1;
  const { standardError: welch, degrees } = welchError(logParts);
  const error = {
    mean: Math.log(ratio.estimate),
    standardError: welch * Math.sqrt(inflation),
    degrees: Math.max(1, degrees / inflation),
  };
  const t = tLocation(error, confidence);
  const decide = (): Decided => {
    if (!isRank) {
      const p = kind === 't' ? t : { ...t, ...invertIntervals(logEndsAt, { confidence, replicates, t }) };
      return { ...decideByMean({ ...p, interval: ratio.interval, replicates: ratio.replicates }, confidence), ratio };
    }
    const logs = { A: A.map(Math.log), B: B.map(Math.log) };
    const rank = rankLocation(logs.A, logs.B, { confidence, t, inflation });
    return decideByRank(
      { rank, mean: t, chosenMean: chosenMeanLocation(error, confidence), values: deviations(logs.A, logs.B) },
      setup,
    );
  };
  const decided = decide();
  return {
    ...decided,
    difference: () => {
      const shift = decided.isRank ? rankLocation(A, B, { confidence, t, inflation }) : null;
      return shift === null ? difference : { estimateNs: shift.estimate, lowNs: shift.low, highNs: shift.high };
    },
    pairingGain: () => null,
    standardDeviation: decided.isRank
      ? deviationBehind(decided.location, { n: Math.min(A.length, B.length), confidence })
      : standardError * Math.sqrt(members.length),
    unitLogRatios,
    unitDifferencesNs: () => Float64Array.from(members, (_, r) => at(B, r) - at(A, r)),
    madeOf: { unit: 'run', count: members.length },
    inflation,
  };
};
