import type { ColumnMap } from '@deadheat/readers';
import type { Metric, Side, TimeUnit } from '@deadheat/model';
import type { ResultView } from '@deadheat/report';
import type { CompareRequest } from 'deadheat/internals';
import type { StyleChoice } from '../terminal/style.ts';

/** Where results go besides the terminal; `-` is standard output, `null` nowhere. At most one of them is `-`. */
export type Exports = {
  readonly json: string | null;
  readonly csv: string | null;
  readonly markdown: string | null;
  readonly summary: string | null;
  readonly junit: string | null;
  /** Further formats of `--export`, by their names. */
  readonly [format: `format:${string}`]: string;
};

/** How results are shown and what they do to the exit code. */
/** A metric in which B may need this share more than A: 0.05 = 5 %. */
export interface FailLimit {
  readonly metric: Metric;
  readonly share: number;
}

/** What `--fail-on` says. */
export interface FailOn {
  readonly slower: boolean;
  readonly limits: readonly FailLimit[];
}

export interface OutputChoices {
  readonly exports: Exports;
  readonly style: StyleChoice;
  readonly failOn: 'slower' | null;
  /** Further limits of `--fail-on`; absent = none. */
  readonly limits?: readonly FailLimit[];
  readonly strict: boolean;
  /** Whether the summary of a job gets a summary too, where there is one (`GITHUB_STEP_SUMMARY`). */
  readonly jobSummary: boolean;
  /** Details, order and unit of what is shown. */
  readonly view: ResultView;
}

/** A comparison of two commands and how its result is shown. */
export interface CompareInvocation extends OutputChoices, CompareRequest {
  readonly kind: 'compare';
  /** Folder of the recording; `null` = a new one below `.deadheat`. */
  readonly output: string | null;
}

/** The rest of a recorded experiment, exactly as it was planned. */
export interface ResumeInvocation extends OutputChoices {
  readonly kind: 'resume';
  readonly recording: string;
}

/** How result files of other tools are to be read, where they do not tell it themselves. */
export interface ReadingChoices {
  /** Adapter's id for A and for B; `null` = known by the content. */
  readonly formats: Readonly<Record<Side, string | null>>;
  /** For tables of times; `null` = the file is of a tool. */
  readonly columns: ColumnMap | null;
  readonly unit: TimeUnit;
}
