/*
 * The library: experiments from a program. docs/library.md.
 */
export type { PartOptions } from '@deadheat/engine';
export {
  type Comparison,
  type ErrorCategory,
  type ErrorCode,
  type Interval,
  type Report,
  type Verdict,
  DeadheatError,
} from '@deadheat/model';
export type { OutputParser, ParsedIteration, ParserContext } from '@deadheat/readers';
export { verdictSentence } from '@deadheat/report';
export { analyse, type AnalyseOptions, type ReadingOptions } from './library/analyse.ts';
export type {
  BenchmarkDescription,
  CompareFunctionsOptions,
  CompareOptions,
  ExperimentDescription,
  ExperimentEvent,
  ExperimentOptions,
  ExperimentSettings,
  FunctionComparison,
  NewRunOptions,
  ReadOptions,
  RunOptions,
  SideDescription,
} from './library/options.ts';
export { report, type ReportFormat, type ReportOptions } from './library/report.ts';
export type { FleetRequest } from './library/fleet.ts';
export type { Plan } from './library/plan.ts';
export { compare, plan, resume, run, type ComparisonReport } from './library/run.ts';
export type { FinishedExperiment, RunningExperiment } from './library/running.ts';
export type { Duration, Memory, Share } from './settings/amounts.ts';
