import { sides, type Comparison, type HyperfineResult, type Params, type Report } from '@deadheat/model';
import { renderSummary, renderTables, verdictSentence, csvRows } from '@deadheat/report';
import { ofReport, type ExportFormat } from './export-format.ts';

export const json: ExportFormat = ofReport({
  id: 'json',
  describe: 'the complete report as JSON',
  text: (report) => `${JSON.stringify(report, null, 2)}\n`,
  losses: () => [
    'the report does not contain the single iterations of programs that record them; these stay in the recording',
  ],
});

export const sidesCsv: ExportFormat = ofReport({
  id: 'sides-csv',
  describe: 'a CSV table with one row for each side',
  text: toCsv,
  losses: () => [
    'the row of a side holds the mean, the spread and the ratio: single times, warnings and other metrics are left out',
  ],
});

const lossOfTables = 'the tables hold the verdicts and the sides: single times are left out';

export const markdown: ExportFormat = ofReport({
  id: 'markdown',
  describe: 'Markdown tables of all results',
  text: (report, { view }) => renderTables(report, view),
  losses: () => [lossOfTables],
});

export const asciidoc: ExportFormat = ofReport({
  id: 'asciidoc',
  describe: 'the same tables in AsciiDoc',
  text: (report, { view }) => renderTables(report, { ...view, dialect: 'asciidoc' }),
  losses: () => [lossOfTables],
});

export const org: ExportFormat = ofReport({
  id: 'org',
  describe: "the same tables in Emacs' Org mode",
  text: (report, { view }) => renderTables(report, { ...view, dialect: 'org' }),
  losses: () => [lossOfTables],
});

export const summary: ExportFormat = ofReport({
  id: 'summary',
  describe: 'Markdown for a pull request, the worst verdict first',
  text: renderSummary,
  losses: () => ['the summary holds the verdicts: single times and other metrics are left out'],
});

const statistics = ['mean', 'stddev', 'median', 'user', 'system', 'min', 'max'] as const;
const judgement = [
  'benchmark',
  'side',
  'ratio',
  'ratio_low',
  'ratio_high',
  'level',
  'kind',
  'verdict',
  'fixed_low',
  'fixed_high',
];

/**
 * A row for each side of each comparison: hyperfine's columns (seconds; a column for each parameter), then ours.
 * Fields are quoted as RFC 4180 says; lines end in LF. A value that is not known is empty.
 */
function toCsv({ comparisons }: Report): string {
  const names = [...new Set(comparisons.flatMap(({ params }) => Object.keys(params)))];
  const head = ['command', ...statistics, ...names.map((name) => `parameter_${name}`), ...judgement];
  const rows = comparisons.flatMap((comparison) =>
    sides.map((side) => {
      const { benchmark, params, interval, fixedInterval, verdict } = comparison;
      const summary = comparison.sides[side];
      return [
        summary.name,
        ...statistics.map((statistic) => summary[statistic]),
        ...names.map((name) => params[name] ?? null),
        benchmark,
        side,
        interval.estimate,
        interval.low,
        interval.high,
        interval.level,
        interval.kind,
        verdict,
        fixedInterval?.low ?? null,
        fixedInterval?.high ?? null,
      ];
    }),
  );
  return csvRows([head, ...rows]);
}

/** `sort size=10`: a benchmark with its parameters. */
export function nameWithParams(benchmark: string, params: Params): string {
  return [benchmark, ...Object.entries(params).map(([name, value]) => `${name}=${value}`)].join(' ');
}

/**
 * A name for each comparison, for formats that know a benchmark by its name alone: with its parameters, and with its
 * method where the benchmark was measured by several.
 */
export function comparisonNames(
  comparisons: readonly Pick<Comparison, 'benchmark' | 'params' | 'method'>[],
): readonly string[] {
  const plain = comparisons.map(({ benchmark, params }) => nameWithParams(benchmark, params));
  return comparisons.map(({ method }, index) => {
    const name = plain[index] ?? '';
    return plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${name} (${method})`;
  });
}

/**
 * hyperfine's `--export-json`: a result a side, seconds. Its schema has a number for `user` and `system` and an exit code
 * for each time; what is not known is 0 and `null`.
 */
export const hyperfine: ExportFormat = ofReport({
  id: 'hyperfine',
  describe: "hyperfine's JSON, for scripts that read it",
  text: ({ results }) => `${JSON.stringify({ results: results.map(toHyperfine) }, null, 2)}\n`,
  losses: (report) => [
    'hyperfine JSON holds each side separately: the pairs, the ratio, the interval and the verdict are left out',
    ...unknownTimes(report),
  ],
});

function toHyperfine(result: HyperfineResult): HyperfineResult {
  const { command, mean, stddev, median, user, system, min, max, times, exit_codes: codes, parameters } = result;
  return {
    command,
    mean,
    stddev,
    median,
    user: user ?? 0,
    system: system ?? 0,
    min,
    max,
    times,
    exit_codes: codes.length === times.length ? codes : spread(codes, times.length),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

/** The exit codes of runs that hold several times: the one that all share. */
function spread(codes: HyperfineResult['exit_codes'], length: number): HyperfineResult['exit_codes'] {
  const [first = null] = codes;
  return Array.from({ length }, () => (codes.every((code) => code === first) ? first : null));
}

function unknownTimes({ results }: Report): readonly string[] {
  return results.some(({ user, system }) => user === null || system === null)
    ? ['hyperfine JSON needs user and system time; where they were not measured they are written as 0']
    : [];
}

interface Metric {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

/**
 * Bencher Metric Format: of each comparison the `latency` of the candidate, Bencher's own measure in ns, that of the
 * baseline, and the ratio B / A with the interval that decides.
 */
export const bmf: ExportFormat = ofReport({
  id: 'bmf',
  describe: 'Bencher Metric Format JSON',
  text: (report) => `${JSON.stringify(toBmf(report), null, 2)}\n`,
  losses: () => [
    'Bencher Metric Format holds values and bounds: verdict, level, number of runs and warnings are left out',
  ],
});

function toBmf({ comparisons }: Report): Readonly<Record<string, Readonly<Record<string, Metric>>>> {
  const names = comparisonNames(comparisons);
  return Object.fromEntries(comparisons.map((comparison, index) => [names[index] ?? '', metricsOf(comparison)]));
}

function metricsOf(comparison: Comparison): Readonly<Record<string, Metric>> {
  const { interval } = comparison;
  const { A, B } = comparison.sides;
  return {
    latency: { value: B.mean * 1e9 },
    'baseline-latency': { value: A.mean * 1e9 },
    ratio: { value: interval.estimate, lower_value: interval.low, upper_value: interval.high },
  };
}

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
  const { interval, sides } = comparison;
  const extra = verdictSentence(comparison);
  return [
    {
      name: `${name}: B / A`,
      unit: 'ratio',
      value: interval.estimate,
      range: `${interval.low} … ${interval.high}`,
      extra,
    },
    { name: `${name}: B`, unit: 'ms', value: sides.B.mean * 1e3, extra },
  ];
}
