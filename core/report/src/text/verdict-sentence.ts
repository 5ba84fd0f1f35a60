import {
  isResourceMetric,
  isTimeMetric,
  metricKinds,
  type Comparison,
  type Interval,
  type Outlook,
  type Verdict,
} from '@deadheat/model';
import {
  countOf,
  formatChosenShare,
  formatDifference,
  formatInterval,
  formatMultiple,
  formatRatio,
  formatShare,
  leastMultiple,
  formatStretch,
  percentDigits,
} from './numbers.ts';

/** The verdict as it stands at the end of its line; the word carries the meaning, a colour only repeats it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  slower: 'SLOWER',
  faster: 'FASTER',
  'dead-heat': 'DEAD HEAT',
  undecided: 'UNDECIDED',
};

const amountWords: Readonly<Record<Verdict, string>> = {
  slower: 'MORE',
  faster: 'LESS',
  'dead-heat': 'SAME',
  undecided: 'UNDECIDED',
};

/** The words of verdicts about a metric of a history: of one that is no time, B has more or less of it. */
export function verdictWordsOf(metric: string): Readonly<Record<Verdict, string>> {
  return isTimeMetric(metric) ? verdictWords : amountWords;
}

/** True where both sides are the same command: an A/A comparison, which shows what the machine can see. */
export function isSelfComparison({ sides }: Pick<Comparison, 'sides'>): boolean {
  return sides.A.command === sides.B.command;
}

/** From this displayed ratio on, differences are written as `times`. */
const largeRatio = 2;

/** The result of B against A with interval, level and number of runs, on one line. */
export function verdictSentence(comparison: Comparison): string {
  switch (comparison.verdict) {
    case 'slower':
    case 'faster':
      return isSelfComparison(comparison) ? selfDifference(comparison) : difference(comparison);
    case 'dead-heat':
      return isSelfComparison(comparison)
        ? `${versus(comparison)}; ${sensitivity(comparison)}`
        : `${versus(comparison)}, ${comparison.method}`;
    case 'undecided':
      return `${versus(comparison)}; ${outlook(comparison)}`;
  }
}

/** `40 runs`, or `40 runs of 10` where a run holds several executions, and on how many hosts or of how many layouts where they are several. */
export function runsOf({
  runs,
  iterationsPerRun,
  hosts,
  layouts,
}: Pick<Comparison, 'runs' | 'iterationsPerRun' | 'hosts' | 'layouts'>): string {
  const made =
    iterationsPerRun > 1 ? `${countOf(runs, 'run')} of ${Math.round(iterationsPerRun)}` : countOf(runs, 'run');
  if (hosts !== undefined) return `${made} on ${countOf(hosts.each.length, 'host')}`;
  return layouts === undefined ? made : `${made} of ${countOf(layouts.each.length, 'layout')}`;
}

function difference(comparison: Comparison): string {
  const { verdict, metric, interval: ratio } = comparison;
  const slower = verdict === 'slower';
  const turned = slower ? ratio : { estimate: 1 / ratio.estimate, low: 1 / ratio.high, high: 1 / ratio.low };
  if (Number(turned.estimate.toFixed(2)) >= largeRatio) {
    const isEndless = turned.high >= endless;
    const shown = [turned.estimate, turned.low, turned.high].map(timesOf(turned));
    const [estimate = '', low = '', high = ''] = shown;
    const factor = isEndless ? `more than ${low}` : estimate;
    const claim = isResourceMetric(metric)
      ? `${slower ? 'B' : 'A'} uses ${factor} the ${metricKinds[metric].name} of ${slower ? 'A' : 'B'}`
      : slower
        ? `B takes ${factor} as long as A`
        : `B is ${factor} as fast as A`;
    const bounds = isEndless ? '' : `   [${low.replace(' times', '')} … ${high.replace(' times', '')}]`;
    return `${claim}${inSum(comparison)}${bounds}   ${facts(comparison)}`;
  }
  const digits = percentDigits(ratio);
  const size = (Math.abs(ratio.estimate - 1) * 100).toFixed(digits);
  const claim = isResourceMetric(metric)
    ? `B uses ${size} % ${slower ? 'more' : 'less'} ${metricKinds[metric].name} than A`
    : `B is ${size} % ${verdict} than A`;
  return `${claim}${inSum(comparison)}   ${ends(comparison)}   ${facts(comparison)}`;
}

