export { readDuetName } from './formats/duetbench-results.ts';
export { formatReader } from './formats/format-reader.ts';
export { lab } from './lab-family.ts';
export { showSteady } from './study/command.ts';
export { checkProtocol, type ProtocolCheck, type ProtocolProblem } from './conformance/check-protocol.ts';
export {
  type SimulationOptions,
  drawExperiment,
  simulateExperiments,
  simulatedMethods,
} from './simulation/simulate-experiments.ts';
export { type ExperimentDimension, type ExperimentDuration, simulationSeries } from './simulation/simulation-model.ts';
export { type DimensionChoice, type SimulationPlan, simulateRecordings } from './simulation/run-simulation.ts';
export { measureStudy, type StudyStep } from './study/measure.ts';
export { renderStudyFiles, type StudyFile } from './study/render-study-files.ts';
export { type Neighbour, neighbours, renderStudyRequest, studyMethods, type StudyRequest } from './study/request.ts';
export { studySteady } from './study/steady.ts';
export { studyStopping } from './study/stopping.ts';
export type { Study, StudyKind } from './study/study.ts';
export { studyRecordings } from './study/study-recordings.ts';
export { findWarmup, findWarmupOfRecording, type WarmupRequest } from './warmup/find-warmup.ts';
export { warmupCriteria, type WarmupCriterion, warmupByStability, warmupByVariation } from './warmup/warmup-points.ts';
export { warmupFigures, warmupTables } from './warmup/warmup-tables.ts';
export { accuracyStudy } from './study/accuracy-study.ts';
export { asymmetryStudy } from './study/asymmetry-study.ts';
export { benchmarkTime, jmhDefaults, suiteTimeNs, timesAgainstDefault } from './study/suite-time.ts';
export { compilationProgress } from './warmup/compilation-progress.ts';
export {
  decisionCostNs,
  groupIterations,
  reconfiguredTimeNs,
  replayReconfiguration,
} from './study/replay-reconfiguration.ts';
export { detectionCurve, falseAlarmRate, minimalDetectableSlowdownOf } from './study/detection-curve.ts';
export { differenceWidth, duetWidth, improvement, standardWidth, variationOf, widthTriplet } from './study/widths.ts';
export { fitSimulationModel } from './simulation/fit-simulation-model.ts';
export { intervalTest, rankTest } from './study/change-tests.ts';
export { largestRatioBehind, runtimeSavings, underestimationBound } from './study/costs.ts';
export { mdsStudy } from './study/mds-study.ts';
export { overlapStudy } from './study/overlap-study.ts';
export { pairSpans, pairTimes, slowDown } from './study/paired-run.ts';
export { simulationStudy } from './simulation/simulation-study.ts';
export { stoppingOutcome } from './study/stopping-outcome.ts';
export { stoppingStudy } from './study/stopping-study.ts';
