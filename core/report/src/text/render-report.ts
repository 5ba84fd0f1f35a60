import { tableOfSteadyStates } from '@deadheat/analysis';
import { type Comparison, mostTimes, quoteWord, type Report, sides } from '@deadheat/model';
import { aloneText, essentialDetails, furtherDetails, timesName } from './comparison-details.ts';
import { type Detail, eachHostDetails, gateDetails, present, standingNote, standings } from './details.ts';
import {
  alignCells,
  type Colors,
  colorVerdict,
  createColors,
  detailLines,
  proseWidth,
  type Layout,
  type TextStyle,
  warningLines,
  wrapText,
} from './layout.ts';
import { countOf, formatTime, unitOfBoth } from './numbers.ts';
import { shortComparison, shortWarnings, relevantWarnings, titleOf } from './one-screen.ts';
import {
  commonWarnings,
  notComparedOf,
  overviewLines,
  overviewOf,
  type ResultView,
  sortComparisons,
  warningsByCode,
} from './overview.ts';
import { commandOf, printable } from './printable.ts';
import { quantityLines } from './quantities.ts';
import { studyTable } from './render-study.ts';
import { segmentLines } from './segment-lines.ts';
import { deadHeatSize, isSelfComparison, verdictSentence, verdictWords } from './verdict-sentence.ts';

/**
 * A report as text for a terminal or a log, ending in a line break. Without colour it says the same. One comparison has ten lines at most, several
 * are a table below what the gate says; the view asks for all figures of each.
 */
