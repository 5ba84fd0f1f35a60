import { describe, expect, test } from 'vitest';
import * as stats from '../src/index.ts';

const random = stats.createRandom('edges');
const options = { replicates: 50, random };
/** Every function of one sample, with the least number of values that it takes. */
const ofSample: Record<string, [number, (x: readonly number[]) => unknown]> = {
  mean: [1, stats.mean],
  geometricMean: [1, stats.geometricMean],
  median: [1, stats.median],
  quantile: [1, (x) => stats.quantile(x, 0.3)],
  quantiles: [1, (x) => stats.quantiles(x, [0.3])],
  medianAbsoluteDeviation: [1, (x) => stats.medianAbsoluteDeviation(x)],
  variance: [2, stats.variance],
  standardDeviation: [2, stats.standardDeviation],
  coefficientOfVariation: [2, stats.coefficientOfVariation],
  winsorizeRun: [0, (x) => stats.winsorizeRun(x)],
  slidingQuantileFilter: [0, (x) => stats.slidingQuantileFilter(x, { window: 3 })],
  slidingRangeFilter: [0, (x) => stats.slidingRangeFilter(x, { window: 3 })],
  bootstrap: [1, (x) => stats.bootstrap(x, stats.mean, options)],
  bootstrapMeans: [1, (x) => stats.bootstrapMeans(x, options)],
  hierarchicalBootstrap: [1, (x) => stats.hierarchicalBootstrap(x, options)],
  percentileInterval: [1, (x) => stats.percentileInterval(x, 0.9)],
  expandedPercentileInterval: [1, (x) => stats.expandedPercentileInterval(x, 0.9, 5)],
  basicInterval: [1, (x) => stats.basicInterval(x, 0.9, 1)],
  bcaInterval: [2, (x) => stats.bcaInterval([1, 2, 3], 0.9, { sample: x })],
  jackknifeAcceleration: [2, (x) => stats.jackknifeAcceleration(x)],
  mannWhitneyU: [1, (x) => stats.mannWhitneyU(x, [1, 2])],
  'mannWhitneyU, second': [1, (x) => stats.mannWhitneyU([1, 2], x)],
  wilcoxonSignedRank: [1, (x) => stats.wilcoxonSignedRank(x)],
  welchTTest: [2, (x) => stats.welchTTest(x, [1, 2])],
  fiellerSet: [2, (x) => stats.fiellerSet(x, [1, 2])],
  gaussianKde: [1, (x) => stats.gaussianKde(x, [0])],
  gridKde: [1, (x) => stats.gridKde(Float64Array.from(x), { low: 0, step: 1, points: 2, bandwidth: 1 })],
  silvermanBandwidth: [1, stats.silvermanBandwidth],
  normalReferenceBandwidth: [2, stats.normalReferenceBandwidth],
  ucvCriterion: [2, (x) => stats.ucvCriterion(x, 1)],
  kdeSample: [1, (x) => stats.kdeSample(x, { size: 3, random, bandwidth: 1 })],
  kldSimilarity: [2, (x) => stats.kldSimilarity(x, [1, 2])],
  pelt: [1, (x) => stats.pelt(x)],
  'pelt, mean': [1, (x) => stats.pelt(x, { cost: 'mean', penalty: 3 })],
  penaltyPath: [1, (x) => stats.penaltyPath(x, { from: 1, to: 10 })],
  slopeInterval: [2, (x) => stats.slopeInterval([{ times: x.map((_, i) => i), values: x }], options)],
};

describe.each(Object.entries(ofSample))('%s', (_, [least, call]) => {
  test('refuses NaN and infinite values by name and index', () => {
    expect(() => call([1, Number.NaN, 3])).toThrow(RangeError);
    expect(() => call([1, Number.NaN, 3])).toThrow(/\[1\] must be a finite number, got NaN/);
    expect(() => call([1, 2, 4, Infinity])).toThrow(/\[3\] must be a finite number, got Infinity/);
  });
  test('refuses too few values and takes just enough', () => {
    if (least > 0) expect(() => call([2, 3].slice(0, least - 1))).toThrow(RangeError);
    expect(() => call([2, 3].slice(0, least))).not.toThrow();
  });
  test('takes three and does not change them', () => {
    const x = Object.freeze([3, 1, 2]);
    expect(() => call(x)).not.toThrow();
  });
});

