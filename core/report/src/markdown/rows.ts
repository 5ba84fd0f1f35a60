import { sides, metricKinds, type Comparison, type Report, type SideSummary, type Warning } from '@deadheat/model';
import {
  chooseTimeUnit,
  formatTime,
  formatChosenShare,
  formatInterval,
  formatShare,
  type TimeUnit,
  unitOfBoth,
} from '../text/numbers.ts';
import type { ResultView } from '../text/overview.ts';
import { type Dialect, markdownDialect } from './dialects.ts';
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
  {
    shown = (name) => name,
    dialect = markdownDialect,
    timeUnit = null,
  }: {
    readonly shown?: (name: string) => string;
    readonly dialect?: Dialect;
    readonly timeUnit?: ResultView['timeUnit'];
  } = {},
): readonly (readonly string[])[] {
  const unit =
    timeUnit === null
      ? chooseTimeUnit(Math.max(comparison.sides.A.mean, comparison.sides.B.mean))
      : unitOfBoth([comparison.sides.A.mean, comparison.sides.B.mean], timeUnit);
  return sides.map((side) => {
    const summary = comparison.sides[side];
    return [side, dialect.code(shown(summary.name)), ...timeCells(summary, unit)];
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

/** The cells of a comparison below `verdictHead`; name and verdict may be in other words. */
export function verdictRow(
  comparison: Comparison,
  {
    dialect = markdownDialect,
    name = nameCell(comparison, dialect),
    verdict = verdictCell(comparison, dialect),
  }: { readonly dialect?: Dialect; readonly name?: string; readonly verdict?: string } = {},
): readonly string[] {
  const { method, metric, minimalDetectableSlowdown, interval, interim } = comparison;
  const { estimate, low, high } = formatInterval(interval);
  return [
    name,
    verdict,
    dialect.text(estimate),
    dialect.text(
      `${formatChosenShare(interval.level)}${interim === null || interim.analyses === 0 ? '' : ' at every interim analysis'}: ${low} … ${high}`,
    ),
    runsOf(comparison),
    method,
    metricKinds[metric].name,
    dialect.text(`+${formatShare(minimalDetectableSlowdown)}`),
  ];
}

/** The verdict in bold. */
export function verdictCell({ verdict }: Pick<Comparison, 'verdict'>, { strong }: Dialect = markdownDialect): string {
  return strong(verdictWords[verdict].toLowerCase());
}

function nameCell({ benchmark, params }: Comparison, { code }: Dialect): string {
  const pairs = Object.entries(params).map(([name, value]) => code(`${name}=${value}`));
  return [code(benchmark), ...pairs].join(' ');
}

/** Every warning of a report once. */
export function distinctWarnings({
  warnings,
  comparisons,
}: {
  readonly warnings: Report['warnings'];
  readonly comparisons: readonly Comparison[];
}): readonly Warning[] {
  const distinct = new Map<string, Warning>();
  for (const warning of [...warnings, ...comparisons.flatMap((comparison) => comparison.warnings)]) {
    distinct.set(`${warning.code} ${warning.message}`, warning);
  }
  return [...distinct.values()];
}
