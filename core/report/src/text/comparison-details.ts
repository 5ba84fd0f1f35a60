import {
  intervalFacts,
  isResourceMetric,
  metricKinds,
  methodFacts,
  sides,
  type Comparison,
  type Interval,
  type Stability,
  type Metric,
  type SideSummary,
  type Verdict,
} from '@deadheat/model';
import { largest, smallest } from '@deadheat/stats';
import {
  countOf,
  formatChosenShare,
  formatMarginShare,
  formatRatio,
  formatShare,
  chooseTimeUnit,
  formatStretch,
  formatTime,
} from './numbers.ts';
import { confirmationText, type Detail, type Fact, present, spreadText } from './details.ts';
import { formatResource, quantityName, quantityText } from './quantities.ts';
import { endless, isSelfComparison, runsOf, verdictWords } from './verdict-sentence.ts';

/** Probability that none of the runs that were made is of a kind as frequent as the share that is named. */
const missedOdds = 0.05;

/** More runs than these are shown as a range. */
const mostListed = 12;

/** The end of the warm-up; `null` when the numbers were fixed. */
function warmupDetail(stability: Stability | null): string | null {
  if (stability === null || stability.runs.length === 0) return null;
  return `${warmupText(stability)}, by ${criteriaText(stability)}${isApart(stability) ? ', each by itself' : ' on both sides'}`;
}

/** The stability of the runs together, where it ended the experiment. */
function stoppedDetail(stability: Stability | null): string | null {
  if (stability === null || stability.runs.length === 0 || stability.overRuns === null) return null;
  const { runs, stable } = stability.overRuns;
  return `${stable ? '' : 'not '}stable after ${countOf(runs, 'run')}, by ${criteriaText(stability)} on both sides`;
}

function warmupText(stability: Stability): string {
  const { runs } = stability;
  if (!isApart(stability)) return endsText(runs);
  return sides.map((side) => `${side} ${endsText(runs.flatMap(({ apart }) => apart?.[side] ?? []))}`).join('; ');
}

/** True where each side's warm-up ends by itself, whatever the other does. */
function isApart({ runs }: Stability): boolean {
  return runs.every(({ apart }) => apart !== null);
}

function endsText(runs: readonly { readonly decidedAfter: number; readonly stable: boolean }[]): string {
  const unstable = runs.filter(({ stable }) => !stable).length;
  const ends = runs.map(({ decidedAfter, stable }) => `${decidedAfter}${stable ? '' : '*'}`);
  const counts = runs.map(({ decidedAfter }) => decidedAfter);
  const where =
    runs.length <= mostListed
      ? `ended after ${ends.join(', ')} iterations of the runs`
      : `ended after ${smallest(counts)} to ${largest(counts)} iterations of the runs`;
  if (unstable === 0) return `${where}, stable`;
  const mark = runs.length <= mostListed ? ' (*)' : '';
  return `${where}, not stable in ${unstable} of ${countOf(runs.length, 'run')}${mark}`;
}

function criteriaText({ criteria, combine, like, liftCaps }: Stability): string {
  const names = criteria.join(combine === 'all' ? ' and ' : ' or ');
  const reading = like === 'paper' ? '' : ` like ${like}`;
  return `${names}${reading}${liftCaps === 1 ? '' : `, caps times ${liftCaps}`}`;
}

/** The details that every verdict must have: metric, interval, sensitivity. */
export function essentialDetails(comparison: Comparison): readonly Detail[] {
  const { method, methodReason, metric, metricReason, margin, interval, fixedInterval } = comparison;
  const { rankInterval, typical, hosts, layouts, confirmation, planned } = comparison;
  const decides = fixedInterval === null ? '' : '; it decides';
  return present([
    ['method', methodReason === null ? null : `${method}, ${methodFacts[method].meaning}: ${methodReason}`],
    ['decided by', reasonWithMetric(metric, metricReason)],
    ['interval', `${intervalText(comparison, interval)}${decides}`],
    ['fixed n', fixedInterval && `${formatRatio(fixedInterval)}, ${intervalText(comparison, fixedInterval)}`],
    ['typical run', rankInterval && `${besideText(rankInterval)}; the mean decides`],
    ['typical run', typical && `${besideText(typical)}; the total time decides`],
    ['total time', totalText(comparison)],
    ...resourceDetails(comparison),
    ['sensitivity', sensitivityText(comparison)],
    ['margin', margin > 0 ? `differences up to ${formatMarginShare(comparison)} do not matter` : null],
    ['hosts', hosts === undefined ? null : spreadText(hosts)],
    ['layouts', layouts === undefined ? null : spreadText(layouts)],
    ['confirmed', confirmation === undefined ? null : confirmationText(confirmation)],
    ['planned', planned && plannedText(planned)],
    ['control', selfText(comparison)],
  ]);
}

function sensitivityText({ metric, minimalDetectableSlowdown: slowdown }: Comparison): string {
  if (slowdown >= endless) return 'too few runs to call any slowdown slower';
  const change = isResourceMetric(metric) ? 'increase' : 'slowdown';
  return `a true ${change} of ${formatShare(slowdown)} would be called slower in 4 of 5 such experiments`;
}

