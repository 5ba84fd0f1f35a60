export * from './config.ts';
export {
  decidingInterval,
  ratioSchema,
  sequentialRatioSchema,
  mostTimes,
  sideSummarySchema,
  otherMetricSchema,
  outlookSchema,
  stabilityCheckSchema,
  stabilitySchema,
  hostEffectsSchema,
  confirmationSchema,
  comparisonSchema,
  hyperfineResultSchema,
  reportSchema,
} from './report.ts';
export type {
  Ratio,
  SequentialRatio,
  SideSummary,
  OtherMetric,
  Quantity,
  Outlook,
  Stability,
  HostEffects,
  Comparison,
  HyperfineResult,
  Report,
} from './report.ts';
export * from './defaults.ts';
export * from './error.ts';
export * from './event.ts';
export { matchesStars } from './match-stars.ts';
export { loadPackage } from './load-package.ts';
export * from './gate.ts';
export {
  iterationSchema,
  machineSchema,
  noiseSchema,
  recordingFiles,
  containerFactsSchema,
  commitRefSchema,
  commitsSchema,
  hostSchema,
  partsSchema,
  experimentSchema,
  failureCodeSchema,
  failureSchema,
  observedTasksSchema,
  sideResultSchema,
  trialSchema,
  journalLineSchema,
  unknownMachine,
} from './recording.ts';
export type {
  Iteration,
  Machine,
  Noise,
  ContainerFacts,
  CommitRef,
  Commits,
  Host,
  Parts,
  Experiment,
  FailureCode,
  Failure,
  ObservedTasks,
  SideResult,
  Trial,
  Recording,
} from './recording.ts';
export type * from './measurement.ts';
export { editDistance, nearestWord } from './nearest-word.ts';
export { escapeQuotes, quoteWord } from './quote-word.ts';
export type * from './report-points.ts';
export * from './segment-report.ts';
export { enoughRuns, enoughTimeNs } from './stop-rules/enough.ts';
export { leastRuns, type InterimAnalysis, type InterimRule } from './stop-rules/stop-rule.ts';
export {
  askedStopRule,
  replacedByStopSettings,
  stopRuleOf,
  stopRuleSchema,
  type StopRule,
} from './stop-rules/stop-rules.ts';
export * from './methods.ts';
export * from './metrics.ts';
export * from './vocabulary.ts';
export * from './workloads.ts';
export * from './warning.ts';
