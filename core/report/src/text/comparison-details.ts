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
  type ResourceMetric,
  type SideSummary,
  type Verdict,
} from '@deadheat/model';
import { largest, smallest } from '@deadheat/stats';
import {
  countOf,
  formatChosenShare,
  formatRatio,
  formatShare,
  chooseTimeUnit,
  formatStretch,
  formatTime,
  groupDigits,
} from './numbers.ts';
import { hostsDetails, type Detail } from './details.ts';
import { quantityName, quantityText } from './quantities.ts';
import { endless, isBlind, isSelfComparison, runsOf, verdictWords } from './verdict-sentence.ts';

/** Probability that none of the runs that were made is of a kind as frequent as the share that is named. */
const missedOdds = 0.05;

/** More runs than these are shown as a range. */
const mostListed = 12;

/** The end of the warm-up, and whether the runs were stable together; empty when the numbers were fixed. */
function stabilityDetails({ stability }: Pick<Comparison, 'stability'>): readonly Detail[] {
  if (stability === null || stability.runs.length === 0) return [];
  const { overRuns } = stability;
  return [
    {
      label: 'warm-up',
      text: `${warmupText(stability)}, by ${criteriaText(stability)}${isApart(stability) ? ', each by itself' : ' on both sides'}`,
    },
    ...(overRuns === null
      ? []
      : [
          {
            label: 'stopped',
            text: `${overRuns.stable ? '' : 'not '}stable after ${countOf(overRuns.runs, 'run')}, by ${criteriaText(stability)} on both sides`,
          },
        ]),
  ];
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
  const { metric, metricReason, minimalDetectableSlowdown, margin, interval, fixedInterval } = comparison;
  const slowdown = formatShare(minimalDetectableSlowdown);
  return [
    ...methodDetails(comparison),
    { label: 'decided by', text: reasonWithMetric(metric, metricReason) },
    {
      label: 'interval',
      text: `${formatChosenShare(interval.level)} CI, ${intervalText(comparison, interval)}, ${comparison.method}${fixedInterval === null ? '' : '; it decides'}`,
    },
    ...(fixedInterval === null
      ? []
      : [
          {
            label: 'fixed n',
            text: `${formatRatio(fixedInterval)}, ${formatChosenShare(fixedInterval.level)} CI, ${intervalText(comparison, fixedInterval)}, ${comparison.method}`,
          },
        ]),
    ...besideDetails(comparison),
    ...resourceDetails(comparison),
    {
      label: 'sensitivity',
      text:
        minimalDetectableSlowdown >= endless
          ? 'too few runs to call any slowdown slower'
          : `a true ${isResourceMetric(metric) ? 'increase' : 'slowdown'} of ${slowdown} would be called slower in 4 of 5 such experiments`,
    },
    ...(margin > 0 ? [{ label: 'margin', text: `differences up to ${formatChosenShare(margin)} do not matter` }] : []),
    ...deadHeatDetails(comparison),
    ...hostsDetails(comparison),
    ...plannedDetails(comparison),
    ...controlDetails(comparison),
  ];
}

/** Which difference would have been seen where no difference is claimed, or is not for that reason. */
function deadHeatDetails(comparison: Comparison): readonly Detail[] {
  const { deadHeatBound: bound, verdict } = comparison;
  if (bound === undefined) return [];
  const size = formatChosenShare(bound);
  if (verdict === 'dead-heat') {
    return [{ label: 'dead heat', text: `a difference of ${size} would have been seen (--dead-heat-bound)` }];
  }
  return isBlind(comparison)
    ? [
        {
          label: 'dead heat',
          text: `not claimed: a difference of ${size} might not have been seen (--dead-heat-bound)`,
        },
      ]
    : [];
}

/**
 * The other metric, the difference of the means, the gain by pairing, discarded data, and the time spent, which files
 * of other tools do not hold.
 */
export function furtherDetails(
  comparison: Comparison,
  { isOfFiles }: { readonly isOfFiles: boolean },
): readonly Detail[] {
  const { otherMetrics, quantities = [], pairingGain, difference, time } = comparison;
  const ofRuns = comparison.fixedInterval ?? comparison.interval;
  const unit = chooseTimeUnit(Math.max(Math.abs(difference.lowNs), Math.abs(difference.highNs)) / 1e9);
  const [estimate, low, high] = [difference.estimateNs, difference.lowNs, difference.highNs].map((ns) =>
    signed(formatTime(ns / 1e9, unit)),
  );
  return [
    ...otherMetrics
      .filter(({ metric }) => !isResourceMetric(metric))
      .map(({ metric, interval, verdict }) => ({
        label: metricKinds[metric].name,
        text: `${formatRatio(interval)}, ${formatChosenShare(interval.level)} CI, ${runsOf(comparison)}: ${verdictWords[verdict].toLowerCase()}`,
      })),
    ...quantities.map((quantity) => ({ label: quantityName(quantity), text: quantityText(quantity) })),
    ...(isResourceMetric(comparison.metric)
      ? []
      : [
          {
            label: 'difference',
            text: `${estimate} [${low} … ${high}], ${formatChosenShare(ofRuns.level)} CI, ${runsOf(comparison)}: B - A, ${intervalFacts[ofRuns.kind].ofRanks ? 'typical run, ' : 'means of '}${metricKinds[comparison.metric].name}`,
          },
        ]),
    ...(pairingGain === null ? [] : [{ label: 'pairing', text: pairingText(pairingGain) }]),
    ...neighbourDetails(comparison),
    ...stabilityDetails(comparison),
    { label: 'discarded', text: discardedText(comparison) },
    ...(isOfFiles
      ? []
      : [{ label: 'took', text: `${formatStretch(time.wallNs)}, ${formatStretch(time.machineNs)} of core time` }]),
  ];
}

