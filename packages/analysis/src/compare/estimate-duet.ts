import type { Metric } from '@deadheat/model';
import { mean, standardDeviation } from '@deadheat/stats';
import { kindForUnits } from '../interval/kind-for-units.ts';
import type { Location } from '../interval/location.ts';
import { meanLocation } from '../interval/mean-location.ts';
import { pairingGain } from '../interval/pairing-gain.ts';
import { rankLocations } from '../interval/rank-location.ts';
import { shuffledPairsWidth, shuffledWidth } from '../interval/shuffled-pairs-width.ts';
import { pairedDifferenceInterval } from '../interval/paired-difference-interval.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import { pairedTimes } from '../metric/paired-times.ts';
import type { PairedTimes } from '../metric/paired-times.ts';
import { runLogRatios } from '../pairing/run-log-ratios.ts';
import { runMeanDifferences } from '../pairing/run-mean-differences.ts';
import { unitMeans } from '../units/unit-means.ts';
import { weightedUnits } from '../units/weighted-units.ts';
import { decideByMean, decideByRank, deviationBehind, type Estimate } from './estimate.ts';
import type { JudgeSetup } from './judge-setup.ts';

/** The pairs of a run; of `sequential` the mean times of the two sides, one pair a run. */
const pairsOf = ({ method, runs }: JudgeSetup, times: JudgedTimes): PairedTimes => {
  if (method !== 'sequential') return pairedTimes(runs, times);
  const means = (side: readonly Float64Array[]): Float64Array[] => side.map((run) => Float64Array.of(mean(run)));
  return { A: means(times.A), B: means(times.B) };
};

/** The times of all runs in one metric. */
export interface Measured {
  readonly metric: Metric;
  readonly times: JudgedTimes;
}

/** The ratio by ranks, with the mean beside it. */
function estimateByRank(setup: JudgeSetup, { times }: Measured): Estimate {
  const { confidence, design, random } = setup;
  const { members } = setup.units;
  const pairs = pairsOf(setup, times);
  const logRatios = runLogRatios(pairs.B, pairs.A);
  const differences = runMeanDifferences(pairs.B, pairs.A);
  const locations = rankLocations(logRatios, design, confidence);
  const decided = decideByRank(locations, setup);
  /** As the ratio was decided, so that both tell the same. */
  const locate = (values: Float64Array): Location => {
    const { rank, mean: ofMean, chosenMean } = rankLocations(values, design, confidence);
    if (decided.isRank) return rank ?? ofMean;
    return decided.rankRatio === null ? ofMean : chosenMean;
  };
  const { units, inflation } = locations;
  const count = units.members.length;
  return {
    ...decided,
    difference: () => {
      const { estimate, low, high } = locate(differences);
      return { estimateNs: estimate, lowNs: low, highNs: high };
    },
    pairingGain: () =>
      pairingGain(shuffledWidth(pairs, { random: random('shuffled pairs'), endsOf: locate }), decided.ratio),
    standardDeviation: deviationBehind(decided.location, { n: count, confidence }),
    unitLogRatios: unitMeans(logRatios, members),
    unitDifferencesNs: () => unitMeans(differences, members),
    madeOf: { unit: units.unit, count },
    inflation,
  };
}

/**
 * The ratio of runs in which both sides were executed, from their pairs. The ratio's kind of interval is the configured one; the
 * paired difference has the same, and BCa in `async-duet` where a bootstrap was asked for (Drozdik 2023, section 4.3.2).
 */
export const estimateDuet = (setup: JudgeSetup, measured: Measured): Estimate => {
  const { confidence, replicates, random, interval } = setup;
  if (interval === 'rank') return estimateByRank(setup, measured);
  const { members, unit } = setup.units;
  const pairs = pairsOf(setup, measured.times);
  const logRatios = runLogRatios(pairs.B, pairs.A);
  const differences = runMeanDifferences(pairs.B, pairs.A);
  const weighted = weightedUnits(logRatios, members);
  const kind = kindForUnits(interval, { units: members.length, confidence, samples: 1 });
  const optionsFor = (purpose: string) => ({ kind, confidence, replicates, random: random(purpose) });
  const decided = decideByMean(meanLocation(weighted, optionsFor(measured.metric)), confidence);
  return {
    ...decided,
    difference: () => {
      const ofDifferences = setup.method === 'async-duet' ? 'bca' : kind;
      return pairedDifferenceInterval(weightedUnits(differences, members), {
        ...optionsFor('difference'),
        kind: ofDifferences,
      });
    },
    pairingGain: () =>
      pairingGain(shuffledPairsWidth(pairs, { ...optionsFor('shuffled pairs'), members }), decided.ratio),
    standardDeviation: standardDeviation(weighted),
    unitLogRatios: unitMeans(logRatios, members),
    unitDifferencesNs: () => unitMeans(differences, members),
    madeOf: { unit, count: members.length },
    inflation: 1,
  };
};
