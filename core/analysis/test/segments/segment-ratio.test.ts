import {
  createRandom,
  hierarchicalBootstrap,
  mean,
  quantile,
  standardDeviation,
  varianceComponents,
  wilsonInterval,
  type FlatSample,
} from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../../bench/lib/draws.js';
import {
  grandMean,
  segmentInterval,
  chooseSequentialMethod,
  duetSegmentRatio,
  sequentialSegmentRatio,
} from '../../src/segments/segment-interval.ts';
import { segmentReplicates } from '../../src/segments/segment-replicates.ts';
import { simulateDuet, simulateRuns, type Model } from './simulated-segments.ts';

const model: Model = {
  runs: 12,
  measurements: 100,
  rate: 0.03,
  baseline: 100,
  runVariance: 1,
  segmentVariance: 4,
  measurementVariance: 0.5,
};

const onLogScale: Model = {
  ...model,
  baseline: 0.02,
  runVariance: 1e-4,
  segmentVariance: 4e-4,
  measurementVariance: 5e-5,
};

const scaled = (sample: FlatSample, factor: number): FlatSample => ({
  ...sample,
  values: sample.values.map((value) => factor * value),
});

describe('the ratio of a duet', () => {
  const logRatios = simulateDuet(onLogScale, createRandom('duet'));

  it('is the interval of the log ratios, taken back from the logarithm', () => {
    const method = { segments: 'aware', kind: 't' } as const;
    const log = segmentInterval(logRatios, method, { random: createRandom(1) });
    const ratio = duetSegmentRatio(logRatios, method, { random: createRandom(1) });
    expect(ratio.estimate).toBeCloseTo(Math.exp(log.estimate), 12);
    expect(ratio.low).toBeCloseTo(Math.exp(log.low), 12);
    expect(ratio.high).toBeCloseTo(Math.exp(log.high), 12);
  });

  it('turns over when the sides do', () => {
    const there = duetSegmentRatio(logRatios, { segments: 'aware', kind: 't' }, { random: createRandom(1) });
    const back = duetSegmentRatio(scaled(logRatios, -1), { segments: 'aware', kind: 't' }, { random: createRandom(1) });
    expect(back.low).toBeCloseTo(1 / there.high, 12);
    expect(back.high).toBeCloseTo(1 / there.low, 12);
  });
});

describe('the ratio of two sides by themselves', () => {
  const random = createRandom('sides');
  const a = simulateRuns(model, random);
  const b = simulateRuns({ ...model, runs: 8, baseline: 103 }, random);

  it.each(['aware', 'ignorant'] as const)(
    'is that of the grand means, %s of segments, whatever the unit',
    (segments) => {
      const found = sequentialSegmentRatio(a, b, { segments, kind: 't' }, { random });
      const [below, above] = [grandMean(a, segments), grandMean(b, segments)];
      expect(found.estimate).toBeCloseTo(above.mean / below.mean, 12);
      expect(found.standardError ** 2).toBeCloseTo(
        above.variance! / above.mean ** 2 + below.variance! / below.mean ** 2,
        12,
      );
      const inOtherUnit = sequentialSegmentRatio(scaled(a, 1e9), scaled(b, 1e9), { segments, kind: 't' }, { random });
      expect(inOtherUnit.low).toBeCloseTo(found.low, 10);
      expect(found.runs).toBe(8);
    },
  );

  it('has a wider interval by t than by the normal quantile, and resampling lies near', () => {
    const [normal, t, drawn] = (['normal', 't', 'resampling'] as const).map((kind) =>
      sequentialSegmentRatio(a, b, { segments: 'aware', kind }, { random: createRandom(2), replicates: 4000 }),
    );
    expect(t!.high - t!.low).toBeGreaterThan(normal!.high - normal!.low);
    expect(drawn!.standardError / t!.standardError).toBeGreaterThan(0.8);
    expect(drawn!.standardError / t!.standardError).toBeLessThan(1.6);
    expect(drawn).toMatchObject({ replicates: 4000 });
  });

  it('needs two runs a side, and times', () => {
    const one = simulateRuns({ ...model, runs: 1 }, random);
    expect(() => sequentialSegmentRatio(a, one, { segments: 'aware', kind: 't' }, { random })).toThrow(/at least 2/);
    expect(() => sequentialSegmentRatio(scaled(a, -1), b, { segments: 'aware', kind: 't' }, { random })).toThrow(
      /must be above 0/,
    );
  });

  it('accounts for the segments of either side', () => {
    const steady = varianceComponents(simulateRuns({ ...model, segmentVariance: 0, rate: 0 }, random));
    const shifting = varianceComponents(a);
    expect(chooseSequentialMethod(steady, steady).segments).toBe('ignorant');
    expect(chooseSequentialMethod(steady, shifting).segments).toBe('aware');
    expect(chooseSequentialMethod(shifting, steady).segments).toBe('aware');
    expect(chooseSequentialMethod(shifting, shifting, { confidence: 0.999999 }).kind).toBe('t');
  });
});

