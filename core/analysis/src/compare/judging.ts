import {
  type Comparison,
  type ExperimentConfig,
  type Interval,
  type Outlook,
  type Verdict,
  type Warning,
  stopRuleOf,
  type InterimRule,
} from '@deadheat/model';
import { fewestAnytimeValues } from '@deadheat/stats';
import {
  type AnytimeRatio,
  anytimeVerdict,
  detectableAnytime,
  isDecided,
  isFutile,
  runsUntil,
  runsUntilDecided,
  countInterimAnalyses,
} from '../anytime/anytime-ratio.ts';
import {
  decideVerdict,
  minimalDetectableSlowdown,
  moreRuns,
  planOutlook,
  reachToDecide,
  seesDifference,
  unitsUntil,
  relativeHalfWidth,
} from '../verdict/decide-verdict.ts';
import { fewestForInterval, fewRuns } from '../warnings/run-warnings.ts';
import { runsForFarValues } from '../warnings/slow-now-and-then.ts';
import { pValuesOf, type Estimate } from './estimate.ts';
import { isOpposedByTotal, totalDiffers } from './total-time.ts';

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
  /** The interval that decides; where that holds at every interim analysis, `fixedInterval` stands beside it. */
  readonly decides: Interval;
  readonly fixedInterval: Interval | null;
  readonly interim: () => Comparison['interim'];
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

