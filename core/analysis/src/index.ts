export { AnalysisError } from './analysis-error.ts';
export { familyConfidence, isInterimAnalysis, runsOfBlock } from './anytime/anytime-ratio.ts';
export {
  Bisection,
  halfOfSlowdown,
  judgeVersion,
  runsForAnyStep,
  type BisectionOutcome,
} from './bisection/bisection.ts';
export { measuredRuns, warmupBy } from './columns/measured-runs.ts';
export { RunningRatio, analyseInterim } from './compare/analyse-interim.ts';
export { compareBenchmark } from './compare/compare-benchmark.ts';
export { needsRunsAlone } from './compare/shared-caches.ts';
export { compareQuantity, quantityValues, compareSummaries, type TimesSummary } from './compare/compare-summaries.ts';
export { compareSides, sideTrial } from './compare/compare-sides.ts';
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
  type StudyTimes,
} from './disturbance/study-group.ts';
export { decideGate, isSuspected, judgeGate, missedBy } from './gate/judge-gate.ts';
export { at, joined } from './internal/lists.ts';
export { meanInterval, shuffledPairsWidth } from './interval/paired-intervals.ts';
export { sequentialRatioInterval } from './interval/sequential-ratio-interval.ts';
export { chooseByPilot, comparesWaiting } from './metric/choose-by-pilot.ts';
export { chooseMetric, metricFacts, severalThreads } from './metric/choose-metric.ts';
export { iterationTimes, pairedTimes } from './metric/iteration-times.ts';
export {
  describeUnmatched,
  labelOfBenchmark,
  listBenchmarks,
  type NamedBenchmark,
} from './pairing/benchmarks-in-common.ts';
export { overlapShare, overlapTimes, overlappingRows, overlaps, type TimeSpan } from './pairing/overlaps.ts';
export { logRatioSeries, runLogRatios, runMeanDifferences } from './pairing/paired-ratios.ts';
export { processCpuOf, selectRuns } from './pairing/select-runs.ts';
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
export { analyseRecording, reportOf, reportPoints } from './report/analyse-recording.ts';
export { segmentReport, type SegmentRequest } from './report/segment-report.ts';
export {
  chooseMethod,
  chooseSequentialMethod,
  duetSegmentRatio,
  grandMean,
  grandMeans,
  segmentInterval,
  sequentialSegmentRatio,
} from './segments/segment-interval.ts';
export { cleanRun, findSegments } from './segments/find-segments.ts';
export { segmentReplicates, type IntervalMethod } from './segments/segment-replicates.ts';
export { segmentRuns, trendOfRuns } from './segments/segment-runs.ts';
export { classNames, classifyBenchmark, classifyRun } from './steady-state/classify-run.ts';
export { steadyStateOfRun, steadyStateTable, tableOfSteadyStates } from './steady-state/steady-states.ts';
export { DynamicReconfiguration } from './stopping/dynamic-reconfiguration.ts';
export { invocationTimes, type IterationSample } from './stopping/prepared-iteration.ts';
export { ApartStability, RunStability } from './stopping/run-stability.ts';
export {
  paperConfig,
  stabilityCriteria,
  timesTooFar,
  type ReconfigurationConfig,
  type StabilityCriterion,
  type StoppingOptions,
} from './stopping/stopping-options.ts';
export { columnHeads, count, number, ratio, share, text, type StudyTable } from './table.ts';
export { relativeHalfWidth } from './verdict/decide-verdict.ts';
export { sameFileWritten, sidesWaited, threadsConfined } from './warnings/sides-meet.ts';
