import { sides, decidingInterval, metricNames, type Comparison, type SideSummary } from '@deadheat/model';
import {
  chooseTimeUnit,
  formatTime,
  formatChosenShare,
  formatInterval,
  formatShare,
  type TimeUnit,
} from '../text/numbers.ts';
import { codeSpan } from './markdown-text.ts';
import { runsOf, verdictWords } from '../text/verdict-sentence.ts';

export const sideHead: readonly string[] = [
  'Side',
  'Command',
  'Mean',
  'Median',
  'Stddev',
  'Min … max',
  'User',
  'System',
];

/** The cells of both sides below `sideHead`, in one unit; names may be shortened. */
export function sideRows(
  comparison: Pick<Comparison, 'sides'>,
  { shown = (name) => name }: { readonly shown?: (name: string) => string } = {},
): readonly (readonly string[])[] {
  const unit = chooseTimeUnit(Math.max(comparison.sides.A.mean, comparison.sides.B.mean));
  return sides.map((side) => {
    const summary = comparison.sides[side];
    return [side, codeSpan(shown(summary.name)), ...timeCells(summary, unit)];
  });
}

function timeCells({ mean, median, stddev, min, max, user, system }: SideSummary, unit: TimeUnit): readonly string[] {
  function time(seconds: number | null): string {
    return seconds === null ? '' : formatTime(seconds, unit);
  }

  return [time(mean), time(median), time(stddev), `${time(min)} … ${time(max)}`, time(user), time(system)];
}

export const verdictHead: readonly string[] = [
  'Benchmark',
  'Verdict',
  'B against A',
  'CI',
  'Runs',
  'Method',
  'Metric',
  'Found in 4 of 5',
];

/** The cells of a comparison below `verdictHead`; name and verdict may be told in other words. */
export function verdictRow(
  comparison: Comparison,
  {
    name = nameCell(comparison),
    verdict = verdictCell(comparison),
  }: { readonly name?: string; readonly verdict?: string } = {},
): readonly string[] {
  const { method, metric, minimalDetectableSlowdown } = comparison;
  const ratio = decidingInterval(comparison);
  const { estimate, low, high } = formatInterval(ratio);
  return [
    name,
    verdict,
    estimate,
    `${formatChosenShare(ratio.confidence)}${comparison.decidedBy === 'sequential' ? ' at every interim analysis' : ''}: ${low} … ${high}`,
    runsOf(comparison),
    method,
    metricNames[metric],
    `+${formatShare(minimalDetectableSlowdown)}`,
  ];
}

/** The verdict in bold. */
export function verdictCell({ verdict }: Pick<Comparison, 'verdict'>): string {
  return `**${verdictWords[verdict].toLowerCase()}**`;
}

function nameCell({ benchmark, params }: Comparison): string {
  const pairs = Object.entries(params).map(([name, value]) => codeSpan(`${name}=${value}`));
  return [codeSpan(benchmark), ...pairs].join(' ');
}
