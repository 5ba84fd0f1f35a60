import {
  stopRuleOf,
  type Comparison,
  type ExperimentConfig,
  type InterimRule,
  type SequentialRatio,
  type Warning,
} from '@deadheat/model';
import { fewestAnytimeValues } from '@deadheat/stats';
import type { AnytimeRatio } from '../anytime/anytime-ratio.ts';
import {
  anytimeOutlook,
  anytimeVerdict,
  detectableAnytime,
  isDecided,
  isFutile,
  runsUntil,
  runsUntilDecided,
} from '../anytime/anytime-verdict.ts';
import { countInterimAnalyses } from '../anytime/interim-schedule.ts';
import { reachToDecide, relativeHalfWidth } from '../verdict/decide-verdict.ts';
import { runsForFarValues } from '../warnings/slow-now-and-then.ts';
import { claimedVerdict, moreRuns, type Judging } from './judging.ts';

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
    const sequential = () => sequentialResult(ratio, { config, interim, runs });
    return {
      ...estimate,
      verdict,
      decidedBy: 'sequential',
      sequentialRatio: toSequentialRatio(ratio),
      sequential,
      pValues: () => anytimePValues(anytimeAt, margin),
      detectable,
      outlook: (pace) => {
        if (verdict !== 'undecided') return null;
        return margin > 0
          ? anytimeOutlook(ratio, { verdict, margin, ...pace })
          : moreRuns(runsToDecide(pace.runs), pace);
      },
      intervalWarnings: () => [],
      verdictWarnings: (pace) =>
        interim.asksVerdict && !sequential().reached ? notDecided(ratio, { config, ...pace }) : [],
    };
  };
}

/** An anytime-valid ratio in the form of a report. */
function toSequentialRatio({ estimate, low, high, confidence }: AnytimeRatio): SequentialRatio {
  return {
    estimate,
    low,
    high,
    confidence,
    interval: 'anytime-t',
  };
}

/** The same for the metric that decides, with what the stop rule made of it. */
function sequentialResult(
  ratio: AnytimeRatio,
  facts: {
    readonly config: Pick<ExperimentConfig, 'stop' | 'swap' | 'margin' | 'confidence' | 'method'>;
    readonly interim: InterimRule;
    readonly runs: number;
  },
): NonNullable<Comparison['sequential']> {
  const { margin } = facts.config;
  return {
    ...toSequentialRatio(ratio),
    looks: countInterimAnalyses(facts.runs, facts.config),
    reached: facts.interim.isReached({
      halfWidth: relativeHalfWidth(ratio),
      decided: isDecided(anytimeVerdict(ratio, margin), margin),
    }),
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
  const fewest = fewestAnytimeValues(ratio.confidence);
  const tooFew = mostRuns < fewest ? `: at ${percent(ratio.confidence)} no verdict is safe before ${fewest} runs` : '';
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