/** Number of further runs that would decide what a fixed number of runs without a margin left undecided. */
export function outlookWithoutMargin(
  { interval, standardDeviation, madeOf, slow }: Pick<Estimate, 'interval' | 'standardDeviation' | 'madeOf' | 'slow'>,
  { config, pace }: { readonly config: ExperimentConfig; readonly pace: Pace },
): Outlook | null {
  const { confidence, deadHeatBound: bound } = config;
  const reach = reachToDecide(Math.log(interval.estimate), { bound, confidence });
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

/**
 * Claims no difference of typical runs that the total time opposes. More runs need not decide it, so nothing is forecast.
 */
export function unlessTotalOpposes(judge: Judging, config: Pick<ExperimentConfig, 'margin' | 'stop'>): Judging {
  const asksVerdict = stopRuleOf(config.stop).interim?.asksVerdict === true;
  return (...measured) => {
    const judged = judge(...measured);
    if (!isOpposedByTotal(judged, config.margin)) return judged;
    return {
      ...judged,
      verdict: 'undecided',
      interim: () => {
        const interim = judged.interim();
        return interim === null ? null : { ...interim, reached: interim.reached && !asksVerdict };
      },
      outlook: () => null,
      verdictWarnings: () => totalDiffers(judged),
    };
  };
}

/** Judges once, when all runs are made, by the interval of a fixed number of runs. */
export function judgeFixed(config: ExperimentConfig): Judging {
  const { margin } = config;
  return (estimate) => {
    const { interval, madeOf, slow } = estimate;
    const detectable = () => detectableBy(estimate, config);
    const verdict = claimedVerdict(decideVerdict(interval, margin), { slow, interval, detectable, config });
    const outlook = (pace: Pace): Outlook | null => {
      if (verdict !== 'undecided') return null;
      return margin > 0
        ? planOutlook(interval, { verdict, margin, ...pace })
        : outlookWithoutMargin(estimate, { config, pace });
    };
    return {
      ...estimate,
      verdict,
      decides: interval,
      fixedInterval: null,
      interim: () => null,
      pValues: () => pValuesOf(estimate, margin),
      detectable,
      outlook,
      intervalWarnings: (pace) =>
        fewRuns(madeOf, { pace, more: () => outlook(pace), asked: config.interval, used: interval.kind }),
      verdictWarnings: () => [],
    };
  };
}

/**
 * Judges by the interval that holds at every interim analysis, as the stop rule did while runs were made.
 *
 * @param facts.runs usable runs.
 */
export function judgeAnytime(
  config: ExperimentConfig,
  { interim, runs }: { readonly interim: InterimRule; readonly runs: number },
): Judging {
  const { confidence, margin, deadHeatBound: bound } = config;
  return (estimate, anytimeAt) => {
    const ratio = anytimeAt(confidence);
    const { slow } = estimate;
    const detectable = () => detectableAnytime(ratio, margin);
    const verdict = claimedVerdict(anytimeVerdict(ratio, margin), { slow, interval: ratio, detectable, config });
    const runsToDecide = (made: number): number | null => {
      const needed = runsUntil(ratio, reachToDecide(ratio.log.mean, { bound, confidence }));
      return needed === null || slow === null ? needed : Math.max(needed, runsForFarValues(slow, made));
    };
    const { log: _, ...decides } = ratio;
    const interimResult = () => ({
      analyses: countInterimAnalyses(runs, config),
      reached: interim.isReached({
        halfWidth: relativeHalfWidth(ratio),
        decided: isDecided(anytimeVerdict(ratio, margin), margin),
      }),
    });
    return {
      ...estimate,
      verdict,
      decides,
      fixedInterval: estimate.interval,
      interim: interimResult,
      pValues: () => anytimePValues(anytimeAt, margin),
      detectable,
      outlook: (pace) => {
        if (verdict !== 'undecided') return null;
        return moreRuns(margin > 0 ? runsUntilDecided(ratio, margin) : runsToDecide(pace.runs), pace);
      },
      intervalWarnings: () => [],
      verdictWarnings: (pace) =>
        interim.asksVerdict && !interimResult().reached ? notDecided(ratio, { config, ...pace }) : [],
    };
  };
}

/** Below this a level is 0 for every purpose. */
const smallest = 1e-12;
const largest = 1 - 1e-9;
const steps = 60;

/** The smallest level at which `isExcluded`, which then holds at every larger one. */
function smallestLevel(isExcluded: (level: number) => boolean): number {
  if (!isExcluded(largest)) return 1;
  if (isExcluded(smallest)) return smallest;
  let [below, above] = [Math.log(smallest), Math.log(largest)];
  for (let step = 0; step < steps; step++) {
    const middle = (below + above) / 2;
    if (isExcluded(Math.exp(middle))) above = middle;
    else below = middle;
  }
  return Math.exp(above);
}

/**
 * One-sided p values as of `pValues` that may be taken at any interim analysis: half the smallest level at which the interval
 * that holds at every one of them lies beyond the margin; 1 where it does at none.
 *
 * @param ratioAt the same runs' ratio with an interval of another confidence.
 */
function anytimePValues(ratioAt: (confidence: number) => AnytimeRatio, margin: number): Comparison['pValues'] {
  const edge = Math.log1p(margin);
  const half = (level: number): number => (level === 1 ? 1 : level / 2);
  return {
    slower: half(smallestLevel((level) => ratioAt(1 - level).log.low > edge)),
    faster: half(smallestLevel((level) => ratioAt(1 - level).log.high < -edge)),
  };
}

/** A margin that is worth proposing where there is none. */
const proposedMargin = 0.01;

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
function seconds(ns: number): string {
  return `${Math.ceil(ns / 1e9)}s`;
}

/**
 * NOT_DECIDED: an experiment that was to go on until its verdict is safe ended before, because of its limits, because they
 * would hardly have sufficed, or because it was interrupted. Says when it would be decided.
 */
function notDecided(
  ratio: AnytimeRatio,
  facts: {
    readonly config: Pick<ExperimentConfig, 'margin' | 'maxTimeNs' | 'stop'>;
    readonly runs: number;
    readonly timeNsPerRun: number;
    /** Time spent on all of its trials, ns. */
    readonly spentNs: number;
  },
): Warning[] {
  const { config, runs, timeNsPerRun, spentNs } = facts;
  const { margin, maxTimeNs } = config;
  const { mostRuns: maxRuns } = stopRuleOf(config.stop);
  const long = (count: number): string => {
    const ns = count * timeNsPerRun;
    return `about ${count} runs (${maxTimeNs !== null && ns > maxTimeNs ? `--max-time ${seconds(ns)}` : seconds(ns)})`;
  };
  const limits = [
    ...(maxTimeNs === null ? [] : [{ flag: `--max-time ${seconds(maxTimeNs)}`, allows: (runs * maxTimeNs) / spentNs }]),
    ...(maxRuns === Infinity ? [] : [{ flag: `--max-runs ${maxRuns}`, allows: maxRuns }]),
  ].toSorted((one, other) => one.allows - other.allows);
  const [limit] = limits;
  const mostRuns = limit?.allows ?? Infinity;
  const isOver = runs >= mostRuns || isFutile(ratio, { margin, mostRuns });
  const fewest = fewestAnytimeValues(ratio.level);
  const tooFew = mostRuns < fewest ? `: at ${percent(ratio.level)} no verdict is safe before ${fewest} runs` : '';
  const within = isOver && limit !== undefined ? `, which cannot be decided within ${limit.flag}${tooFew}` : '';
  const question =
    margin === 0 ? 'whether B differs from A' : `whether B differs from A by more than ${percent(margin)}`;
  const needed = runsUntilDecided(ratio, margin);
  const outlook =
    needed === null
      ? 'At the ratio found so far no number of runs up to a million would decide it'
      : `If the ratio stayed at ${ratio.estimate.toFixed(4)}, ${long(Math.max(runs + 1, needed))} would decide it`;
  const settled = margin === 0 ? runsUntil(ratio, Math.log1p(proposedMargin) - Math.abs(ratio.log.mean)) : null;
  const proposal =
    settled === null ? 'raise the limits' : `--margin 1% would settle a dead heat after ${long(settled)}`;
  return [
    {
      code: 'NOT_DECIDED',
      message: `${runs} runs leave open ${question}${within}. ${outlook}; ${proposal}.`,
    },
  ];
}