/** ` in sum` where the total time decides; files of other tools may hold nothing but means. */
function inSum({ judge, typical }: Comparison): string {
  return judge === 'total' && typical !== null ? ' in sum' : '';
}

function selfDifference(comparison: Comparison): string {
  const { estimate } = formatInterval(comparison.interval);
  return `A differs from itself by ${estimate}   ${ends(comparison)}   ${facts(comparison)}`;
}

function versus(comparison: Comparison): string {
  const { interval: ratio } = comparison;
  const pair = isSelfComparison(comparison) ? 'A vs A' : 'B vs A';
  return `${pair}${inSum(comparison)}: ${formatRatio(ratio)}, ${formatChosenShare(ratio.level)} CI, ${runsOf(comparison)}`;
}

/** Slowdowns from this size on, a million times, are shown as none at all. */
export const endless = 1e6;

/** `within 0.8 %`: the largest change that the interval of a dead heat leaves, rounded up; `null` of any other verdict. */
export function deadHeatSize({
  verdict,
  interval: { low, high },
}: Pick<Comparison, 'verdict' | 'interval'>): string | null {
  if (verdict !== 'dead-heat') return null;
  const percent = 100 * (Math.max(high, 1 / low) - 1);
  const step = percent >= 0.1 ? 0.1 : 10 ** Math.floor(Math.log10(Math.max(percent, 1e-4)));
  // Less than rounding in the last digit counts as none.
  return `within ${Number((Math.ceil(percent / step - 1e-9) * step).toPrecision(6))} %`;
}

/** The slowdown that has a probability of 80 % of the verdict `slower` on this machine, and that probability. */
function sensitivity({ minimalDetectableSlowdown: slowdown, metric }: Comparison): string {
  const what = isResourceMetric(metric) ? 'an increase' : 'a slowdown';
  return `this machine finds ${what} of ${formatShare(slowdown)} in 4 of 5 experiments`;
}

function outlook(comparison: Comparison): string {
  const { outlook: more, confirmation, opposition, warnings } = comparison;
  if (confirmation !== undefined) return `slower, but not on ${countOf(confirmation.hosts.length, 'other host')}`;
  if (warnings.some(({ code }) => code === 'LOW_OVERLAP')) return 'too little ran at the same time for a verdict';
  if (opposition !== null) return opposed(opposition, comparison.judge);
  return more === null ? 'more runs would narrow it' : `${advice(more)} would decide`;
}

/** Both quantities in words where one opposes the other. */
function opposed(
  { found, other, by, ratio }: NonNullable<Comparison['opposition']>,
  judge: Comparison['judge'],
): string {
  const [here, there] = judge === 'total' ? ['in sum', 'in most runs'] : ['in most runs', 'in sum'];
  const change = formatDifference(ratio, 1);
  const opposite =
    by === 'estimate' ? `${other} ${there} (${change})` : `but perhaps ${other} ${there} (up to ${change})`;
  return `${found === 'dead-heat' ? 'the same' : found} ${here}, ${opposite}`;
}

function advice({ moreRuns, moreTimeNs, moreHosts, moreLayouts }: Outlook): string {
  const [runs, time] = [countOf(moreRuns, 'more run'), formatStretch(moreTimeNs)];
  if (moreLayouts !== undefined) {
    return `about ${countOf(moreLayouts, 'more layout')} (${countOf(moreRuns, 'run')}, ${time})`;
  }
  if (moreHosts === undefined) return `about ${runs} (${time})`;
  return `about ${countOf(moreHosts, 'more host')} (${countOf(moreRuns, 'run')}, ${time})`;
}

function ends(comparison: Comparison): string {
  const { low, high } = formatInterval(comparison.interval);
  return `[${low} … ${high}]`;
}

function facts(comparison: Comparison): string {
  return `${formatChosenShare(comparison.interval.level)} CI, ${runsOf(comparison)}, ${comparison.method}`;
}

/** Ratios of one interval as factors: `2.13 times`, from 5 on `6.2x`. */
function timesOf({ estimate, low, high }: Pick<Interval, 'estimate' | 'low' | 'high'>): (ratio: number) => string {
  if (estimate >= leastMultiple) return formatMultiple;
  const digits = high - low < 0.01 ? 3 : 2;
  return (ratio) => `${ratio.toFixed(digits)} times`;
}
