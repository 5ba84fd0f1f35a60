import type { Report } from '@deadheat/model';
import type { ExportFormat, ReportContext } from './export-format.ts';

/** A format made of the report: its text, and what of it is left out. */
export interface ReportExport {
  readonly id: string;
  readonly describe: string;
  readonly text: (report: Report, context: ReportContext) => string;
  readonly losses: (report: Report) => readonly string[];
}

/** The format of a conversion that takes a whole report. */
export function ofReport({ id, describe, text, losses }: ReportExport): ExportFormat {
  return {
    id,
    describe,
    needsFile: false,
    ofReport: text,
    make: async (source) => {
      const report = await source.report();
      return { content: { kind: 'text', pieces: [text(report, { troubles: [] })] }, losses: losses(report) };
    },
  };
}