/**
 * The other metric, the difference of the means, the gain by pairing, discarded data, and the time spent, which files
 * of other tools do not hold.
 */
export function furtherDetails(
  comparison: Comparison,
  { isOfFiles }: { readonly isOfFiles: boolean },
): readonly Detail[] {
  const { otherMetrics, quantities = [], pairingGain, stability, time } = comparison;
  return present([
    ...otherMetrics
      .filter(({ metric }) => !isResourceMetric(metric))
      .map(({ metric, interval, verdict }): Fact => {
        const ratio = `${formatRatio(interval)}, ${formatChosenShare(interval.level)} CI`;
        return [metricKinds[metric].name, `${ratio}, ${runsOf(comparison)}: ${verdictWords[verdict].toLowerCase()}`];
      }),
    ...quantities.map((quantity): Fact => [quantityName(quantity), quantityText(quantity)]),
    ['difference', isResourceMetric(comparison.metric) ? null : differenceText(comparison)],
    ['quantiles', shiftText(comparison)],
    ['pairing', pairingGain === null ? null : pairingText(pairingGain)],
    ['neighbours', neighbourText(comparison)],
    ['warm-up', warmupDetail(stability)],
    ['stopped', stoppedDetail(stability)],
    ['discarded', discardedText(comparison)],
    ['took', isOfFiles ? null : `${formatStretch(time.wallNs)}, ${formatStretch(time.machineNs)} of core time`],
  ]);
}

/** The difference of the means, or of typical runs, in time. */
function differenceText(comparison: Comparison): string {
  const { metric, difference } = comparison;
  const { level, kind } = comparison.fixedInterval ?? comparison.interval;
  const unit = chooseTimeUnit(Math.max(Math.abs(difference.lowNs), Math.abs(difference.highNs)) / 1e9);
  const [estimate, low, high] = [difference.estimateNs, difference.lowNs, difference.highNs].map((ns) =>
    signed(formatTime(ns / 1e9, unit)),
  );
  const of = intervalFacts[kind].ofRanks ? 'typical run, ' : 'means of ';
  return `${estimate} [${low} … ${high}], ${formatChosenShare(level)} CI, ${runsOf(comparison)}: B - A, ${of}${metricKinds[metric].name}`;
}

/** The ratio of fast, middle and slow runs or iterations, with their common band. */
function shiftText({ shift, interval, iterationsPerRun }: Comparison): string | null {
  if (shift === null) return null;
  const shown = shift
    .filter(({ quantile }) => [0.1, 0.5, 0.9].includes(quantile))
    .map((one) => `${100 * one.quantile} %: ${formatRatio(one)}`);
  const of = iterationsPerRun > 1 ? 'iterations' : 'runs';
  return `${shown.join('; ')}: B / A of the ${of} at this place from fast to slow, ${formatChosenShare(interval.level)} CI for all`;
}

/** Use of each resource by the sides, of those that was asked for, with the ratio of those that do not decide. */
function resourceDetails(comparison: Comparison): readonly Fact[] {
  return (comparison.resources ?? []).map(({ metric, A, B }) => {
    const { name } = metricKinds[metric];
    const other = comparison.otherMetrics.find((one) => one.metric === metric);
    const of = other?.counting === undefined ? `mean of ${runsOf(comparison)}` : countingText(other.counting);
    const unit = unitOfCount(other?.counting);
    const sides = `A ${formatResource(metric, A)}${unit}, B ${formatResource(metric, B)}${unit} (${of})`;
    if (other === undefined) return [name, `${sides}; it decides`];
    const { interval, verdict } = other;
    return [
      name,
      `${formatRatio(interval)}, ${formatChosenShare(interval.level)} CI: ${resourceWords[verdict]}; ${sides}`,
    ];
  });
}

/** ` bytes`, behind a count of them. */
export function unitOfCount(counting: Comparison['otherMetrics'][number]['counting']): string {
  return counting?.unit === undefined ? '' : ` ${counting.unit}`;
}

/** The counting runs behind a metric. */
export function countingText({ runs, repeats }: NonNullable<Comparison['otherMetrics'][number]['counting']>): string {
  return repeats ? `the same in each of ${runs} counting runs` : `mean of ${runs} counting runs`;
}

export const resourceWords: Readonly<Record<Verdict, string>> = {
  slower: 'B uses more',
  faster: 'B uses less',
  'dead-heat': verdictWords['dead-heat'].toLowerCase(),
  undecided: verdictWords.undecided.toLowerCase(),
};

function besideText(beside: Interval): string {
  return `${formatRatio(beside)}, ${formatChosenShare(beside.level)} CI, ${intervalFacts[beside.kind].name}`;
}

/** The total time beside the typical run, and the share of slow runs that may have been missed. */
function totalText(comparison: Comparison): string | null {
  const { metric, total } = comparison;
  if (total === null || isResourceMetric(metric)) return null;
  const text = `${besideText(total)}: ratio of the mean times`;
  const missed = missedInHundred(comparison);
  return missed === null ? text : `${text}; a kind of slow run that is up to ${missed} in 100 may have been missed`;
}

