import { renderSummary, renderTables } from '@deadheat/report';
import { toCsv } from '../to-csv.ts';
import { toJson } from '../to-json.ts';
import type { ExportFormat } from './export-format.ts';
import { ofReport } from './of-report.ts';

/** Formats of the report alone, which have flags of their own, too (`--export-json`). */
export const json: ExportFormat = ofReport({
  id: 'json',
  describe: 'the complete report as JSON',
  text: toJson,
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

export const markdown: ExportFormat = ofReport({
  id: 'markdown',
  describe: 'Markdown tables of all results',
  text: (report) => renderTables(report),
  losses: () => ['the tables hold the verdicts and the sides: single times are left out'],
});

export const summary: ExportFormat = ofReport({
  id: 'summary',
  describe: 'Markdown for a pull request, the worst verdict first',
  text: renderSummary,
  losses: () => ['the summary holds the verdicts: single times and other metrics are left out'],
});
