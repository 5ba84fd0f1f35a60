export { decidingInterval } from '@deadheat/model';
export * from './analysis-error.ts';
export { anytimeRatio, anytimeReach, isBoundless, type AnytimeRatio } from './anytime/anytime-ratio.ts';
export { isDecided, isFutile } from './anytime/anytime-verdict.ts';
export * from './compare/analyse-interim.ts';
export * from './anytime/interim-schedule.ts';
export * from './bisection/bisection.ts';
export { columnsOf, measuredRuns, warmupBy, type MeasuredIterations } from './columns/measured-runs.ts';
export * from './compare/compare-benchmark.ts';
export type { ComparisonInput } from './compare/usable-runs.ts';
export { compareQuantity, quantityValues, type QuantityValues } from './compare/compare-quantities.ts';
export { compareSides, sideTrial, type SideRuns, type SidesInput } from './compare/compare-sides.ts';
export * from './compare/compare-summaries.ts';
export { RunningRatio } from './compare/running-ratio.ts';
export type { ExplainedSpread, SpreadRemoved } from './disturbance/explained-spread.ts';
export * from './disturbance/measure-disturbances.ts';
export * from './gate/judge-gate.ts';
export { confirm, type Confirmation } from './compare/confirm.ts';
export { fewestHosts, poolHosts, type PooledHosts } from './compare/over-hosts.ts';
export type { Ends, IntervalOptions } from './interval/interval-options.ts';
export {
  duetRatioInterval,
  pairedDifferenceInterval,
  pairingGain,
  shuffledPairsWidth,
  shuffledWidth,
  meanInterval,
} from './interval/paired-intervals.ts';
export { sequentialRatioInterval, type SequentialResult, welchInterval } from './interval/sequential-ratio-interval.ts';
export * from './metric/choose-by-pilot.ts';
export { comparesWaiting } from './metric/waiting-together.ts';
export { sameFileWritten, sidesWaited, threadsConfined } from './warnings/sides-meet.ts';
export { chooseMetric, type MetricChoice, type MetricFacts, metricFacts } from './metric/choose-metric.ts';
export { type PairedTimes, iterationTimes, type Quantity, pairedTimes } from './metric/iteration-times.ts';
export {
  describeUnmatched,
  labelOfBenchmark,
  listBenchmarks,
  type NamedBenchmark,
} from './pairing/benchmarks-in-common.ts';
export {
  overlaps,
  relativeOverlapTime,
  type Overlap,
  type TimeSpan,
  overlappingRows,
  type PairedRows,
  overlapShare,
  overlapTimes,
} from './pairing/overlaps.ts';
export {
  grandGeometricMean,
  pairedRatios,
  runGeometricMeans,
  type RunsOfTimes,
  logRatioSeries,
  runMeanDifferences,
  runLogRatios,
} from './pairing/paired-ratios.ts';
export * from './planning/calibrate.ts';
export * from './planning/plan-dimensions.ts';
export * from './report/analyse-recording.ts';
export * from './report/report-of.ts';
export * from './report/report-points.ts';
export * from './report/segment-report.ts';
export * from './segments/choose-method.ts';
export * from './segments/find-segments.ts';
export * from './segments/segment-interval.ts';
export * from './segments/segment-ratio.ts';
export { segmentReplicates, type IntervalMethod } from './segments/segment-replicates.ts';
export * from './segments/segment-runs.ts';
export * from './steady-state/classify-run.ts';
export {
  sparedIterations,
  steadyStateOf,
  steadyStateOfRun,
  steadyStateTable,
  tableOfSteadyStates,
  type ClassifiedBenchmark,
  type SteadyStateOfRun,
  type SteadyStateOptions,
} from './steady-state/steady-states.ts';
export * from './stopping/apart-stability.ts';
export * from './stopping/dynamic-reconfiguration.ts';
export type { InvocationHistogram, IterationSample } from './stopping/prepared-iteration.ts';
export { followRun, invocationTimes, RunStability, type BegunRun, type RunStep } from './stopping/run-stability.ts';
export {
  paperConfig,
  paperThresholds,
  stabilityCriteria,
  timesTooFar,
  type ReconfigurationConfig,
  type ReconfigurationSummary,
  type ReconfiguredFork,
  type ResolvedStoppingOptions,
  type StabilityCheck,
  type StabilityCriterion,
  type StabilityThresholds,
  type StoppingOptions,
} from './stopping/stopping-options.ts';
export { decideVerdict, halfWidth, relativeHalfWidth } from './verdict/decide-verdict.ts';
export * from './disturbance/study-group.ts';
export * from './table.ts';
export { at } from './internal/at.ts';
export { selectRuns, type UsableRun, processCpuOf, type PairedIterations } from './pairing/select-runs.ts';
export { joined } from './internal/joined.ts';
