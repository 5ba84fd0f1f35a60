import { sides, type Comparison, type SideSummary } from '@deadheat/model';
import { chooseTimeUnit, formatTime, type TimeUnit } from '../text/format-time.ts';
import { codeSpan } from './markdown-text.ts';

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
  const time = (seconds: number | null): string => (seconds === null ? '' : formatTime(seconds, unit));
  return [time(mean), time(median), time(stddev), `${time(min)} … ${time(max)}`, time(user), time(system)];
}
