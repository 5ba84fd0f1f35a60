import { tableOfSteadyStates } from '@deadheat/analysis';
import { type Comparison, mostTimes, quoteWord, type Report, type Side, sides, type Warning } from '@deadheat/model';
import { aloneText, essentialDetails, furtherDetails, timesName } from './comparison-details.ts';
import { type Detail, eachHostDetails, gateDetails, present, standingNote, standings } from './details.ts';
import {
  alignCells,
  type Colors,
  colorVerdict,
  createColors,
  detailLines,
  proseWidth,
  type TextStyle,
  warningLines,
  wrapText,
} from './layout.ts';
import { countOf, formatTime } from './numbers.ts';
import {
  commonWarnings,
  overviewDetails,
  overviewLines,
  overviewOf,
  type ResultView,
  sortComparisons,
  unitOfSides,
  warningsByCode,
} from './overview.ts';
import { printable } from './printable.ts';
import { quantityLines } from './quantities.ts';
import { studyTable } from './render-study.ts';
import { segmentLines } from './segment-lines.ts';
import { deadHeatSize, isSelfComparison, verdictSentence, verdictWords } from './verdict-sentence.ts';

/**
 * A report as text for a terminal or a log, ending in a line break. Without colour it says the same. Several comparisons are a table,
 * with every warning once a code; the view asks for the figures of each as well.
 */
export function renderReport(report: Report, style: TextStyle, view: ResultView = {}): string {
  const colors = createColors(style);
  const layout = { width: style.width ?? proseWidth, colors };
  const standing = standings(report);
  const isMany = report.comparisons.length > 1;
  const hasDetails =
    !isMany || (view.details ?? report.comparisons.some(({ segments }) => segments !== undefined && !style.quiet));
  const shown = hasDetails ? sortComparisons(report.comparisons, view.sort) : [];
  const blocks = shown.map((comparison, index, { length }) =>
    renderComparison(comparison, {
      style,
      view,
      colors,
      position: length === 1 ? null : `comparison ${index + 1} of ${length}`,
      note: standingNote(standing.get(comparison)),
      isOfFiles: report.experiment.files !== undefined,
    }),
  );
  const { steadyStates } = report;
  const common = warningLines(hasDetails ? commonWarnings(report) : warningsByCode(report), layout);
  const overview = isMany
    ? [
        ...overviewLines(report, overviewOf(report, { standing, view }), {
          width: style.width,
          proseWidth: layout.width,
          colors,
        }),
        ...quantityLines(report.comparisons, { colors, proseWidth: layout.width, width: style.width }),
      ]
    : [];
  const summary = [
    ...(isMany && !style.quiet ? overviewDetails(report, { ...view, details: hasDetails }) : []),
    ...(hasDetails ? gateDetails(report.gate) : fewOfEach(gateDetails(report.gate))),
  ];
  const parts = [
    overview,
    ...blocks,
    detailLines(summary, layout),
    steadyStates === undefined
      ? []
      : studyTable(tableOfSteadyStates(steadyStates.benchmarks, steadyStates.window), style),
    common,
    style.quiet ? [] : detailLines(originDetails(report), layout),
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
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
    colors,
    position,
    note,
    isOfFiles,
  }: {
    readonly style: TextStyle;
    readonly view: ResultView;
    readonly colors: Colors;
    readonly position: string | null;
    /** Note of the gate about its verdict. */
    readonly note: string | null;
    readonly isOfFiles: boolean;
  },
): readonly string[] {
  const width = style.width ?? proseWidth;
  const layout = { width, colors };
  const warnings: readonly Warning[] = comparison.warnings;
  return [
    ...headline(comparison, { position, colors }),
    ...commandLines(comparison, colors),
    '',
    ...verdictLines(comparison, { width: style.width, colors, note }),
    '',
    ...(style.quiet ? [] : [...sideTable(comparison, { width, view }), '']),
    ...detailLines(essentialDetails(comparison), layout),
    ...(style.quiet ? [] : detailLines(furtherDetails(comparison, { isOfFiles }), layout)),
    ...(style.quiet ? [] : detailLines(eachHostDetails(comparison), layout)),
    ...(style.quiet ? [] : segmentLines(comparison, layout)),
    ...warningLines(warnings, layout),
  ];
}

function headline(
  { benchmark, sides, params }: Comparison,
  { position, colors }: { readonly position: string | null; readonly colors: Colors },
): readonly string[] {
  const pairs = Object.entries(params).map(([name, value]) => `${printable(name)} = ${printable(value)}`);
  const { A, B } = sides;
  const isCommands = [A.name, `${A.name} vs ${B.name}`, `${A.command} vs ${B.command}`].includes(benchmark);
  const named = isCommands ? [] : [printable(benchmark)];
  const parts = [...(position === null ? [] : [position]), ...named, ...(pairs.length === 0 ? [] : [pairs.join(', ')])];
  return parts.length === 0 ? [] : [colors.bold(parts.join(': '))];
}

function commandLines(comparison: Comparison, colors: Colors): readonly string[] {
  const same = 'the same command: which slowdown does this machine find?';
  const nameOfB = isSelfComparison(comparison) ? same : nameOf(comparison, 'B');
  return [`${colors.bold('A')}  ${nameOf(comparison, 'A')}`, `${colors.bold('B')}  ${nameOfB}`];
}

function nameOf({ sides }: Comparison, side: Side): string {
  const { name, command } = sides[side];
  return name === command ? printable(command) : `${printable(name)}: ${printable(command)}`;
}

/** Column of the verdict's word behind its sentence, so that the words of several comparisons stand in a column. */
const wordColumn = 94;
/** Width of the word's column where it stands before the sentence. */
const leadWidth = 11;

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
  const [first = '', ...rest] = wrapText(prose, room - leadWidth);
  return [
    `${painted}${' '.repeat(leadWidth - word.length)}${first}`,
    ...rest.map((line) => ' '.repeat(leadWidth) + line),
  ];
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
  const unit = unitOfSides(summaries, view.timeUnit);
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
