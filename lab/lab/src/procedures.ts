/* The procedures of docs/methods/procedures, for programs. */
export { drawExperiment, simulateExperiments, simulatedMethods } from './simulation/simulate-experiments.ts';
export { simulationSeries } from './simulation/simulation-model.ts';
export { warmupByStability, warmupByVariation } from './warmup/warmup-points.ts';
export { warmupTables } from './warmup/warmup-tables.ts';
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
export { randomEffects } from './archive/random-effects.ts';
export { observationsForDistribution, weightedGrandMean } from './study/grand-means.ts';
export { verticalProfile } from './study/vertical-profile.ts';
export { iterationLengths } from './study/iteration-length.ts';
