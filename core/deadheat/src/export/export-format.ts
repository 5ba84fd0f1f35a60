import type { RecordedTrials } from '@deadheat/recording';
import type { Recording, Report } from '@deadheat/model';
import type { Pipeline, ResultView } from '@deadheat/report';

/** Context of a report that is written: data beside its content. */
export interface ReportContext {
  /** Failures of the experiment, a sentence each. */
  readonly troubles: readonly string[];
  /** Order and unit of tables; absent = those of the report. */
  readonly view?: ResultView;
  /** The pipeline that it is written in; absent = none. */
  readonly pipeline?: Pipeline | null;
}

/** Source of an export: a recording and its place. */
export interface ExportSource {
  readonly recording: Recording;
  /** Iterations that programs recorded themselves. */
  readonly records: RecordedTrials;
  /** The recording judged as its configuration says. */
  readonly report: () => Promise<Report>;
}

/** A recording in another format. */
export interface Exported {
  readonly content:
    | { readonly kind: 'text'; readonly pieces: Iterable<string> }
    /** A file that cannot be written in order, piece by piece. */
    | { readonly kind: 'file'; readonly write: (path: string) => Promise<void> };
  /** Data that the format has no place for, one sentence each. */
  readonly losses: readonly string[];
}

/** A format that a recording can be taken to. */
export interface ExportFormat {
  /** Stable name for `--format`. */
  readonly id: string;
  /** Who reads it, for the help. */
  readonly describe: string;
  /** True if the format cannot be written to standard output. */
  readonly needsFile: boolean;
  readonly make: (source: ExportSource) => Promise<Exported>;
  /** Its text, where a report alone is enough; `null` for a format that needs the iterations of a recording. */
  readonly ofReport: ((report: Report, context: ReportContext) => string) | null;
}

/** A format made of the report: its text, and what of it is left out. */
interface ReportExport {
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
