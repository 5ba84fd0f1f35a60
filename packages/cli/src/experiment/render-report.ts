import { tableOfSteadyStates } from '@deadheat/analysis';
import type { Report, Warning } from '@deadheat/model';
import { gateDetails, printable, quoteWord, standingNote, standings } from '@deadheat/report';
import { createColors } from '../terminal/colors.ts';
import { detailLines } from '../terminal/detail.ts';
import { proseWidth, renderComparison } from './render-comparison.ts';
import { studyTable } from '../terminal/study-table.ts';
import type { TerminalStyle } from '../terminal/style.ts';
import { warningLines } from '../terminal/warning-lines.ts';

/** A report as text for a terminal or a log, ending in a line break. Without colour it says the same. */
export function renderReport(report: Report, style: TerminalStyle): string {
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

/** Warnings of the experiment that no comparison tells already. */
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
