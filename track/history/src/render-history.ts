import { type CommitRef, pointMetricName } from '@deadheat/model';
import {
  alignCells,
  chooseAmountUnit,
  type Colors,
  colorVerdict,
  countOf,
  createColors,
  csvRows,
  formatAmountIn,
  formatChosenShare,
  formatDifference,
  percentDigits,
  printable,
  type TextStyle,
  verdictWordsOf,
} from '@deadheat/report';
import { firedCanaries, isCanary } from './changes/canaries.ts';
import type { LevelChange, SeriesQuantity } from './changes/levels.ts';
import type { HistoryPoint, SeriesName } from './history.ts';

/** A series as `deadheat history show` shows it. */
export interface HistorySeries extends SeriesName {
  readonly quantity: SeriesQuantity;
  /** Smallest change of level that is shown, as a share: 0.005 = 0.5 %. */
  readonly leastChange: number;
  /** In the order of B's commits; `value` is the quantity there and `level` its mean between two changes (a ratio, or ns). */
  readonly points: readonly (HistoryPoint & { readonly value: number; readonly level: number })[];
  readonly changes: readonly LevelChange[];
}

/** The document that `--export json` of `deadheat history show` writes. */
export interface HistoryDocument {
  readonly schema: 'deadheat.history/1';
  /** Folder or URL, without a password. */
  readonly place: string;
  readonly series: readonly HistorySeries[];
}

/** Which canaries fired, the newest first, a line each; nothing where none did. */
export function renderCanaries(points: readonly HistoryPoint[], last: number): string {
  const alarms = firedCanaries(points);
  const rows = alarms
    .slice(0, last)
    .map(({ kind, host, name, point, ratio }) => [
      dayOf(point),
      printable(host),
      `${printable(name.benchmark)} ${kind === 'differs' ? 'differed from itself' : 'changed its level'}`,
      ...sizeCells(ratio),
    ]);
  if (rows.length === 0) return '';
  const lines = alignCells(rows).map((line) => `  ${line}\n`);
  return `${countOf(alarms.length, 'alarm')} of canaries, about the machines:\n${lines.join('')}`;
}

/** The newest changes of all series but those of canaries, a line each; ends in a line break. */
export function renderChanges(
  { series: all, place }: HistoryDocument,
  { last, style }: { readonly last: number; readonly style: Pick<TextStyle, 'color'> },
): string {
  const colors = createColors(style);
  if (all.length === 0) return `${printable(place)} holds no comparison that fits.\n`;
  const series = all.filter((one) => !isCanary(one));
  const changes = series
    .flatMap((one) => one.changes.map((change) => ({ change, one, day: dayAt(one, change) })))
    .toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  const shown = changes.slice(0, last);
  const steady = series.filter((one) => one.changes.length === 0).length;
  const rows = shown.map(({ change, one, day }) => [
    day,
    colorVerdict(change.ratio > 1 ? 'slower' : 'faster', colors, {
      words: verdictWordsOf(one.points[0]?.metric ?? 'time'),
    }),
    ...sizeCells(change),
    titleOf(one),
    `${rangeOf(change)}${shownBy(one, change)}`,
  ]);
  const earlier = changes.length - shown.length;
  return [
    colors.bold(
      `What changed: ${countOf(changes.length, 'change')} of level in ${countOf(series.length, 'series', 'series')}${changes.length === 0 ? '' : ', the newest first'}`,
    ),
    ...alignCells(rows).map((line) => `  ${line}`),
    ...(earlier === 0 ? [] : [`  ${countOf(earlier, 'earlier one')} (--last ${changes.length} shows them)`]),
    `${countOf(steady, 'series', 'series')} without a change. deadheat history show BENCHMARK shows the verdicts of one, --all those of every benchmark.\n`,
  ].join('\n');
}

function dayAt({ points }: HistorySeries, { at }: LevelChange): string {
  const point = points[at];
  return point === undefined ? '' : dayOf(point);
}

function sizeCells({ ratio, low, high }: Pick<LevelChange, 'ratio' | 'low' | 'high'>): readonly string[] {
  const digits = percentDigits({ low, high });
  return [formatDifference(ratio, digits), `[${formatDifference(low, digits)} … ${formatDifference(high, digits)}]`];
}

/** The evidence of a change, where that is not a search of ratios to one baseline. */
function shownBy({ quantity }: HistorySeries, { basis }: LevelChange): string {
  if (quantity === 'pairs') return basis === 'pair' ? ', one pair' : ', confirmed';
  return quantity === 'ratio' ? '' : `, ${quantity} of B`;
}

function rangeOf({ after, until }: LevelChange): string {
  return `after ${commitName(after)} and until ${commitName(until)}`;
}