/** In how many of 100 runs a side can be slow without that one of those that were made shows it; `null` where some did. */
export function missedInHundred({ metric, total, runs, warnings }: Comparison): number | null {
  const codes = new Set(warnings.map(({ code }) => code));
  const wasSeen = codes.has('SLOW_NOW_AND_THEN') || codes.has('TYPICAL_AND_TOTAL_DIFFER');
  if (total === null || isResourceMetric(metric) || runs < 2 || wasSeen) return null;
  return Math.floor(100 * (1 - missedOdds ** (1 / runs)));
}

/** The correlation of the log ratios of successive runs. */
function neighbourText({ neighbourCorrelation: correlation, resampled }: Comparison): string | null {
  if (correlation === null) return null;
  // An AR(1) process of this correlation has the variance of the mean of as many independent values times this.
  const effect = (1 + correlation) / (1 - correlation);
  const unit = resampled.unit === 'traded-block' ? 'blocks' : 'runs';
  return `ratios of successive ${unit} correlate by ${correlation.toFixed(2)} (design effect ${effect.toFixed(1)})`;
}

/** Name of the sides' times: `CPU time` or `wall time`. */
export function timesName({ A, B }: Readonly<Record<'A' | 'B', Pick<SideSummary, 'metric'>>>): string {
  return metricKinds[A.metric === B.metric ? A.metric : 'time'].name;
}

/**
 * Wall times of the sides alone on a core, as pilot runs measured them; `null` when there are none, or when wall times
 * are shown anyway.
 */
export function aloneText({ A, B }: Comparison['sides']): string | null {
  if (A.alone === null || B.alone === null || A.metric === 'time') return null;
  const unit = chooseTimeUnit(Math.max(A.alone, B.alone));
  return `wall time alone on a core, median of the pilot runs: A ${formatTime(A.alone, unit)}, B ${formatTime(B.alone, unit)}`;
}

/** A reason that names the metric itself stays as it is. */
export function reasonWithMetric(metric: Metric, reason: string): string {
  return reason.startsWith(metricKinds[metric].name) ? reason : `${metricKinds[metric].name}: ${reason}`;
}

/** Level, procedure and units of an interval, and the method. */
function intervalText(comparison: Comparison, interval: Interval): string {
  return `${formatChosenShare(interval.level)} CI, ${procedureText(comparison, interval)}, ${comparison.method}`;
}

function procedureText(comparison: Comparison, interval: Interval): string {
  const { resampled, runs, interim } = comparison;
  const { replicates } = interval;
  const { name } = intervalFacts[interval.kind];
  if (interim !== null && interim.analyses > 0 && interval === comparison.interval) {
    return `${name}, ${countOf(interim.analyses, 'interim analysis', 'interim analyses')} of ${countOf(runs, 'run')}`;
  }
  const units =
    resampled.unit === 'traded-block'
      ? `${countOf(resampled.count, 'block')} of two runs that traded cores`
      : countOf(resampled.count, resampled.unit);
  if (replicates === 0) return `${name} over ${units}${resampled.unit === 'run' ? '' : ` (${countOf(runs, 'run')})`}`;
  return `${name}, ${countOf(replicates, 'replicate')} over ${units}`;
}

function plannedText({ halfWidth, achieved }: NonNullable<Comparison['planned']>): string {
  return `an interval that reaches ${formatShare(halfWidth)} to each side; it reaches ${formatShare(achieved)}`;
}

/** The meaning of a verdict about the same command twice; `null` where the sides differ, or are a dead heat as expected. */
export function selfText(comparison: Comparison): string | null {
  const { verdict, interval } = comparison;
  if (!isSelfComparison(comparison) || verdict === 'dead-heat') return null;
  if (verdict === 'undecided') return 'the same command twice: a dead heat is expected';
  const chance = formatChosenShare(1 - interval.level);
  return (
    `the same command twice should be a dead heat; ${chance} of such controls differ by chance. ` +
    'Repeat it with another --seed; when it differs again, do not trust comparisons on this machine as it is now.'
  );
}

function pairingText(gain: number): string {
  const times = gain.toFixed(gain < 10 ? 1 : 0);
  const shown = Number(times);
  if (shown >= 1.2) return `with the pairs shuffled the interval would be ${times} times as wide: pairing helped`;
  if (shown >= 0.9)
    return `with the pairs shuffled the interval would be as wide (${times} times): pairing made no difference`;
  return `with the pairs shuffled the interval would be narrower (${times} times): pairing did not help here`;
}

function discardedText({ discarded: { warmup, outliers, unpaired } }: Comparison): string {
  const parts = [
    ...(warmup > 0 ? [countOf(warmup, 'warm-up iteration')] : []),
    ...(outliers > 0 ? [countOf(outliers, 'outlier')] : []),
    ...(unpaired > 0 ? [`${unpaired} without a pair`] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

function signed(text: string): string {
  return text.startsWith('-') ? text : `+${text}`;
}
