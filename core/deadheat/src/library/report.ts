import { analyseRecorded, reportRecorded } from '@deadheat/engine';
import type { Report } from '@deadheat/model';
import { renderPage } from '@deadheat/report';
import { formatOf, exportRecording } from '../export/export-formats.ts';
import { toDeadheatError } from './running.ts';

/** Formats that are made of a report; docs/formats/exports.md. */
type OfReport =
  | 'json'
  | 'sides-csv'
  | 'markdown'
  | 'asciidoc'
  | 'org'
  | 'summary'
  | 'hyperfine'
  | 'bmf'
  | 'github-action-benchmark'
  | 'junit';

/**
 * `html`: one file with pictures; `csv`, `go` and `duet-csv`: every iteration; these four need a recording. `markdown`, `asciidoc`, `org`: tables of
 * everything; `summary`: Markdown for a pull request, the worst first; `json`: the report as data. The others are those of
 * `deadheat export`.
 */
export type ReportFormat = 'html' | OfReport | 'csv' | 'go' | 'duet-csv';

/** Options of writing a report. */
export interface ReportOptions {
  /** Format of the text. */
  readonly format?: ReportFormat | undefined;
  /** For `html`: whether segments of steady performance are drawn (default: where they are worth it). */
  readonly segments?: boolean | 'auto' | undefined;
}

/**
 * A report as a text.
 *
 * @param of a report, or the folder of a recording
 * @param options `format` is `html` for a recording and `markdown` for a report unless it is said
 * @throws DeadheatError, by the promise, for a recording that cannot be read; RangeError for a report alone in a format that needs a
 *   recording
 */
export async function report(of: string | Report, options: ReportOptions = {}): Promise<string> {
  const { format = typeof of === 'string' ? 'html' : 'markdown', segments = 'auto' } = options;
  try {
    if (format === 'html') {
      if (typeof of === 'string') return renderPage(await reportRecorded(of, { segments }));
      throw new RangeError('a page is drawn from a recording: give its folder');
    }
    const { ofReport, ...known } = formatOf(format, 'format');
    if (ofReport === null) {
      if (typeof of !== 'string') throw new RangeError(`${format} is made of a recording: give its folder`);
      const { content } = await exportRecording(of, { ofReport, ...known });
      if (content.kind === 'text') return [...content.pieces].join('');
      throw new RangeError(`${format} is no text`);
    }
    const made = typeof of === 'string' ? await analyseRecorded(of) : of;
    return ofReport(made, { troubles: [] });
  } catch (error) {
    throw toDeadheatError(error);
  }
}