describe('constant samples', () => {
  const same = [4, 4, 4, 4];
  test('have no spread', () => {
    expect(stats.variance(same)).toBe(0);
    expect(stats.coefficientOfVariation(same)).toBe(0);
    expect(stats.medianAbsoluteDeviation(same)).toBe(0);
    expect(stats.winsorizeRun(same).replaced).toBeNull();
    expect(stats.slidingQuantileFilter(same, { window: 3 })).toEqual([]);
  });
  test('give intervals without width', () => {
    const replicates = stats.bootstrapMeans(same, options);
    expect(stats.percentileInterval(replicates, 0.9)).toEqual({ low: 4, high: 4, level: 0.9 });
    expect(stats.bcaInterval(replicates, 0.9, { sample: same })).toMatchObject({ low: 4, high: 4, acceleration: 0 });
    expect(stats.welchTTest(same, same)).toMatchObject({ t: 0, p: 1, cohenD: 0, interval: { low: 0, high: 0 } });
    expect(stats.welchTTest(same, [5, 5])).toMatchObject({ p: 0, t: -Infinity });
    expect(stats.fiellerSet(same, [2, 2])).toMatchObject({ kind: 'interval', low: 2, high: 2 });
  });
  test('are equally distributed', () => {
    expect(stats.mannWhitneyU(same, same)).toMatchObject({ p: 1, a12: 0.5, rankBiserial: 0 });
    expect(stats.wilcoxonSignedRank([0, 0])).toMatchObject({ p: 1, n: 0, rankBiserial: 0 });
    expect(stats.kldSimilarity(same, same).similarity).toBe(1);
  });
  test('have bandwidths by convention, or none', () => {
    expect(stats.silvermanBandwidth(same)).toBeCloseTo(0.9 * 4 * 4 ** -0.2, 12);
    expect(stats.silvermanBandwidth([0])).toBe(0.9);
    expect(() => stats.ucvBandwidth(same)).toThrow(/sample must not be constant/);
    expect(() => stats.sheatherJonesBandwidth(same)).toThrow(/different quartiles/);
  });
  test('have no change points', () => {
    expect([...stats.pelt(same).changepoints]).toEqual([]);
    expect([...stats.pelt([0, 0, 0, 0, 0, 0], { penalty: 1 }).changepoints]).toEqual([]);
    expect(stats.penaltyPath(same)).toHaveLength(1);
  });
});

