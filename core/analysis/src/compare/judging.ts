import {
  type Comparison,
  type ExperimentConfig,
  type Interval,
  type JudgedQuantity,
  type Outlook,
  type Verdict,
  type Warning,
  intervalFacts,
  stopRuleOf,
  type InterimRule,
} from '@deadheat/model';
import { fewestAnytimeValues, studentTQuantile } from '@deadheat/stats';
import {
  type AnytimeRatio,
  anytimeVerdict,
  detectableAnytime,
  isFutile,
  runsUntilDecided,
  countInterimAnalyses,
} from '../anytime/anytime-ratio.ts';
import {
  deadHeatBound,
  decideVerdict,
  minimalDetectableSlowdown,
  moreRuns,
  reachToDecide,
  unitsUntil,
  relativeHalfWidth,
} from '../verdict/decide-verdict.ts';
import { fewestForInterval, fewRuns, type Origin } from '../warnings/run-warnings.ts';
import { runsForFarValues } from '../warnings/slow-now-and-then.ts';
import { boundsOf, pValuesOf, withGate, type Estimate, type PValues } from './estimate.ts';
import { oppositionOf } from './total-time.ts';

/** Costs of the usable runs of a benchmark. */
export interface Pace {
  readonly runs: number;
  /** Mean wall time of a run, shared among the runs that are in flight together, ns. */
  readonly timeNsPerRun: number;
  /** Runs come in multiples of this. */
  readonly step: number;
  /** Time spent on all trials, those that do not count included, ns. */
  readonly spentNs: number;
  readonly origin: Origin;
}

/** The verdict that is claimed, and the quantity that opposes the verdict of the interval alone. */
type Claim = Pick<Comparison, 'verdict' | 'opposition'>;

/** The result of one metric of a benchmark: its estimate with the verdict, and what depends on how it was judged. */
export interface Judgement extends Estimate, Claim {
  /** The interval that decides; where that holds at every interim analysis, `fixedInterval` stands beside it. */
  readonly decides: Interval;
  readonly fixedInterval: Interval | null;
  readonly interim: Comparison['interim'];
  readonly pValues: Comparison['pValues'];
  readonly bounds: () => Comparison['bounds'];
  /** Value of `Comparison.minimalDetectableSlowdown`. */
  readonly detectable: number;
  /** Number of further runs that would decide; `null` unless the verdict is `undecided`. */
  readonly outlook: Outlook | null;
  /** Warnings about too few runs for the interval. */
  readonly intervalWarnings: readonly Warning[];
  /** Warnings about a verdict that was asked for and not reached. */
  readonly verdictWarnings: readonly Warning[];
}

/**
 * A strategy of judging, chosen once for a benchmark: fixed number of runs, anytime, or over hosts.
 *
 * @param runs.anytimeAt the ratio of the same runs, by an interval of this confidence that holds at every interim analysis.
 */
export type Judging = (
  estimate: Estimate,
  runs: { readonly pace: Pace; readonly anytimeAt: (confidence: number, quantity: JudgedQuantity) => AnytimeRatio },
) => Judgement;

/**
 * The verdict that is claimed, of the one that the interval alone gives: no dead heat with a side that may be slow now and then, and
 * nothing that the other quantity opposes.
 */
export function claimOf(
  found: Verdict,
  estimate: Pick<Estimate, 'slow' | 'slowOnce' | 'other'>,
  margin: number,
): Claim {
  const opposition = oppositionOf({ verdict: found, ...estimate }, margin);
  const isRefused = opposition !== null || (found === 'dead-heat' && estimate.slow !== null);
  return { verdict: isRefused ? 'undecided' : found, opposition };
}

/** Number of further runs that would decide what a fixed number of runs left undecided. */
export function outlookOfFixed(
  { interval, standardDeviation, madeOf, slow }: Pick<Estimate, 'interval' | 'standardDeviation' | 'madeOf' | 'slow'>,
  { config, pace }: { readonly config: Pick<ExperimentConfig, 'confidence' | 'margin'>; readonly pace: Pace },
): Outlook | null {
  const { confidence, margin } = config;
  const reach = reachToDecide(Math.log(interval.estimate), margin);
  const units = unitsUntil(reach, { standardDeviation, confidence, atLeast: fewestForInterval });
  if (units === null) return null;
  const needed = Math.ceil((units * pace.runs) / madeOf.count);
  return moreRuns(Math.max(needed, slow === null ? 0 : runsForFarValues(slow, pace.runs)), pace);
}