/** Use of each resource by the sides, of those that was asked for, with the ratio of those that do not decide. */
function resourceDetails(comparison: Comparison): readonly Detail[] {
  return (comparison.resources ?? []).map(({ metric, A, B }) => {
    const sides = `A ${formatResource(metric, A)}, B ${formatResource(metric, B)} (mean of ${runsOf(comparison)})`;
    const other = comparison.otherMetrics.find((one) => one.metric === metric);
    if (other === undefined) return { label: metricKinds[metric].name, text: `${sides}; it decides` };
    const { interval, verdict } = other;
    return {
      label: metricKinds[metric].name,
      text: `${formatRatio(interval)}, ${formatChosenShare(interval.level)} CI: ${resourceWords[verdict]}; ${sides}`,
    };
  });
}

const resourceWords: Readonly<Record<Verdict, string>> = {
  slower: 'B uses more',
  faster: 'B uses less',
  'dead-heat': verdictWords['dead-heat'].toLowerCase(),
  undecided: verdictWords.undecided.toLowerCase(),
};

/** An amount of a resource: memory in MiB, else a number. */
function formatResource(metric: ResourceMetric, value: number): string {
  return metricKinds[metric].unit === 'bytes' ? `${(value / 2 ** 20).toFixed(1)} MiB` : groupDigits(value.toFixed(0));
}

/** The total time beside the typical run, and the typical run where slow runs make the mean decide. */
function besideDetails({ metric, total, rankInterval, runs, warnings }: Comparison): readonly Detail[] {
  function text(beside: Interval): string {
    return `${formatRatio(beside)}, ${formatChosenShare(beside.level)} CI, ${intervalFacts[beside.kind].name}`;
  }
  const seesSlowRuns = warnings.some(({ code }) => code === 'SLOW_NOW_AND_THEN');
  const missed = Math.floor(100 * (1 - missedOdds ** (1 / runs)));
  return [
    ...(rankInterval === null ? [] : [{ label: 'typical run', text: `${text(rankInterval)}; the mean decides` }]),
    ...(total === null || isResourceMetric(metric)
      ? []
      : [
          {
            label: 'total time',
            text:
              `${text(total)}: ratio of the mean times` +
              (seesSlowRuns || runs < 2
                ? ''
                : `; a kind of slow run that is up to ${missed} in 100 may have been missed`),
          },
        ]),
  ];
}

/** The correlation of the log ratios of successive runs. */
function neighbourDetails({ neighbourCorrelation: correlation, resampled }: Comparison): readonly Detail[] {
  if (correlation === null) return [];
  // An AR(1) process of this correlation has the variance of the mean of as many independent values times this.
  const effect = (1 + correlation) / (1 - correlation);
  const unit = resampled.unit === 'traded-block' ? 'blocks' : 'runs';
  return [
    {
      label: 'neighbours',
      text: `ratios of successive ${unit} correlate by ${correlation.toFixed(2)} (design effect ${effect.toFixed(1)})`,
    },
  ];
}

/** The method that pilot runs chose, and why; nothing where the user chose it. */
function methodDetails({ method, methodReason }: Comparison): readonly Detail[] {
  return methodReason === null
    ? []
    : [{ label: 'method', text: `${method}, ${methodFacts[method].meaning}: ${methodReason}` }];
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
function reasonWithMetric(metric: Metric, reason: string): string {
  return reason.startsWith(metricKinds[metric].name) ? reason : `${metricKinds[metric].name}: ${reason}`;
}

function intervalText(comparison: Comparison, interval: Interval): string {
  const { resampled, runs, interim } = comparison;
  const { replicates } = interval;
  const { name } = intervalFacts[interval.kind];
  if (interim !== null && interval === comparison.interval) {
    return `${name}, ${countOf(interim.analyses, 'interim analysis', 'interim analyses')} of ${countOf(runs, 'run')}`;
  }
  const units =
    resampled.unit === 'traded-block'
      ? `${countOf(resampled.count, 'block')} of two runs that traded cores`
      : countOf(resampled.count, resampled.unit);
  if (replicates === 0) return `${name} over ${units}${resampled.unit === 'run' ? '' : ` (${countOf(runs, 'run')})`}`;
  return `${name}, ${countOf(replicates, 'replicate')} over ${units}`;
}

function plannedDetails({ planned }: Comparison): readonly Detail[] {
  if (planned === null) return [];
  const { halfWidth, achieved } = planned;
  return [
    {
      label: 'planned',
      text: `an interval that reaches ${formatShare(halfWidth)} to each side; it reaches ${formatShare(achieved)}`,
    },
  ];
}

function controlDetails(comparison: Comparison): readonly Detail[] {
  const { verdict, interval } = comparison;
  if (!isSelfComparison(comparison) || verdict === 'dead-heat') return [];
  if (verdict === 'undecided') return [{ label: 'control', text: 'the same command twice: a dead heat is expected' }];
  const chance = formatChosenShare(1 - interval.level);
  return [
    {
      label: 'control',
      text:
        `the same command twice should be a dead heat; ${chance} of such controls differ by chance. ` +
        'Repeat it with another --seed; when it differs again, do not trust comparisons on this machine as it is now.',
    },
  ];
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
