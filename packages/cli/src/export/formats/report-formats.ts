import { renderSummary, renderTables } from '@deadheat/report';
import { toCsv } from '../to-csv.ts';
import { toJson } from '../to-json.ts';
import type { ExportFormat } from './export-format.ts';
import { ofReport } from './of-report.ts';

/** Formats of the report alone, which have flags of their own, too (`--export-json`). */
export const json: ExportFormat = ofReport({
  id: 'json',
  describe: 'the whole report',
  text: toJson,
  losses: () => ['the report is JSON; single iterations of programs that record them stay in the recording'],
});

export const sidesCsv: ExportFormat = ofReport({
  id: 'sides-csv',
  describe: 'a row for each side of each comparison',
  text: toCsv,
  losses: () => [
    'a row a side has the mean, the spread and the ratio: single times, warnings and other metrics are left out',
  ],
});

export const markdown: ExportFormat = ofReport({
  id: 'markdown',
  describe: 'tables of everything',
  text: (report) => renderTables(report),
  losses: () => ['tables have the verdicts and the sides: single times are left out'],
});

export const summary: ExportFormat = ofReport({
  id: 'summary',
  describe: 'Markdown for a pull request, the worst first',
  text: renderSummary,
  losses: () => ['the summary has the verdicts, the worst first: single times and other metrics are left out'],
});
