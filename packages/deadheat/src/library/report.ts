import { reportRecorded } from '@deadheat/engine';
import type { Report } from '@deadheat/model';
import { renderPage, renderSummary, renderTables } from '@deadheat/report';
import { toDeadheatError } from './running.ts';

/**
 * `html`: one file with pictures, which needs a recording; `markdown`: tables of everything; `summary`: Markdown for a pull
 * request, the worst first; `json`: the report as data.
 */
export type ReportFormat = 'html' | 'markdown' | 'summary' | 'json';

export interface ReportOptions {
  readonly format?: ReportFormat | undefined;
  /** For `html`: whether segments of steady performance are drawn (default: where they are worth it). */
  readonly segments?: boolean | 'auto' | undefined;
}

/**
 * A report as a text.
 *
 * @param of a report, or the folder of a recording
 * @param options `format` is `html` for a recording and `markdown` for a report unless it is said
 * @throws DeadheatError, by the promise, for a recording that cannot be read; RangeError for `html` of a report alone
 */
export async function report(of: string | Report, options: ReportOptions = {}): Promise<string> {
  const { format = typeof of === 'string' ? 'html' : 'markdown', segments = 'auto' } = options;
  try {
    if (typeof of === 'string') {
      const recorded = await reportRecorded(of, { segments });
      return format === 'html' ? renderPage(recorded) : renderText(recorded.report, format);
    }
  } catch (error) {
    throw toDeadheatError(error);
  }
  if (format === 'html') throw new RangeError('a page is drawn from a recording: give its folder');
  return renderText(of, format);
}

function renderText(of: Report, format: Exclude<ReportFormat, 'html'>): string {
  switch (format) {
    case 'markdown':
      return renderTables(of);
    case 'summary':
      return renderSummary(of);
    case 'json':
      return `${JSON.stringify(of, null, 2)}\n`;
  }
}