/** Every comparison as a row; `change` is the ratio of the levels where a new one begins. A metric that was asked for has columns of its own. */
export function historyCsv({ series }: HistoryDocument): string {
  const isMeasured = series.some(({ points }) => points.some(({ measured }) => measured !== undefined));
  const columns =
    'project,benchmark,params,method,experiment,started_at,commit_a,commit_b,committed_at,hostname,metric,estimate,low,high,' +
    'confidence,verdict,runs,mean_ns_a,mean_ns_b,quantity,value,level,change' +
    (isMeasured ? ',unit,mean_a,mean_b' : '');
  const rows = series.flatMap(({ points, changes, quantity }) => {
    const ratios = new Map(changes.map(({ at, ratio }) => [at, ratio]));
    return points.map(({ ratio, commits, meanNs, ...point }, at) => [
      point.project,
      point.benchmark,
      JSON.stringify(point.params),
      point.method,
      point.experiment,
      point.startedAt,
      commits.A?.id ?? null,
      commits.B?.id ?? null,
      commits.B?.committedAt ?? null,
      point.hostname,
      point.metric,
      ratio.estimate,
      ratio.low,
      ratio.high,
      ratio.confidence,
      point.verdict,
      point.runs,
      meanNs.A,
      meanNs.B,
      quantity,
      point.value,
      point.level,
      ratios.get(at) ?? null,
      ...(isMeasured
        ? [point.measured?.unit ?? null, point.measured?.mean?.A ?? null, point.measured?.mean?.B ?? null]
        : []),
    ]);
  });
  return csvRows([columns.split(','), ...rows]);
}

/** The last `last` points of every series as a chain of verdicts, and every change of level; ends in a line break. */
export function renderHistory(
  { series, place }: HistoryDocument,
  { last, style }: { readonly last: number; readonly style: Pick<TextStyle, 'color'> },
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
  const isOfCommits = shown.some(({ commits }) => commits.A !== null || commits.B !== null);
  const rows = shown.map((point) => [
    dayOf(point),
    ...(isOfCommits ? [`${commitName(point.commits.A)} -> ${commitName(point.commits.B)}`] : []),
    ...cellsOf(point),
    ...(point.measured === undefined ? [] : [meansOf(point.measured)]),
    colorVerdict(point.verdict, colors, { words: verdictWordsOf(point.metric) }),
  ]);
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
  pairs: 'pairs of commits, on the same machine each',
  time: "B's mean time, which also holds what changed on the machines",
  value: "B's mean value, which also holds what changed on the machines",
} as const;

/** The means of both sides in the metric that was asked for. */
function meansOf({ mean, unit }: NonNullable<HistoryPoint['measured']>): string {
  if (mean === null) return '';
  const amounts = chooseAmountUnit(Math.max(mean.A, mean.B), unit);
  return `${formatAmountIn(mean.A, amounts)} -> ${formatAmountIn(mean.B, amounts)}`;
}

function cellsOf({ ratio, runs }: HistoryPoint): readonly string[] {
  const digits = percentDigits(ratio);
  const ends = `[${formatDifference(ratio.low, digits)} … ${formatDifference(ratio.high, digits)}]`;
  return [
    formatDifference(ratio.estimate, digits),
    ends,
    `${formatChosenShare(ratio.confidence)} CI`,
    countOf(runs, 'run'),
  ];
}

function changeLine(change: LevelChange, { points }: HistorySeries): string {
  const { at, after, until } = change;
  const point = points[at];
  const day = point === undefined ? '' : `, ${dayOf(point)}`;
  const range = after === null && until === null ? '' : `, ${rangeOf(change)}`;
  return `${sizeCells(change).join(' ')} from comparison ${at + 1} on${day}${range}`;
}

function titleOf({ project, benchmark, params, method, points }: HistorySeries): string {
  const values = Object.entries(params).map(([name, value]) => `${printable(name)}=${printable(value)}`);
  const words = [printable(benchmark), ...values].join(' ');
  const metric = points[0]?.measured === undefined ? '' : `, ${printable(pointMetricName(points[0].metric))}`;
  return `${project === benchmark ? '' : `${printable(project)}: `}${words}, ${method}${metric}`;
}

/** The text of a commit of a history: its label, else the beginning of its hash; `?` = not known. */
export function commitName(commit: CommitRef | null): string {
  if (commit === null) return '?';
  const { id, label } = commit;
  return printable(label === '' ? id.slice(0, 12) : label);
}

function dayOf({ commits, startedAt }: HistoryPoint): string {
  return (commits.B?.committedAt ?? startedAt).slice(0, 10);
}