describe('replicates that are drawn at once', () => {
  // Exponential values: skewness 2, so the mean of 400 has 0.1.
  const random = createRandom('skewed');
  const values = Float64Array.from({ length: 6 * 400 }, () => -Math.log(1 - random.next()));
  const sample: FlatSample = {
    values,
    offsets: [Int32Array.of(0, 2, 4, 6), Int32Array.from({ length: 7 }, (_, s) => 400 * s)],
  };

  it.each(['aware', 'ignorant'] as const)(
    'are distributed as those drawn value by value, %s of segments',
    (segments) => {
      const replicates = 20_000;
      const fast = segmentReplicates(sample, segments, { replicates, random: createRandom(1) });
      const leaves = segments === 'aware' ? sample : { values, offsets: [Int32Array.of(0, 800, 1600, 2400)] };
      const slow = hierarchicalBootstrap(leaves, { replicates, random: createRandom(2) });
      const spread = standardDeviation(slow);
      expect(Math.abs(mean(fast) - mean(slow))).toBeLessThan(0.04 * spread);
      expect(Math.abs(standardDeviation(fast) / spread - 1)).toBeLessThan(0.03);
      for (const share of [0.005, 0.05, 0.5, 0.95, 0.995]) {
        expect(Math.abs(quantile(fast, share) - quantile(slow, share)) / spread, `${share}`).toBeLessThan(0.12);
      }
    },
  );

  it('are the same in parts', () => {
    const draw = (part?: { index: number; of: number }) =>
      segmentReplicates(sample, 'aware', { replicates: 1000, random: createRandom(3), ...(part ? { part } : {}) });
    expect([...draw({ index: 0, of: 2 }), ...draw({ index: 1, of: 2 })]).toEqual([...draw()]);
  });
});

describe('in simulated experiments', () => {
  const experiments = draws(600);

  /** Share of experiments whose 95 % interval misses, with its 99.9 % Wilson interval. */
  const missesOf = (misses: (k: number) => boolean) => {
    let missed = 0;
    for (let k = 0; k < experiments; k++) if (misses(k)) missed++;
    return wilsonInterval(missed, experiments, { level: 0.999 });
  };

  it('the t interval of a duet holds its level', () => {
    for (const segments of ['aware', 'ignorant'] as const) {
      const { low, high } = missesOf((k) => {
        const sample = simulateDuet(onLogScale, createRandom(`duet ${k}`));
        const found = duetSegmentRatio(sample, { segments, kind: 't' }, { confidence: 0.95, random: createRandom(1) });
        const truth = Math.exp(onLogScale.baseline);
        return truth < found.low || truth > found.high;
      });
      expect(low, segments).toBeLessThanOrEqual(0.05);
      expect(high, segments).toBeGreaterThanOrEqual(0.03);
    }
  });

  it('the t interval of two sides holds its level', () => {
    for (const segments of ['aware', 'ignorant'] as const) {
      const { low, high } = missesOf((k) => {
        const random = createRandom(`sides ${k}`);
        const a = simulateRuns(model, random);
        const b = simulateRuns({ ...model, runs: 8, baseline: 103, segmentVariance: 9 }, random);
        const found = sequentialSegmentRatio(a, b, { segments, kind: 't' }, { confidence: 0.95, random });
        return 1.03 < found.low || 1.03 > found.high;
      });
      expect(low, segments).toBeLessThanOrEqual(0.05);
      expect(high, segments).toBeGreaterThanOrEqual(0.03);
    }
  });
});
