import { tableOfSteadyStates } from '@deadheat/analysis';
import { type Comparison, mostTimes, quoteWord, type Report, type Side, sides, type Warning } from '@deadheat/model';
import { aloneText, essentialDetails, furtherDetails, timesName } from './comparison-details.ts';
import { gateDetails, standingNote, standings } from './gate-details.ts';
import { eachHostDetails } from './host-details.ts';
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
import { chooseTimeUnit, countOf, formatTime, type TimeUnit } from './numbers.ts';
import { printable } from './printable.ts';
import { studyTable } from './render-study.ts';
import { segmentLines } from './segment-lines.ts';
import { isSelfComparison, verdictSentence, verdictWords } from './verdict-sentence.ts';

/** A report as text for a terminal or a log, ending in a line break. Without colour it says the same. */
export function renderReport(report: Report, style: TextStyle): string {
  const colors = createColors(style);
  const layout = { width: style.width ?? proseWidth, colors };
  const standing = standings(report);
  const blocks = report.comparisons.map((comparison, index, { length }) =>
    renderComparison(comparison, {
      style,
      colors,
      position: length === 1 ? null : `comparison ${index + 1} of ${length}`,
      note: standingNote(standing.get(comparison)),
      isOfFiles: report.experiment.files !== undefined,
    }),
  );
  const { steadyStates } = report;
  const common = warningLines(commonWarnings(report), layout);
  const { complete, seed, recording, files, parts: divided } = report.experiment;
  const folder = printable(recording);
  const ofFiles = (files ?? []).map((file, index, { length }) => ({
    label: length === 1 ? 'file' : `file of ${index === 0 ? 'A' : 'B'}`,
    text: printable(file),
  }));
  const ofRecording = [
    ...(complete
      ? []
      : [
          {
            label: 'incomplete',
            text:
              report.hosts === undefined
                ? `planned runs are missing; deadheat --resume ${quoteWord(folder)} makes them`
                : 'planned runs are missing',
          },
        ]),
    ...(divided === undefined ? [] : [{ label: 'parts', text: partsText(divided) }]),
    { label: 'recording', text: folder },
    {
      label: 'seed',
      text: `${printable(seed)}; with --seed ${quoteWord(printable(seed))} order and cores are the same again`,
    },
    { label: 'judge again', text: `deadheat analyse ${quoteWord(folder)}` },
  ];
  const parts = [
    ...blocks,
    detailLines(gateDetails(report.gate), layout),
    steadyStates === undefined
      ? []
      : studyTable(tableOfSteadyStates(steadyStates.benchmarks, steadyStates.window), style),
    common,
    style.quiet ? [] : detailLines(files === undefined ? ofRecording : ofFiles, layout),
  ].filter((lines) => lines.length > 0);
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Warnings of the experiment that no comparison shows already. */
function commonWarnings({ warnings, comparisons }: Report): readonly Warning[] {
  const told = comparisons.flatMap((comparison) => comparison.warnings);
  return warnings.filter(
    ({ code, message }) => !told.some((other) => other.code === code && other.message === message),
  );
}

function partsText({ count, taken }: NonNullable<Report['experiment']['parts']>): string {
  if (taken.length === count) return `all ${count}`;
  return `${taken.join(', ')} of ${count}; deadheat merge brings them together`;
}

/** One comparison as lines: its `position` among several, parameters, commands, verdict, and what a reader needs to judge it. */
function renderComparison(
  comparison: Comparison,
  {
    style,
    colors,
    position,
    note,
    isOfFiles,
  }: {
    readonly style: TextStyle;
    readonly colors: Colors;
    readonly position: string | null;
    /** What the gate says of its verdict. */
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
    ...(style.quiet ? [] : [...sideTable(comparison, layout), '']),
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
  if (!isSelfComparison(comparison)) {
    return [`${colors.bold('A')}  ${nameOf(comparison, 'A')}`, `${colors.bold('B')}  ${nameOf(comparison, 'B')}`];
  }
  return [
    `${colors.bold('A')}  ${nameOf(comparison, 'A')}`,
    `${colors.bold('B')}  the same command: which slowdown does this machine find?`,
  ];
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
  const behind = note === null ? '' : `, ${note}`;
  const length = word.length + behind.length;
  if (sentence.length + 2 + length <= room) {
    const column = Math.max(sentence.length + 2, Math.min(wordColumn, room - length));
    return [`${sentence.padEnd(column)}${painted}${behind}`];
  }
  const prose = `${note === null ? '' : `(${note}) `}${sentence.replace(/ {3}/, ' ').replace(/ {3}/, ', ')}`;
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
function sideTable(comparison: Comparison, { width }: { readonly width: number }): readonly string[] {
  const { sides: summaries } = comparison;
  const unit = commonUnit(summaries);
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
    ? ', mean, median and scatter as the files give them'
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
