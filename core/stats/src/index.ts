export {
  anytimeMeanInterval,
  anytimeSkewnessShift,
  anytimeTCritical,
  fewestAnytimeValues,
} from './anytime/anytime-mean-interval.ts';
export { namedPenalty, pelt, kneePenalty, penaltyPath } from './changepoints/pelt.ts';
export {
  levelRepetitions,
  meanInterval,
  varianceComponents,
  type VarianceComponents,
} from './components/variance-components.ts';
export {
  normalReferenceBandwidth,
  sheatherJonesBandwidth,
  silvermanBandwidth,
  ucvBandwidth,
  ucvCriterion,
} from './density/bandwidths.ts';
export { gaussianKde, gridKde, kdeSample } from './density/kde.ts';
export { binomialCdf, binomialPmf, binomialQuantile, binomialSf } from './distributions/binomial.ts';
export {
  chiSquaredCdf,
  chiSquaredQuantile,
  chiSquaredSf,
  exponentialCdf,
  exponentialQuantile,
  exponentialSf,
} from './distributions/gamma.ts';
export { normalCdf, normalLogCdf, normalLogSf, normalQuantile, normalSf } from './distributions/normal.ts';
export { studentTCdf, studentTLogCdf, studentTLogSf, studentTQuantile, studentTSf } from './distributions/student-t.ts';
export { kldSimilarity } from './divergence/kld-similarity.ts';
export { minimalDetectableRatio, requiredRuns, tTestPower } from './power/detectable-shift.ts';
export { createRandom, shuffle, shuffleInPlace, type Random } from './random/create-random.ts';
export { ascendingOrder, longRunVariance, rankVonNeumann } from './ranks/neighbours.ts';
export { rankSumShift, rankSumVariance, signedRankShift } from './ranks/rank-shift.ts';
export { bcaInterval, jackknifeAcceleration } from './resampling/bca-interval.ts';
export {
  basicInterval,
  bootstrap,
  bootstrapMeans,
  expandedPercentileInterval,
  expandedTail,
  percentileInterval,
} from './resampling/bootstrap.ts';
export { hierarchicalBootstrap } from './resampling/hierarchical-bootstrap.ts';
export type { FlatSample } from './resampling/hierarchy.ts';
export { fiellerSet, ratioOfMeansSet, ratioReplicates } from './resampling/ratio-of-means.ts';
export {
  autocorrelation,
  coefficientOfVariation,
  geometricMean,
  largest,
  mean,
  smallest,
  standardDeviation,
  variance,
} from './samples/moments.ts';
export { median, medianAbsoluteDeviation, quantile, quantiles } from './samples/quantile.ts';
export { slidingQuantileFilter, slidingRangeFilter, winsorizeRun } from './samples/sliding-filters.ts';
export { adjustPValues } from './tests/adjust-p-values.ts';
export { mannWhitneyU, wilcoxonSignedRank } from './tests/rank-tests.ts';
export { proportionTest, twoProportionsTest, wilsonInterval } from './tests/proportion-test.ts';
export { welchTTest } from './tests/welch-t-test.ts';
export { slopeInterval } from './trend/slope-interval.ts';
