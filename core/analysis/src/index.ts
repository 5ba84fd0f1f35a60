export { decidingInterval } from '@deadheat/model';
export * from './analysis-error.ts';
export { anytimeRatio, anytimeReach, isBoundless, type AnytimeRatio } from './anytime/anytime-ratio.ts';
export { isDecided, isFutile } from './anytime/anytime-verdict.ts';
export * from './compare/analyse-interim.ts';
export * from './anytime/interim-schedule.ts';
export * from './bisection/bisection.ts';
export { columnsOf, measuredRuns, warmupBy } from './columns/measured-runs.ts';
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
} from './interval/paired-intervals.ts';
export { sequentialRatioInterval, type SequentialResult } from './interval/sequential-ratio-interval.ts';
export * from './metric/choose-by-pilot.ts';
export { comparesWaiting } from './metric/waiting-together.ts';
export { sameFileWritten, sidesWaited, threadsConfined } from './warnings/sides-meet.ts';
export { chooseMetric, type MetricChoice, type MetricFacts } from './metric/choose-metric.ts';
export type { PairedTimes } from './metric/iteration-times.ts';
export {
  describeUnmatched,
  labelOfBenchmark,
  listBenchmarks,
  type NamedBenchmark,
} from './pairing/benchmarks-in-common.ts';
export { overlaps, relativeOverlapTime, type Overlap, type TimeSpan } from './pairing/overlaps.ts';
export { grandGeometricMean, pairedRatios, runGeometricMeans, type RunsOfTimes } from './pairing/paired-ratios.ts';
export * from './planning/calibrate.ts';
export * from './planning/plan-dimensions.ts';
export * from './procedures/change-tests.ts';
export * from './procedures/costs.ts';
export * from './procedures/detection-curve.ts';
export {
  pairSpans,
  pairTimes,
  slowDown,
  type IterationPair,
  type PairedRun,
  type PairingOptions,
  type SpansOfRun,
} from './procedures/paired-run.ts';
export {
  differenceWidth,
  duetWidth,
  improvement,
  standardWidth,
  variationOf,
  widthTriplet,
  type Improvement,
  type SidesOfTimes,
  type Variation,
  type WidthOptions,
  type WidthTriplet,
} from './procedures/widths.ts';
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
export * from './simulation/fit-simulation-model.ts';
export * from './simulation/simulate-experiments.ts';
export type { SimulatedBenchmark } from './simulation/simulation-figures.ts';
export * from './simulation/simulation-model.ts';
export * from './simulation/simulation-study.ts';
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
export * from './stopping/replay-reconfiguration.ts';
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
export * from './stopping/suite-time.ts';
export * from './study/accuracy-study.ts';
export { asymmetryStudy } from './study/asymmetry-study.ts';
export * from './study/mds-study.ts';
export * from './study/overlap-study.ts';
export * from './study/ratio-study.ts';
export * from './study/stopping-outcome.ts';
export * from './study/stopping-study.ts';
export * from './steady-state/steady-study.ts';
export { figuresOf } from './study/study-figures.ts';
export * from './study/study-by-facets.ts';
export { studyFacets, type StudyBenchmark, type StudyFacet } from './study/study-group.ts';
export { columnHeads } from './study/study.ts';
export type {
  FigureSeries,
  Study,
  StudyFigure,
  StudyColumn,
  StudyKind,
  StudyOptions,
  StudyTable,
  StudyUnit,
} from './study/study.ts';
export { decideVerdict, halfWidth, relativeHalfWidth } from './verdict/decide-verdict.ts';
export * from './warmup/compilation-progress.ts';
export {
  warmupByStability,
  warmupByVariation,
  warmupCriteria,
  type IterationTimes,
  type StabilityOptions,
  type VariationOptions,
  type WarmupCriterion,
  type WarmupPoint,
} from './warmup/warmup-points.ts';
export * from './warmup/warmup-tables.ts';
