/*
 * The library: experiments from a program. docs/library.md.
 */
export type { EngineEvent, ErrorCategory, ErrorCode, Report } from '@deadheat/model';
export { DeadheatError } from '@deadheat/model';
export { verdictSentence } from '@deadheat/report';
export { analyse, type AnalyseOptions, type ReadingOptions } from './library/analyse.ts';
export type {
  Amount,
  CompareOptions,
  ExperimentDescription,
  ExperimentSettings,
  NewRunOptions,
  RunOptions,
  SideDescription,
} from './library/options.ts';
export { report, type ReportFormat, type ReportOptions } from './library/report.ts';
export { compare, resume, run } from './library/run.ts';
export type { RunningExperiment } from './library/running.ts';
