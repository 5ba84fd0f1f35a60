import type { Comparison, ExperimentConfig, Outlook, SequentialRatio, Verdict, Warning } from '@deadheat/model';
import type { AnytimeRatio } from '../anytime/anytime-ratio.ts';
import { decideVerdict, minimalDetectableSlowdown, planOutlook } from '../verdict/decide-verdict.ts';
import { fewRuns } from '../warnings/run-warnings.ts';
import type { Estimate } from './estimate.ts';

/** A metric of the usable runs of a benchmark, before it is judged. */
export interface MeasuredMetric {
  readonly estimate: Estimate;
  /** The ratio of the same runs, by an interval of this confidence that holds at every interim analysis. */
  readonly anytimeAt: (confidence: number) => AnytimeRatio;
}

/** What the usable runs of a benchmark cost. */
export interface Pace {
  readonly runs: number;
  /** Mean wall time of a run, shared among the runs that are in flight together, ns. */
  readonly timeNsPerRun: number;
  /** Runs come in multiples of this. */
  readonly step: number;
  /** Time spent on all trials, those that do not count included, ns. */
  readonly spentNs: number;
}

/** How one metric of a benchmark came out. */
export interface Judgement {
  readonly estimate: Estimate;
  readonly verdict: Verdict;
  readonly decidedBy: Comparison['decidedBy'];
  /** The interval that holds at every interim analysis; `null` where there are none. */
  readonly sequentialRatio: SequentialRatio | null;
  /** The same with what the stop rule made of it. */
  readonly sequential: () => Comparison['sequential'];
  readonly pValues: () => Comparison['pValues'];
  /** As `Comparison.minimalDetectableSlowdown`. */
  readonly detectable: () => number;
  /** How many more runs would decide; `null` unless the verdict is `undecided`. */
  readonly outlook: (pace: Pace) => Outlook | null;
  /** Warnings about too few runs for the interval. */
  readonly intervalWarnings: (pace: Pick<Pace, 'runs'>) => readonly Warning[];
  /** Warnings about a verdict that was asked for and not reached. */
  readonly verdictWarnings: (pace: Pace) => readonly Warning[];
}

/** A strategy of judging, chosen once for a benchmark: fixed number of runs, anytime, or over hosts. */
export type Judging = (metric: MeasuredMetric) => Judgement;

/** A dead heat is not claimed of a side that may be slow now and then. */
export function withoutDoubt(verdict: Verdict, { slow }: Pick<Estimate, 'slow'>): Verdict {
  return verdict === 'dead-heat' && slow !== null ? 'undecided' : verdict;
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
  return (metric) => ({
    ...judge(metric),
    verdict: 'undecided',
    pValues: () => ({ slower: 1, faster: 1 }),
    outlook: () => null,
    verdictWarnings: () => [],
  });
}

/** Judges once, when all runs are made, by the interval of a fixed number of runs. */
export function judgeFixed(config: ExperimentConfig): Judging {
  const { margin } = config;
  return ({ estimate }) => {
    const { ratio, madeOf } = estimate;
    const verdict = withoutDoubt(decideVerdict(ratio, margin), estimate);
    return {
      estimate,
      verdict,
      decidedBy: 'fixed',
      sequentialRatio: null,
      sequential: () => null,
      pValues: () => estimate.pValues(margin),
      detectable: () => detectableBy(estimate, config),
      outlook: (pace) => planOutlook(ratio, { verdict, margin, ...pace }),
      intervalWarnings: ({ runs }) => fewRuns(madeOf, { runs, asked: config.interval, used: ratio.interval }),
      verdictWarnings: () => [],
    };
  };
}