/**
 * Factor on the standard error behind an interval by ranks: its width varies more from experiment to experiment than one by a standard deviation,
 * most where modes or spikes show in some of them, and one experiment in five to ten seems to have neighbours that resemble each other. With it, and the
 * larger one where neighbours do, 75 to 90 of 100 simulated experiments find the slowdown, under most shapes (docs/methods/truth.md).
 */
const rankSensitivity = 1.15;
const neighbourSensitivity = 1.2;

/** The smallest slowdown that the interval of an estimate would show, and that the other quantity would bear out. */
export function detectableBy(
  {
    location: { low, high, kind },
    standardDeviation,
    madeOf: { count },
    dependence,
    other,
  }: Pick<Estimate, 'location' | 'standardDeviation' | 'madeOf' | 'dependence' | 'other'>,
  { confidence, margin }: Pick<ExperimentConfig, 'confidence' | 'margin'>,
): number {
  const errorBehind = (width: number, degrees: number): number =>
    width / 2 / studentTQuantile((1 + confidence) / 2, degrees);
  const { ofRanks } = intervalFacts[kind];
  const isOfNeighbours = ofRanks && dependence.degrees < Infinity;
  const degrees = isOfNeighbours ? dependence.degrees : count - 1;
  const factor = isOfNeighbours ? neighbourSensitivity : rankSensitivity;
  return minimalDetectableSlowdown({
    standardError: ofRanks ? factor * errorBehind(high - low, degrees) : standardDeviation / Math.sqrt(count),
    degrees,
    otherError: other === null ? 0 : errorBehind(other.high - other.low, count - 1),
    confidence,
    margin,
  });
}

/** Nothing is shown, and nothing excluded. */
export const noEvidence: Pick<Comparison, 'pValues' | 'bounds'> = {
  pValues: { slower: 1, faster: 1, least: 0, gate: { slower: 1, faster: 1 } },
  bounds: { low: 0, high: Number.MAX_VALUE },
};

/** Estimates and intervals without a verdict that they could support. */
export function refuseVerdict(judged: Judgement): Judgement {
  return {
    ...judged,
    verdict: 'undecided',
    opposition: null,
    pValues: noEvidence.pValues,
    bounds: () => noEvidence.bounds,
    outlook: null,
    verdictWarnings: [],
  };
}

/** True if more runs may decide: a quantity that opposes the other may do so in any number of runs. */
function mayDecide({ verdict, opposition }: Claim): boolean {
  return verdict === 'undecided' && opposition === null;
}

/** Judges once, when all runs are made, by the interval of a fixed number of runs. */
export function judgeFixed(config: ExperimentConfig): Judging {
  const { margin } = config;
  return (estimate, { pace }) => {
    const { interval, madeOf } = estimate;
    const claim = claimOf(decideVerdict(interval, margin), estimate, margin);
    const outlook =
      mayDecide(claim) && estimate.roundedToNs === null ? outlookOfFixed(estimate, { config, pace }) : null;
    return {
      ...estimate,
      ...claim,
      decides: interval,
      fixedInterval: null,
      interim: null,
      pValues: pValuesOf(estimate, config),
      bounds: () => withOther(boundsOf(estimate.location, config.confidence), estimate, config),
      detectable: detectableBy(estimate, config),
      outlook,
      intervalWarnings: fewRuns(madeOf, { pace, more: outlook, asked: config.interval, used: interval.kind }),
      verdictWarnings: [],
    };
  };
}

/**
 * Judges by the interval that holds at every interim analysis, as the stop rule did while runs were made. Runs that ended before the first of them, by a
 * limit, were analysed once: the interval of a fixed number of runs decides, which so few can have.
 *
 * @param interim of the stop rule.
 */
