import type { Comparison, Report } from '@deadheat/model';
import { verdictSentence } from '@deadheat/report';
import { comparisonNames } from './comparison-names.ts';
import type { ExportFormat } from './export-format.ts';
import { ofReport } from './of-report.ts';

interface Entry {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly range?: string;
  readonly extra: string;
}

/** The tool `customSmallerIsBetter` of github-action-benchmark: of each comparison the ratio B / A and the time of B. */
export const githubActionBenchmark: ExportFormat = ofReport({
  id: 'github-action-benchmark',
  describe: 'the JSON of its tool customSmallerIsBetter',
  text: (report) => `${JSON.stringify(toEntries(report), null, 2)}\n`,
  losses: () => [
    'github-action-benchmark compares single values with earlier ones: the interval is shown in range and extra, and does not decide',
  ],
});

function toEntries({ comparisons }: Report): readonly Entry[] {
  const names = comparisonNames(comparisons);
  return comparisons.flatMap((comparison, index) => entries(names[index] ?? '', comparison));
}

function entries(name: string, comparison: Comparison): readonly Entry[] {
  const { ratio, sides } = comparison;
  const extra = verdictSentence(comparison);
  return [
    {
      name: `${name}: B / A`,
      unit: 'ratio',
      value: ratio.estimate,
      range: `${ratio.low} … ${ratio.high}`,
      extra,
    },
    { name: `${name}: B`, unit: 'ms', value: sides.B.mean * 1e3, extra },
  ];
}