describe('callers’ mistakes are named', () => {
  const cases: [RegExp, () => unknown][] = [
    [/p must lie in \[0, 1\]/, () => stats.quantile([1, 2], 1.5)],
    [/type must be an integer in \[1, 9\]/, () => stats.quantile([1, 2], 0.5, { type: 10 as never })],
    [/level must lie strictly between/, () => stats.percentileInterval([1, 2], 1)],
    [/n must be an integer/, () => stats.expandedTail(0.99, 1)],
    [/replicates must be an integer/, () => stats.bootstrapMeans([1, 2], { replicates: 0, random })],
    [/statistic must return a finite number, got NaN/, () => stats.bootstrap([1, 2], () => Number.NaN, options)],
    [/sample\[1\] must be above 0/, () => stats.geometricMean([1, 0])],
    [/must not have mean 0/, () => stats.coefficientOfVariation([-1, 1])],
    [/limit must lie in/, () => stats.winsorizeRun([1, 2, 3], { limit: -1 })],
    [/sample\[1\] must be nested as deep/, () => stats.hierarchicalBootstrap([[[1]], [1]] as never, options)],
    [/sample\[0\] needs at least 1 value/, () => stats.hierarchicalBootstrap([[], [1]], options)],
    [/levels must be an integer in \[1, 2\]/, () => stats.hierarchicalBootstrap([[1]], { ...options, levels: 3 })],
    [/part.index must be/, () => stats.hierarchicalBootstrap([1], { ...options, part: { index: 2, of: 2 } })],
    [
      /sample.offsets\[0\] must run from 0 to 3/,
      () => stats.hierarchicalBootstrap({ values: new Float64Array(3), offsets: [Int32Array.of(0, 2)] }, options),
    ],
    [/weights must be/, () => stats.hierarchicalBootstrap([1], { ...options, weights: 'none' as never })],
    [/denominator must have 2 replicates/, () => stats.ratioReplicates([1, 2], [1])],
    [/denominator\[0\] must not be 0/, () => stats.ratioReplicates([1], [0])],
    [
      /denominator.mean must not be 0/,
      () => stats.ratioOfMeansSet({ mean: 1, halfWidth: 0 }, { mean: 0, halfWidth: 1 }),
    ],
    [
      /numerator.halfWidth must lie in/,
      () => stats.ratioOfMeansSet({ mean: 1, halfWidth: -1 }, { mean: 1, halfWidth: 1 }),
    ],
    [/denominator must have 3 values/, () => stats.fiellerSet([1, 2, 3], [1, 2], { variant: 'paired' })],
    [/method must not be 'exact'/, () => stats.mannWhitneyU([1, 1], [1, 2], { method: 'exact' })],
    [/method must not be 'exact'/, () => stats.wilcoxonSignedRank([1, 1], { method: 'exact' })],
    [/successes must be an integer in \[0, 3\]/, () => stats.wilsonInterval(4, 3)],
    [/expected must lie strictly/, () => stats.proportionTest(1, 3, 0)],
    [/bandwidth must lie in/, () => stats.gaussianKde([1], [1], { bandwidth: 0 })],
    [/size must be an integer/, () => stats.kdeSample([1], { size: -1, random, bandwidth: 1 })],
    [/strips must be an integer/, () => stats.kldSimilarity([1, 2], [1, 2], { strips: 1 })],
    [/cost must be 'meanvar'/, () => stats.pelt([1, 2], { cost: 'median' as never })],
    [/penalty must be a number, 'bic'/, () => stats.pelt([1, 2], { penalty: 'aic' as never })],
    [/penalty must lie in/, () => stats.pelt([1, 2], { penalty: -1 })],
    [/minSegmentLength must be an integer in \[2/, () => stats.pelt([1, 2], { minSegmentLength: 1 })],
    [/maxCandidates must be an integer in \[64/, () => stats.pelt([1, 2], { maxCandidates: 2 })],
    [/to must lie in/, () => stats.penaltyPath([1, 2], { from: 5, to: 4 })],
    [/counts must descend/, () => stats.kneePenalty([1, 2], [1, 1])],
    [/runs\[0\].values must have 2/, () => stats.slopeInterval([{ times: [1, 2], values: [1] }], options)],
    [/two different times/, () => stats.slopeInterval([{ times: [1, 1], values: [1, 2] }], options)],
    [/standardDeviation must lie in/, () => stats.minimalDetectableRatio({ standardDeviation: -1, n: 5 })],
    [/n must be an integer in \[2/, () => stats.minimalDetectableRatio({ standardDeviation: 1, n: 1 })],
    [
      /ratio must lie outside the margin/,
      () => stats.requiredRuns({ standardDeviation: 1, ratio: 1.01, margin: 0.02 }),
    ],
    [
      /levels\[1\].cost must lie in/,
      () =>
        stats.levelRepetitions([
          { cost: 1, variance: 1 },
          { cost: 0, variance: 1 },
        ]),
    ],
    [/sample must have three levels/, () => stats.varianceComponents([[1, 2]])],
    [/df must be above 0/, () => stats.studentTCdf(1, 0)],
    [/z must be a finite number/, () => stats.normalCdf(Infinity)],
    [/p must lie in \[0, 1\]/, () => stats.normalQuantile(-0.1)],
    [/k must be an integer in \[0, 3\]/, () => stats.binomialPmf(4, 3, 0.5)],
    [/k must be an integer in .*, got 2.5/, () => stats.binomialSf(2.5, 10, 0.5)],
    [/p must lie in \[0, 1\], got 1.5/, () => stats.binomialSf(1, 10, 1.5)],
    [
      /method must be 'auto', 'exact' or 'asymptotic', got foo/,
      () => stats.mannWhitneyU([1], [2], { method: 'foo' as never }),
    ],
    [/method must be 'auto'/, () => stats.wilcoxonSignedRank([1], { method: 'foo' as never })],
    [/variances must be 'separate' or/, () => stats.welchTTest([1, 2], [1, 2], { variances: 'equal' as never })],
    [/variant must be 'welch'/, () => stats.fiellerSet([1, 2], [1, 2], { variant: 'z' as never })],
    [
      /placement must be 'centered-truncated'/,
      () => stats.slidingQuantileFilter([1], { window: 1, placement: 'leading' as never }),
    ],
    [/method must be 'ste' or 'dpi'/, () => stats.sheatherJonesBandwidth([1, 2, 3], { method: 'SJ' as never })],
    [/base must be 'e' or 2, got 10/, () => stats.kldSimilarity([1, 2], [1, 2], { base: 10 as never })],
    [/second\[1\] must not be below 0, got -2/, () => stats.kldSimilarity([1, 2], [1, -2])],
    [/sample\[1\] must be an array/, () => stats.hierarchicalBootstrap([[1], 2] as never, options)],
    [/sample\[0\] must be an array/, () => stats.hierarchicalBootstrap([null, [2]] as never, options)],
  ];
  test.each(cases)('%s', (message, call) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(message);
  });
});

describe('quantiles at the ends of their range', () => {
  test('are infinite', () => {
    expect([stats.normalQuantile(0), stats.normalQuantile(0.5), stats.normalQuantile(1)]).toEqual([
      -Infinity,
      0,
      Infinity,
    ]);
    expect([stats.studentTQuantile(0, 3), stats.studentTQuantile(0.5, 3), stats.studentTQuantile(1, 3)]).toEqual([
      -Infinity,
      0,
      Infinity,
    ]);
    expect(stats.studentTQuantile(0.975, Infinity)).toBe(stats.normalQuantile(0.975));
  });
  test('no spread, no margin: every slowdown would be seen', () => {
    expect(stats.minimalDetectableRatio({ standardDeviation: 0, n: 2, margin: 0.01 })).toBe(1.01);
    expect(stats.requiredRuns({ standardDeviation: 0, ratio: 1.001 })).toBe(2);
    expect(stats.requiredRuns({ standardDeviation: 10, ratio: 1 + 1e-9 })).toBe(Infinity);
  });
});

describe('very large and very small values', () => {
  test('a mean overflows only when it is itself too large', () => {
    expect(stats.mean([1.5e308, 1.5e308, -1.5e308])).toBeCloseTo(0.5e308, -295);
    expect(stats.mean([1e308, 1e308])).toBe(1e308);
    expect(stats.mean([5e-324, 5e-324])).toBe(5e-324);
  });
  test('a standard deviation keeps its digits where the variance has left the range of a double', () => {
    for (const scale of [1e-300, 1e-200, 1e200, 8e307]) {
      expect(stats.standardDeviation([scale, -scale, scale, -scale]) / scale).toBeCloseTo(Math.sqrt(4 / 3), 12);
      expect(stats.coefficientOfVariation([scale, scale / 2]) * 3).toBeCloseTo(Math.SQRT2, 12);
    }
    expect(stats.variance([1e200, -1e200])).toBe(Infinity);
    expect(stats.standardDeviation([1e-300, 1e-300])).toBe(0);
  });
  test('a filter takes a window far longer than the series', () => {
    const x = [1, 2, 3, 2, 1];
    expect(stats.slidingRangeFilter(x, { window: Number.MAX_SAFE_INTEGER })).toEqual([]);
    expect(stats.slidingQuantileFilter(x, { window: 2 ** 40, tail: 0 })).toEqual([]);
  });
});

describe('binomial tails of a very small p', () => {
  test('keep the digits of p: P(X > 0) = -expm1(n log1p(-p))', () => {
    for (const p of [1e-300, 1e-20, 1e-9, 1e-3, 0.4]) {
      const truth = -Math.expm1(10 * Math.log1p(-p));
      expect(stats.binomialSf(0, 10, p) / truth).toBeCloseTo(1, 12);
    }
    expect([-1, 10, 11].map((k) => stats.binomialSf(k, 10, 0.5))).toEqual([1, 0, 0]);
    expect([0, 1].map((p) => stats.binomialSf(3, 10, p))).toEqual([0, 1]);
  });
});

describe('logarithms of tails beyond the range of a double', () => {
  test('normal: -z^2/2 - ln(z sqrt(2 pi)) - 1/z^2 + ... far out', () => {
    for (const z of [50, 1000, 1e6, 1e100]) {
      const truth =
        -0.5 * z * z - Math.log(z) - 0.5 * Math.log(2 * Math.PI) - 1 / z ** 2 + 2.5 / z ** 4 - 37 / 3 / z ** 6;
      expect(stats.normalLogSf(z) / truth).toBeCloseTo(1, 12);
      expect(stats.normalLogCdf(-z)).toBe(stats.normalLogSf(z));
      expect(stats.studentTLogSf(z, Infinity)).toBe(stats.normalLogSf(z));
      expect([stats.normalLogCdf(z), stats.normalLogSf(-z)]).toEqual([-0, -0]);
    }
  });
  test('Student t: closed forms for one and two degrees of freedom, the leading power for many', () => {
    for (const t of [2, 1e3, 1e150, 1e300]) {
      expect(stats.studentTLogSf(t, 1) / Math.log(Math.atan(1 / t) / Math.PI)).toBeCloseTo(1, 12);
      // P = 1/((2 + t^2)(1 + t/sqrt(2 + t^2)))
      const two = 2 * Math.log(t) + Math.log1p(2 / t / t) + Math.log1p(1 / Math.sqrt(1 + 2 / t / t));
      expect(stats.studentTLogSf(t, 2) / -two).toBeCloseTo(1, 12);
      expect(stats.studentTLogCdf(-t, 2)).toBe(stats.studentTLogSf(t, 2));
    }
    const slope = stats.studentTLogSf(1e200, 30) - stats.studentTLogSf(1e190, 30);
    expect(slope / (-30 * Math.log(1e10))).toBeCloseTo(1, 11);
  });
});