export function renderReport(report: Report, style: TextStyle, view: ResultView = {}): string {
  const colors = createColors(style);
  const layout = { width: style.width ?? proseWidth, colors };
  const { comparisons, steadyStates } = report;
  const isMany = comparisons.length + notComparedOf(report).length > 1;
  const wantsAll = view.details ?? (!style.quiet && comparisons.some(({ segments }) => segments !== undefined));
  const isShort = !wantsAll && !style.quiet;
  const hasDetails = wantsAll || (style.quiet && !isMany);
  const standing = standings(report);
  const gate = gateDetails(report.gate, view);
  const place = detailLines(placeDetails(report, view), layout);
  const shown = isMany && !hasDetails ? [] : sortComparisons(comparisons, view.sort);
  const blocks = shown.map((comparison, index, { length }) => {
    const note = standingNote(standing.get(comparison));
    const verdict = verdictLines(comparison, { width: style.width, colors, note });
    if (isShort) return shortComparison(report, comparison, { verdict, place, view, layout });
    const position = length === 1 ? null : `comparison ${index + 1} of ${length}`;
    const isOfFiles = report.experiment.files !== undefined;
    return renderComparison(comparison, { style, view, layout, verdict, position, isOfFiles });
  });
  const table = isMany
    ? [
        ...overviewLines(report, overviewOf(report, { standing, view }), {
          width: style.width,
          proseWidth: layout.width,
          colors,
        }),
        ...quantityLines(comparisons, { colors, proseWidth: layout.width, width: style.width }),
      ]
    : [];
  const steady =
    steadyStates === undefined
      ? []
      : studyTable(tableOfSteadyStates(steadyStates.benchmarks, steadyStates.window), style);
  const parts = isShort
    ? [
        isMany ? detailLines(gate.slice(0, 1), layout) : [],
        table,
        ...blocks,
        steady,
        isMany
          ? [
              ...detailLines(fewOfEach(gate.slice(1)), layout),
              ...shortWarnings(relevantWarnings(warningsByCode(report), comparisons), layout),
              ...place,
            ]
          : comparisons.length === 0
            ? [...warningLines(relevantWarnings(report.warnings, comparisons), layout), ...place]
            : [],
      ]
    : [
        table,
        ...blocks,
        detailLines(gate, layout),
        steady,
        warningLines(hasDetails ? commonWarnings(report) : warningsByCode(report), layout),
        style.quiet ? [] : detailLines(originDetails(report), layout),
      ];
  const blocksOfLines = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${blocksOfLines.join('\n\n')}\n`;
}

/** The recording or the files that were judged, and the commands that judge or measure again. */
function originDetails({ experiment, hosts }: Report): readonly Detail[] {
  const { complete, seed, recording, files, parts } = experiment;
  if (files !== undefined) {
    return files.map((file, index, { length }) => ({
      label: length === 1 ? 'file' : `file of ${index === 0 ? 'A' : 'B'}`,
      text: printable(file),
    }));
  }
  const folder = quoteWord(printable(recording));
  const resume = hosts === undefined ? `; deadheat --resume ${folder} makes them` : '';
  return present([
    ['incomplete', complete ? null : `planned runs are missing${resume}`],
    ['parts', parts === undefined ? null : partsText(parts)],
    ['recording', printable(recording)],
    ['seed', `${printable(seed)}; with --seed ${quoteWord(printable(seed))} order and cores are the same again`],
    ['judge again', `deadheat analyse ${folder}`],
  ]);
}

/** The file or folder that holds everything, where no report follows that does. */
function placeDetails(
  { experiment, hosts, comparisons }: Report,
  { isFollowed = false }: ResultView,
): readonly Detail[] {
  const { complete, recording, files, parts } = experiment;
  const path = quoteWord(printable(recording));
  const isMany = comparisons.length > 1;
  const canGoOn = !complete && hosts === undefined;
  return present([
    ['incomplete', canGoOn ? `go on with deadheat --resume ${path}` : null],
    ['parts', parts === undefined ? null : partsText(parts)],
    ['details', isMany ? (files === undefined ? `deadheat analyse ${path} --details` : 'with --details') : null],
    ['recording', isFollowed || isMany || canGoOn || files !== undefined ? null : printable(recording)],
  ]);
}

/** Details of one label below a table: the table itself says which comparisons they are about. */
const mostAlike = 5;

function fewOfEach(details: readonly Detail[]): readonly Detail[] {
  const seen = new Map<string, number>();
  const shown = details.filter(({ label }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count <= mostAlike;
  });
  const left = [...seen].filter(([, count]) => count > mostAlike);
  return [...shown, ...left.map(([label, count]) => ({ label, text: `and ${count - mostAlike} more in the table` }))];
}

function partsText({ count, taken }: NonNullable<Report['experiment']['parts']>): string {
  if (taken.length === count) return `all ${count}`;
  return `${taken.join(', ')} of ${count}; deadheat ci merge brings them together`;
}

/** One comparison as lines: its `position` among several, parameters, commands, verdict, and what a reader needs to judge it. */
function renderComparison(
  comparison: Comparison,
  {
    style,
    view,
    layout,
    verdict,
    position,
    isOfFiles,
  }: {
    readonly style: TextStyle;
    readonly view: ResultView;
    readonly layout: Layout;
    readonly verdict: readonly string[];
    readonly position: string | null;
    readonly isOfFiles: boolean;
  },
): readonly string[] {
  const { width, colors } = layout;
  const title = [position, titleOf(comparison)].filter((text) => text !== null && text !== '').join(': ');
  const same = 'the same command: which slowdown does this machine find?';
  return [
    ...(title === '' ? [] : [colors.bold(title)]),
    `${colors.bold('A')}  ${commandOf(comparison, 'A')}`,
    `${colors.bold('B')}  ${isSelfComparison(comparison) ? same : commandOf(comparison, 'B')}`,
    '',
    ...verdict,
    '',
    ...(style.quiet ? [] : [...sideTable(comparison, { width, view }), '']),
    ...detailLines(essentialDetails(comparison), layout),
    ...(style.quiet
      ? []
      : [
          ...detailLines(furtherDetails(comparison, { isOfFiles }), layout),
          ...detailLines(eachHostDetails(comparison), layout),
          ...segmentLines(comparison, layout),
        ]),
    ...warningLines(comparison.warnings, layout),
  ];
}

/** Column of the verdict's word behind its sentence, so that the words of several comparisons stand in a column. */
const wordColumn = 94;
/**
 * Sentence and word on one line where they fit; on a narrow terminal the word leads and the sentence is wrapped.
 * `width` null: one line however long. The `note` stands behind the word: what the gate says of this verdict.
 */
function verdictLines(
  comparison: Comparison,
  { width, colors, note }: { readonly width: number | null; readonly colors: Colors; readonly note: string | null },
): readonly string[] {
  const sentence = verdictSentence(comparison);
  const word = verdictWords[comparison.verdict];
  const painted = colorVerdict(comparison.verdict, colors);
  const room = width ?? Number.POSITIVE_INFINITY;
  const size = deadHeatSize(comparison);
  const behind = `${size === null ? '' : ` ${size}`}${note === null ? '' : `, ${note}`}`;
  const length = word.length + behind.length;
  if (sentence.length + 2 + length <= room) {
    const column = Math.max(sentence.length + 2, Math.min(wordColumn, room - length));
    return [`${sentence.padEnd(column)}${painted}${behind}`];
  }
  const prose = `${size === null ? '' : `${size}; `}${note === null ? '' : `(${note}) `}${sentence.replace(/ {3}/, ' ').replace(/ {3}/, ', ')}`;
  const indent = ' '.repeat(word.length + 2);
  const [first = '', ...rest] = wrapText(prose, room - indent.length);
  return [`${painted}  ${first}`, ...rest.map((line) => indent + line)];
}

const heads = ['', 'mean', 'median', 'stddev', 'min … max', 'user', 'system'];

/**
 * Times of both sides in one unit, every figure named: a table, or where `width` is too small for it a
 * paragraph a side.
 */
function sideTable(
  comparison: Comparison,
  { width, view }: { readonly width: number; readonly view: ResultView },
): readonly string[] {
  const { sides: summaries } = comparison;
  const unit = unitOfBoth([summaries.A.mean, summaries.B.mean], view.timeUnit);
  function time(seconds: number | null): string {
    return seconds === null ? 'unknown' : formatTime(seconds, unit);
  }
  const rows = sides.map((side) => {
    const { mean, median, stddev, min, max, user, system } = summaries[side];
    return [side, time(mean), time(median), time(stddev), `${time(min)} … ${time(max)}`, time(user), time(system)];
  });
  const table = alignCells([heads, ...rows], (column) => column > 0);
  const fits = table.every((line) => line.length <= width);
  const alone = aloneText(summaries);
  const caption = [
    `${timesName(summaries)}${timesNote(comparison)}; user and system are means`,
    ...(alone === null ? [] : [alone]),
  ].flatMap((text) => wrapText(text, width));
  return [...caption, ...(fits ? table : rows.flatMap((row) => paragraph(row, width)))];
}

function paragraph([side = '', ...cells]: readonly string[], width: number): readonly string[] {
  const indent = '   ';
  const figures = cells.map((cell, index) => `${heads[index + 1]} ${cell}`).join(', ');
  const [first = '', ...rest] = wrapText(figures, width - indent.length);
  return [`${side.padEnd(indent.length)}${first}`, ...rest.map((line) => indent + line)];
}

/** Files of other tools may hold no single times. */
function timesNote(comparison: Comparison): string {
  const { A, B } = comparison.sides;
  return A.times.length === 0 || B.times.length === 0
    ? ', mean, median and scatter as the files give them'
    : ` of ${executions(comparison)}`;
}

/** Number of times that were measured; a report lists only a sample of very many times. */
function executions({ sides: { A, B }, iterationsPerRun, runs }: Comparison): string {
  const [a, b] = [A.times.length, B.times.length];
  const all = Math.round(2 * iterationsPerRun * runs);
  if (Math.max(a, b) >= mostTimes && a + b < all) return `${countOf(all, 'execution')} of both sides`;
  return a === b
    ? `${countOf(a, 'execution')} of each side`
    : `${countOf(a, 'execution')} of A and ${countOf(b, 'execution')} of B`;
}