export function judgeAnytime(config: ExperimentConfig, interim: InterimRule): Judging {
  const { confidence, margin } = config;
  const judgeOnce = judgeFixed(config);
  return (estimate, { pace, anytimeAt }) => {
    const { slow, judge } = estimate;
    const ratio = anytimeAt(confidence, judge);
    const analyses = countInterimAnalyses(pace.runs, config);
    const warn = (claim: Claim, reached: boolean): readonly Warning[] =>
      interim.asksVerdict && !reached && claim.opposition === null ? notDecided(ratio, { config, ...pace }) : [];
    if (analyses === 0) {
      const once = judgeOnce(estimate, { pace, anytimeAt });
      const reached = interim.isReached({
        halfWidth: relativeHalfWidth(once.decides),
        decided: once.verdict !== 'undecided',
      });
      return { ...once, interim: { analyses, reached }, verdictWarnings: warn(once, reached) };
    }
    const claim = claimOf(anytimeVerdict(ratio, margin), estimate, margin);
    const needed = mayDecide(claim) && estimate.roundedToNs === null ? runsUntilDecided(ratio, margin) : null;
    const { log: _, ...decides } = ratio;
    const reached = interim.isReached({
      halfWidth: relativeHalfWidth(ratio),
      decided: claim.verdict !== 'undecided',
    });
    return {
      ...estimate,
      ...claim,
      decides,
      fixedInterval: estimate.interval,
      interim: { analyses, reached },
      // Measuring ended by this quantity, at this level.
      pValues: withGate(
        anytimePValues((level) => anytimeAt(level, judge), margin),
        null,
      ),
      bounds: () =>
        withOther(
          anytimeBounds((level) => anytimeAt(level, judge), confidence),
          estimate,
          config,
        ),
      detectable: detectableAnytime(ratio, margin),
      outlook: moreRuns(
        needed === null || slow === null ? needed : Math.max(needed, runsForFarValues(slow, pace.runs)),
        pace,
      ),
      intervalWarnings: [],
      verdictWarnings: warn(claim, reached),
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
function anytimePValues(ratioAt: (confidence: number) => AnytimeRatio, margin: number): PValues {
  const edge = Math.log1p(margin);
  const half = (level: number): number => (level === 1 ? 1 : level / 2);
  return {
    slower: half(smallestLevel((level) => ratioAt(1 - level).log.low > edge)),
    faster: half(smallestLevel((level) => ratioAt(1 - level).log.high < -edge)),
    least: 0,
  };
}

/**
 * Bounds that hold what the quantity that does not decide estimates, and where a side is slow now and then its bounds, which so few slow runs leave wide; unless
 * the deciding one was named.
 */
function withOther(
  { low, high }: Comparison['bounds'],
  { other, slow }: Pick<Estimate, 'other' | 'slow'>,
  { judge, confidence }: Pick<ExperimentConfig, 'judge' | 'confidence'>,
): Comparison['bounds'] {
  if (other === null || judge !== null) return { low, high };
  const ratio = Math.exp(other.estimate);
  const beside = slow === null ? { low: ratio, high: ratio } : boundsOf(other, confidence);
  return { low: Math.min(low, beside.low), high: Math.max(high, beside.high) };
}

/** The ends of `boundsOf`, at any interim analysis. */
function anytimeBounds(ratioAt: (confidence: number) => AnytimeRatio, confidence: number): Comparison['bounds'] {
  const { low, high } = ratioAt(Math.max(smallest, 2 * confidence - 1));
  return { low, high };
}

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
    readonly config: Pick<ExperimentConfig, 'margin' | 'marginNs' | 'maxTimeNs' | 'stop'>;
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
  const tooFew =
    mostRuns < fewest ? `: at ${percent(ratio.level)} the first interim analysis is after ${fewest} runs` : '';
  const within = isOver && limit !== undefined ? `, which cannot be decided within ${limit.flag}${tooFew}` : '';
  const question =
    margin === 0
      ? `whether B differs from A or is a dead heat within ${percent(deadHeatBound(margin))}`
      : `whether B differs from A by more than ${config.marginNs == null ? percent(margin) : `${config.marginNs / 1e6} ms`}`;
  const needed = runsUntilDecided(ratio, margin);
  const outlook =
    needed === null
      ? 'At the ratio found so far no number of runs up to a million would decide it'
      : `If the ratio stayed at ${ratio.estimate.toFixed(4)}, ${long(Math.max(runs + 1, needed))} would decide it`;
  return [
    {
      code: 'NOT_DECIDED',
      message: `${runs} runs leave open ${question}${within}. ${outlook}; raise the limits.`,
    },
  ];
}
