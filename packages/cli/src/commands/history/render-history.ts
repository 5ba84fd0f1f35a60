import type { LevelChange } from '@deadheat/analysis';
import type { StoredRecording } from '@deadheat/history';
import type { CommitRef, HistoryPoint } from '@deadheat/model';
import { countOf, formatChosenShare, formatDifference, percentDigits, printable } from '@deadheat/report';
import type { HistoryDocument, HistorySeries } from './history-document.ts';
import { alignCells } from '../../terminal/align-cells.ts';
import { createColors, type Colors } from '../../terminal/colors.ts';
import type { TerminalStyle } from '../../terminal/style.ts';
import { colorVerdict } from '../../terminal/verdict-word.ts';

/** The last `last` points of every series as a chain of verdicts, and every change of level; ends in a line break. */
export function renderHistory(
  { series, place }: HistoryDocument,
  { last, style }: { readonly last: number; readonly style: Pick<TerminalStyle, 'color'> },
): string {
  const colors = createColors(style);
  if (series.length === 0) return `${printable(place)} holds no comparison that fits.\n`;
  return series.map((one) => `${renderSeries(one, { last, colors }).join('\n')}\n`).join('\n');
}

function renderSeries(
  series: HistorySeries,
  { last, colors }: { readonly last: number; readonly colors: Colors },
): readonly string[] {
  const { points, changes, quantity, leastChange } = series;
  const what = `${quantityWords[quantity]}; smaller ones than ${formatChosenShare(leastChange)} are not shown`;
  const shown = points.slice(-last);
  const rows = shown.map((point) => [...cellsOf(point), colorVerdict(point.verdict, colors)]);
  const earlier = points.length - shown.length;
  return [
    colors.bold(`${titleOf(series)}: ${countOf(points.length, 'comparison')}`),
    ...(earlier === 0 ? [] : [`  ${countOf(earlier, 'earlier one')} (--last ${points.length} shows them)`]),
    ...alignCells(rows).map((line) => `  ${line}`),
    ...(changes.length === 0 ? [`  no change of level: ${what}`] : [`  changes of level: ${what}`]),
    ...changes.map((change) => `    ${changeLine(change, series)}`),
  ];
}

const quantityWords = {
  ratio: 'B / A against the one baseline',
  time: "B's mean time, which also holds what changed on the machines",
} as const;

function cellsOf(point: HistoryPoint): readonly string[] {
  const { ratio, commits, runs } = point;
  const digits = percentDigits(ratio);
  const ends = `[${formatDifference(ratio.low, digits)} … ${formatDifference(ratio.high, digits)}]`;
  return [
    dayOf(point),
    `${nameOf(commits.A)} -> ${nameOf(commits.B)}`,
    formatDifference(ratio.estimate, digits),
    ends,
    `${formatChosenShare(ratio.confidence)} CI`,
    countOf(runs, 'run'),
  ];
}

function changeLine({ ratio, at, after, until }: LevelChange, { points }: HistorySeries): string {
  const point = points[at];
  const day = point === undefined ? '' : `, ${dayOf(point)}`;
  const range = after === null && until === null ? '' : `, after ${nameOf(after)} and until ${nameOf(until)}`;
  return `${formatDifference(ratio, percentDigits({ low: ratio, high: ratio }))} from comparison ${at + 1} on${day}${range}`;
}

function titleOf({ project, benchmark, params, method }: HistorySeries): string {
  const values = Object.entries(params).map(([name, value]) => `${printable(name)}=${printable(value)}`);
  const words = [printable(benchmark), ...values].join(' ');
  return project === benchmark ? `${words}, ${method}` : `${printable(project)}: ${words}, ${method}`;
}

function nameOf(commit: CommitRef | null): string {
  if (commit === null) return '?';
  const { id, label } = commit;
  return printable(label === '' ? id.slice(0, 12) : label);
}

function dayOf({ commits, startedAt }: HistoryPoint): string {
  return (commits.B?.committedAt ?? startedAt).slice(0, 10);
}

/** What a history holds, a line a recording; ends in a line break. */
export function renderRecordings(recordings: readonly StoredRecording[], place: string): string {
  if (recordings.length === 0) return `${printable(place)} holds no recording.\n`;
  const rows = recordings.map(({ id, project, startedAt, commits, hostname, comparisons }) => [
    id,
    `${startedAt.slice(0, 16).replace('T', ' ')}Z`,
    printable(project),
    `${nameOf(commits.A)} -> ${nameOf(commits.B)}`,
    countOf(comparisons, 'comparison'),
    printable(hostname),
  ]);
  return `${alignCells(rows).join('\n')}\n`;
}
