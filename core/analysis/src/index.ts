export { AnalysisError } from './analysis-error.ts';
export { anytimeRatio, familyConfidence, isFutile, isInterimAnalysis, runsOfBlock } from './anytime/anytime-ratio.ts';
export {
  Bisection,
  halfOfSlowdown,
  judgeVersion,
  runsForAnyStep,
  type BisectionOutcome,
} from './bisection/bisection.ts';
export { measuredRuns, warmupBy, type MeasuredIterations } from './columns/measured-runs.ts';
export { RunningRatio, analyseInterim } from './compare/analyse-interim.ts';
export { compareBenchmark } from './compare/compare-benchmark.ts';
export { compareQuantity, quantityValues, type QuantityValues } from './compare/compare-quantities.ts';
export { compareSides, sideTrial } from './compare/compare-sides.ts';
export { compareSummaries, type TimesSummary } from './compare/compare-summaries.ts';
export { fewestHosts, poolHosts } from './compare/over-hosts.ts';
export type { ComparisonInput } from './compare/usable-runs.ts';
export type { ExplainedSpread } from './disturbance/explained-spread.ts';
export {
  concurrencySlowdown,
  measureDisturbances,
  placeEffect,
  widthOptions,
  type Disturbances,
  type RunCount,
  type WidthOptions,
} from './disturbance/measure-disturbances.ts';
export {
  fewestStudyRuns,
  hasRuns,
  labelOf,
  studyFacets,
  studyGroups,
  studyLogRatios,
  studyRandom,
  studyTimes,
  type StudyBenchmark,
  type StudyFacet,
  type StudyGroup,
  type StudyOptions,
  type StudyRuns,
} from './disturbance/study-group.ts';
export { judgeGate } from './gate/judge-gate.ts';
export { at, joined } from './internal/lists.ts';
export type { Ends, IntervalOptions } from './interval/location.ts';
export {
  duetRatioInterval,
  meanInterval,
  pairedDifferenceInterval,
  shuffledPairsWidth,
} from './interval/paired-intervals.ts';
export { sequentialRatioInterval } from './interval/sequential-ratio-interval.ts';
export { chooseByPilot, comparesWaiting } from './metric/choose-by-pilot.ts';
export { chooseMetric, metricFacts } from './metric/choose-metric.ts';
export { iterationTimes, pairedTimes, type PairedTimes, type Quantity } from './metric/iteration-times.ts';
export {
  describeUnmatched,
  labelOfBenchmark,
  listBenchmarks,
  type NamedBenchmark,
} from './pairing/benchmarks-in-common.ts';
export {
  overlapShare,
  overlapTimes,
  overlappingRows,
  overlaps,
  type PairedRows,
  type TimeSpan,
} from './pairing/overlaps.ts';
export { logRatioSeries, runLogRatios, runMeanDifferences, type RunsOfTimes } from './pairing/paired-ratios.ts';
export { processCpuOf, selectRuns, type PairedIterations, type UsableRun } from './pairing/select-runs.ts';
export { calibrate, sharedCosts, type Calibration, type CalibrationRuns } from './planning/calibrate.ts';
export {
  experimentTimeNs,
  iterationsToSeeShift,
  optimalIterations,
  planDimensions,
  plannedVariance,
  probabilityToSeeShift,
  type PlannedDimensions,
  type PlanningCosts,
  type PlanningGoal,
} from './planning/plan-dimensions.ts';
export { analyseRecording, reportOf } from './report/analyse-recording.ts';
export { reportPoints } from './report/report-points.ts';
export { segmentReport, type SegmentRequest } from './report/segment-report.ts';
export { chooseMethod, grandMean, grandMeans, segmentInterval } from './segments/segment-interval.ts';
export { cleanRun, findSegments, type FindSegmentsOptions } from './segments/find-segments.ts';
export { chooseSequentialMethod, duetSegmentRatio, sequentialSegmentRatio } from './segments/segment-ratio.ts';
export { segmentReplicates, type IntervalMethod } from './segments/segment-replicates.ts';
export { segmentRuns, trendOfRuns, type SegmentedRuns } from './segments/segment-runs.ts';
export { classNames, classifyBenchmark, classifyRun } from './steady-state/classify-run.ts';
export {
  steadyStateOfRun,
  steadyStateTable,
  tableOfSteadyStates,
  type SteadyStateOfRun,
  type SteadyStateOptions,
} from './steady-state/steady-states.ts';
export {
  ApartStability,
  SideWarmup,
  createApartStability,
  createRunStability,
  type FollowedBenchmark,
} from './stopping/apart-stability.ts';
export { DynamicReconfiguration } from './stopping/dynamic-reconfiguration.ts';
export type { InvocationHistogram, IterationSample } from './stopping/prepared-iteration.ts';
export { RunStability, followRun, invocationTimes, type BegunRun, type RunStep } from './stopping/run-stability.ts';
export {
  paperConfig,
  stabilityCriteria,
  timesTooFar,
  type ReconfigurationConfig,
  type ReconfigurationSummary,
  type StabilityCriterion,
  type StoppingOptions,
} from './stopping/stopping-options.ts';
export {
  columnHeads,
  count,
  number,
  ratio,
  share,
  text,
  type StudyColumn,
  type StudyTable,
  type StudyUnit,
} from './table.ts';
export { relativeHalfWidth } from './verdict/decide-verdict.ts';
export { sameFileWritten, sidesWaited, threadsConfined } from './warnings/sides-meet.ts';
