import { decidingInterval, type Comparison } from '@deadheat/model';
import { formatChosenShare, formatDifference, formatShare, percentDigits } from '../text/format-percent.ts';
import { metricNames } from '../text/comparison-details.ts';
import { runsOf } from '../text/verdict-sentence.ts';
import { verdictWords } from '../text/verdict-words.ts';
import { codeSpan } from './markdown-text.ts';

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
  const digits = percentDigits(ratio);
  const [estimate, low, high] = [ratio.estimate, ratio.low, ratio.high].map((value) => formatDifference(value, digits));
  return [
    name,
    verdict,
    `${estimate}`,
    `${formatChosenShare(ratio.confidence)}${comparison.decidedBy === 'sequential' ? ' at every look' : ''}: ${low} … ${high}`,
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
