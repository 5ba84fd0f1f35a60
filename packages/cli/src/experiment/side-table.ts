import { mostTimes, sides, type Comparison } from '@deadheat/model';
import { aloneText, chooseTimeUnit, countOf, formatTime, timesName, type TimeUnit } from '@deadheat/report';
import { wrapText } from '../terminal/wrap-text.ts';

const heads = ['', 'mean', 'median', 'stddev', 'min … max', 'user', 'system'];

/**
 * Times of both sides in one unit, every figure named: a table, or where `width` is too small for it a
 * paragraph a side.
 */
export function sideTable(comparison: Comparison, { width }: { readonly width: number }): readonly string[] {
  const { sides: summaries } = comparison;
  const unit = commonUnit(summaries);
  const time = (seconds: number | null): string => (seconds === null ? 'unknown' : formatTime(seconds, unit));
  const rows = sides.map((side) => {
    const { mean, median, stddev, min, max, user, system } = summaries[side];
    return [side, time(mean), time(median), time(stddev), `${time(min)} … ${time(max)}`, time(user), time(system)];
  });
  const table = alignColumns([heads, ...rows]);
  const fits = table.every((line) => line.length <= width);
  const alone = aloneText(summaries);
  const caption = [
    `${timesName(summaries)}${timesTold(comparison)}; user and system are means`,
    ...(alone === null ? [] : [alone]),
  ].flatMap((text) => wrapText(text, width));
  return [...caption, ...(fits ? table : rows.flatMap((row) => paragraph(row, width)))];
}

/** The larger side's unit, unless the smaller one would vanish in it. */
function commonUnit({ A, B }: Comparison['sides']): TimeUnit {
  const [small, large] = [Math.min(A.mean, B.mean), Math.max(A.mean, B.mean)];
  return chooseTimeUnit(small > 0 && small * 1000 < large ? small : large);
}

function alignColumns(table: readonly (readonly string[])[]): readonly string[] {
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return table.map((row) => row.map(align).join('  '));
}

function paragraph([side = '', ...cells]: readonly string[], width: number): readonly string[] {
  const indent = '   ';
  const figures = cells.map((cell, index) => `${heads[index + 1]} ${cell}`).join(', ');
  const [first = '', ...rest] = wrapText(figures, width - indent.length);
  return [`${side.padEnd(indent.length)}${first}`, ...rest.map((line) => indent + line)];
}

/** Files of other tools may hold no single times. */
function timesTold(comparison: Comparison): string {
  const { A, B } = comparison.sides;
  return A.times.length === 0 || B.times.length === 0
    ? ', mean, median and scatter as the files tell them'
    : ` of ${executions(comparison)}`;
}

/** How many there were; a report lists only a sample of very many times. */
function executions({ sides: { A, B }, iterationsPerRun, runs }: Comparison): string {
  const [a, b] = [A.times.length, B.times.length];
  const all = Math.round(2 * iterationsPerRun * runs);
  if (Math.max(a, b) >= mostTimes && a + b < all) return `${countOf(all, 'execution')} of both sides`;
  return a === b
    ? `${countOf(a, 'execution')} of each side`
    : `${countOf(a, 'execution')} of A and ${countOf(b, 'execution')} of B`;
}
