import type { Comparison, ExperimentConfig, Outlook, SequentialRatio, Verdict, Warning } from '@deadheat/model';
import type { AnytimeRatio } from '../anytime/anytime-ratio.ts';
import {
  decideVerdict,
  minimalDetectableSlowdown,
  planOutlook,
  reachToDecide,
  seesDifference,
  unitsUntil,
} from '../verdict/decide-verdict.ts';
import { fewestForInterval, fewRuns } from '../warnings/run-warnings.ts';
import { runsForFarValues } from '../warnings/slow-now-and-then.ts';
import { pValuesOf, type Estimate } from './estimate.ts';

/** Costs of the usable runs of a benchmark. */
export interface Pace {
  readonly runs: number;
  /** Mean wall time of a run, shared among the runs that are in flight together, ns. */
  readonly timeNsPerRun: number;
  /** Runs come in multiples of this. */
  readonly step: number;
  /** Time spent on all trials, those that do not count included, ns. */
  readonly spentNs: number;
}

/** The result of one metric of a benchmark: its estimate with the verdict, and what depends on how it was judged. */
export interface Judgement extends Estimate {
  readonly verdict: Verdict;
  readonly decidedBy: Comparison['decidedBy'];
  /** The interval that holds at every interim analysis; `null` where there are none. */
  readonly sequentialRatio: SequentialRatio | null;
  /** The same with what the stop rule made of it. */
  readonly sequential: () => Comparison['sequential'];
  readonly pValues: () => Comparison['pValues'];
  /** Value of `Comparison.minimalDetectableSlowdown`. */
  readonly detectable: () => number;
  /** Number of further runs that would decide; `null` unless the verdict is `undecided`. */
  readonly outlook: (pace: Pace) => Outlook | null;
  /** Warnings about too few runs for the interval. */
  readonly intervalWarnings: (pace: Pace) => readonly Warning[];
  /** Warnings about a verdict that was asked for and not reached. */
  readonly verdictWarnings: (pace: Pace) => readonly Warning[];
}

/**
 * A strategy of judging, chosen once for a benchmark: fixed number of runs, anytime, or over hosts.
 *
 * @param anytimeAt the ratio of the same runs, by an interval of this confidence that holds at every interim analysis.
 */
export type Judging = (estimate: Estimate, anytimeAt: (confidence: number) => AnytimeRatio) => Judgement;

/**
 * The verdict that is claimed, of the one that the interval alone gives. A dead heat is claimed neither of a side that may be slow now and
 * then, nor, without a margin, by an experiment that would not have seen a difference of the bound.
 *
 * @param judged.interval that decides.
 * @param judged.detectable as `Judgement.detectable`, of the same interval.
 */
export function claimedVerdict(
  verdict: Verdict,
  judged: {
    readonly slow: Estimate['slow'];
    readonly interval: { readonly low: number; readonly high: number };
    readonly detectable: () => number;
    readonly config: Pick<ExperimentConfig, 'margin' | 'deadHeatBound'>;
  },
): Verdict {
  const { slow, interval, detectable, config } = judged;
  if (verdict !== 'dead-heat') return verdict;
  if (slow !== null) return 'undecided';
  if (config.margin > 0 || seesDifference(interval, { detectable, bound: config.deadHeatBound })) return verdict;
  return 'undecided';
}

/** The bound as a comparison reports it. */
export function deadHeatBoundOf({
  margin,
  deadHeatBound,
}: Pick<ExperimentConfig, 'margin' | 'deadHeatBound'>): Pick<Comparison, 'deadHeatBound'> {
  return margin > 0 || deadHeatBound === null ? {} : { deadHeatBound };
}

/** Runs in addition to those of `pace`, so that there are `needed` in all; `null` where nobody knows how many are needed. */
export function moreRuns(needed: number | null, pace: Pick<Pace, 'runs' | 'step' | 'timeNsPerRun'>): Outlook | null {
  if (needed === null) return null;
  const count = Math.max(1, Math.ceil((needed - pace.runs) / pace.step)) * pace.step;
  return { moreRuns: count, moreTimeNs: count * pace.timeNsPerRun };
}

/** Number of further runs that would decide what a fixed number of runs without a margin left undecided. */
export function outlookWithoutMargin(
  { ratio, standardDeviation, madeOf, slow }: Pick<Estimate, 'ratio' | 'standardDeviation' | 'madeOf' | 'slow'>,
  { config, pace }: { readonly config: ExperimentConfig; readonly pace: Pace },
): Outlook | null {
  const { confidence, deadHeatBound: bound } = config;
  const reach = reachToDecide(Math.log(ratio.estimate), { bound, confidence });
  const units = unitsUntil(reach, { standardDeviation, confidence, atLeast: fewestForInterval });
  if (units === null) return null;
  const needed = Math.ceil((units * pace.runs) / madeOf.count);
  return moreRuns(Math.max(needed, slow === null ? 0 : runsForFarValues(slow, pace.runs)), pace);
}

/** The smallest slowdown that the interval of an estimate would show. */
export function detectableBy(
  { standardDeviation, madeOf }: Pick<Estimate, 'standardDeviation' | 'madeOf'>,
  { confidence, margin }: Pick<ExperimentConfig, 'confidence' | 'margin'>,
): number {
  return minimalDetectableSlowdown({ standardDeviation, units: madeOf.count, confidence, margin });
}

/** Judges nothing: estimates and intervals as `judge` has them, without a verdict that they could support. */
export function withoutVerdict(judge: Judging): Judging {
  return (...measured) => ({
    ...judge(...measured),
    verdict: 'undecided',
    pValues: () => ({ slower: 1, faster: 1 }),
    outlook: () => null,
    verdictWarnings: () => [],
  });
}

/** Judges once, when all runs are made, by the interval of a fixed number of runs. */
export function judgeFixed(config: ExperimentConfig): Judging {
  const { margin } = config;
  return (estimate) => {
    const { ratio, madeOf, slow } = estimate;
    const detectable = () => detectableBy(estimate, config);
    const verdict = claimedVerdict(decideVerdict(ratio, margin), { slow, interval: ratio, detectable, config });
    const outlook = (pace: Pace): Outlook | null => {
      if (verdict !== 'undecided') return null;
      return margin > 0
        ? planOutlook(ratio, { verdict, margin, ...pace })
        : outlookWithoutMargin(estimate, { config, pace });
    };
    return {
      ...estimate,
      verdict,
      decidedBy: 'fixed',
      sequentialRatio: null,
      sequential: () => null,
      pValues: () => pValuesOf(estimate, margin),
      detectable,
      outlook,
      intervalWarnings: (pace) =>
        fewRuns(madeOf, { pace, more: () => outlook(pace), asked: config.interval, used: ratio.interval }),
      verdictWarnings: () => [],
    };
  };
}
