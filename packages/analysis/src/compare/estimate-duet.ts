import type { Metric } from '@deadheat/model';
import { mean, standardDeviation } from '@deadheat/stats';
import { duetRatioInterval } from '../interval/duet-ratio-interval.ts';
import { kindForUnits } from '../interval/kind-for-units.ts';
import { pairedDifferenceInterval } from '../interval/paired-difference-interval.ts';
import { pairingGain } from '../interval/pairing-gain.ts';
import { shuffledPairsWidth } from '../interval/shuffled-pairs-width.ts';
import type { JudgedTimes } from '../metric/judged-times.ts';
import { pairedTimes } from '../metric/paired-times.ts';
import type { PairedTimes } from '../metric/paired-times.ts';
import { runLogRatios } from '../pairing/run-log-ratios.ts';
import { runMeanDifferences } from '../pairing/run-mean-differences.ts';
import { unitMeans } from '../units/unit-means.ts';
import { weightedUnits } from '../units/weighted-units.ts';
import type { Estimate } from './estimate.ts';
import type { JudgeSetup } from './judge-setup.ts';

/** The pairs of a run; of `sequential` the mean times of the two sides, one pair a run. */
const pairsOf = ({ method, runs }: JudgeSetup, times: JudgedTimes): PairedTimes => {
  if (method !== 'sequential') return pairedTimes(runs, times);
  const means = (side: readonly Float64Array[]): Float64Array[] => side.map((run) => Float64Array.of(mean(run)));
  return { A: means(times.A), B: means(times.B) };
};

/**
 * The ratio of runs in which both sides were executed, from their pairs. The ratio's kind of interval is the configured one; the paired difference has the
 * same, and BCa in `async-duet` (Drozdik 2023, section 4.3.2).
 */
export const estimateDuet = (
  setup: JudgeSetup,
  measured: { readonly metric: Metric; readonly times: JudgedTimes },
): Estimate => {
  const { confidence, replicates, random } = setup;
  const { members } = setup.units;
  const pairs = pairsOf(setup, measured.times);
  const logRatios = runLogRatios(pairs.B, pairs.A);
  const weighted = weightedUnits(logRatios, members);
  const deviation = standardDeviation(weighted);
  const kind = kindForUnits(setup.interval, { units: members.length, confidence, samples: 1 });
  const optionsFor = (purpose: string) => ({ kind, confidence, replicates, random: random(purpose) });
  const ratio = duetRatioInterval(weighted, optionsFor(measured.metric));
  return {
    ratio,
    difference: () =>
      pairedDifferenceInterval(weightedUnits(runMeanDifferences(pairs.B, pairs.A), members), {
        ...optionsFor('difference'),
        kind: setup.method === 'async-duet' ? 'bca' : kind,
      }),
    pairingGain: () => pairingGain(shuffledPairsWidth(pairs, { ...optionsFor('shuffled pairs'), members }), ratio),
    standardDeviation: deviation,
    logError: {
      logRatio: mean(weighted),
      standardError: deviation / Math.sqrt(weighted.length),
      degrees: weighted.length - 1,
    },
    unitLogRatios: unitMeans(logRatios, members),
    unitDifferencesNs: () => unitMeans(runMeanDifferences(pairs.B, pairs.A), members),
  };
};
