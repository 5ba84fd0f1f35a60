export { anytimeMeanInterval, anytimeTCritical, fewestAnytimeValues } from './anytime/anytime-mean-interval.ts';
export type { AnytimeIntervalOptions, AnytimeInterval, AnytimeTOptions } from './anytime/anytime-mean-interval.ts';
export { kneePenalty, penaltyPath } from './changepoints/penalty-path.ts';
export type { Knee, PenaltyPathOptions, PathStep } from './changepoints/penalty-path.ts';
export { namedPenalty, pelt } from './changepoints/pelt.ts';
export type { PenaltyName, ChangeKind, PeltOptions, Segmentation } from './changepoints/pelt.ts';
export { meanInterval, varianceComponents, levelRepetitions } from './components/variance-components.ts';
export type { MeanIntervalOptions, VarianceComponents, ExperimentLevel } from './components/variance-components.ts';
export { gaussianKde, gridKde, kdeSample } from './density/kde.ts';
export type { KdeOptions, GridKdeOptions, KdeSampleOptions } from './density/kde.ts';
export {
  normalReferenceBandwidth,
  sheatherJonesBandwidth,
  silvermanBandwidth,
  ucvBandwidth,
  ucvCriterion,
} from './density/bandwidths.ts';
export { binomialCdf, binomialPmf, binomialQuantile, binomialSf } from './distributions/binomial.ts';
export { chiSquaredCdf, chiSquaredQuantile, chiSquaredSf } from './distributions/chi-squared.ts';
export { exponentialCdf, exponentialQuantile, exponentialSf } from './distributions/exponential.ts';
export { normalCdf, normalLogCdf, normalLogSf, normalQuantile, normalSf } from './distributions/normal.ts';
export { studentTCdf, studentTLogCdf, studentTLogSf, studentTQuantile, studentTSf } from './distributions/student-t.ts';
export { wilsonInterval, proportionTest, twoProportionsTest } from './tests/proportion-test.ts';
export type { ProportionResult } from './tests/proportion-test.ts';
export * from './divergence/kld-similarity.ts';
export { minimalDetectableRatio, requiredRuns } from './power/detectable-shift.ts';
export type { DetectableOptions, RequiredRunsOptions } from './power/detectable-shift.ts';
export { createRandom } from './random/create-random.ts';
export type { Random } from './random/random.ts';
export { shuffleInPlace, shuffle } from './random/shuffle.ts';
export { rankSumShift, signedRankShift } from './ranks/rank-shift.ts';
export type { RankShift, RankShiftOptions } from './ranks/rank-shift.ts';
export { rankVonNeumann } from './ranks/rank-von-neumann.ts';
export type { RankVonNeumann } from './ranks/rank-von-neumann.ts';
export {
  basicInterval,
  expandedPercentileInterval,
  expandedTail,
  percentileInterval,
} from './resampling/bootstrap-intervals.ts';
export { bcaInterval, jackknifeAcceleration } from './resampling/bca-interval.ts';
export type { BcaSource, BcaInterval } from './resampling/bca-interval.ts';
export { bootstrapMeans, bootstrap } from './resampling/bootstrap.ts';
export type { BootstrapOptions } from './resampling/bootstrap.ts';
export { fiellerSet, ratioOfMeansSet, ratioReplicates } from './resampling/ratio-of-means.ts';
export type { FiellerOptions, FiellerSet, MeanWithHalfWidth, RatioSet } from './resampling/ratio-of-means.ts';
export { hierarchicalBootstrap } from './resampling/hierarchical-bootstrap.ts';
export type { HierarchicalOptions } from './resampling/hierarchical-bootstrap.ts';
export type { NestedSample, FlatSample } from './resampling/hierarchy.ts';
export type * from './resampling/interval.ts';
export * from './samples/autocorrelation.ts';
export {
  coefficientOfVariation,
  geometricMean,
  largest,
  mean,
  smallest,
  standardDeviation,
  variance,
} from './samples/moments.ts';
export { median, medianAbsoluteDeviation, quantile, quantiles } from './samples/quantile.ts';
export type { QuantileType } from './samples/quantile.ts';
export { slidingQuantileFilter, slidingRangeFilter } from './samples/sliding-filters.ts';
export type { SlidingQuantileOptions, SlidingRangeOptions } from './samples/sliding-filters.ts';
export * from './samples/winsorize-run.ts';
export * from './tests/adjust-p-values.ts';
export { mannWhitneyU } from './tests/mann-whitney-u.ts';
export type { MannWhitneyOptions, MannWhitneyResult } from './tests/mann-whitney-u.ts';
export * from './tests/welch-t-test.ts';
export * from './tests/wilcoxon-signed-rank.ts';
export * from './trend/slope-interval.ts';
