import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as stats from '../src/index.ts';
import type { NestedSample } from '../src/resampling/hierarchy.ts';
import type { QuantileType } from '../src/samples/quantile.ts';
import { close } from './golden.ts';

const run = { seed: 20_261_121, numRuns: 200 };
const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const sample = fc.array(value, { minLength: 2, maxLength: 40 });
const probability = fc.double({ min: 0, max: 1, noNaN: true });

describe('samples', () => {
  test('quantiles ascend with p, lie within the range, and shift and scale with the values', () => {
    fc.assert(
      fc.property(sample, probability, probability, fc.integer({ min: 1, max: 9 }), (x, p, q, type) => {
        const options = { type: type as QuantileType };
        const [low, high] = stats.quantiles(x, [Math.min(p, q), Math.max(p, q)], options);
        expect(low!).toBeLessThanOrEqual(high! + 1e-9 * Math.abs(high!));
        expect(low!).toBeGreaterThanOrEqual(Math.min(...x));
        expect(high!).toBeLessThanOrEqual(Math.max(...x));
        close(
          stats.quantile(
            x.map((v) => 3 * v + 7),
            p,
            options,
          ),
          3 * stats.quantile(x, p, options) + 7,
          1e-9,
          1e-8,
        );
      }),
      run,
    );
  });
  test('the smallest and the largest are found among more values than a function takes', () => {
    const long = Float64Array.from({ length: 500_000 }, (_, i) => (i * 7919) % 500_009);
    expect([stats.smallest(long), stats.largest(long)]).toEqual([0, long.toSorted().at(-1)]);
    expect([stats.smallest([]), stats.largest([])]).toEqual([Math.min(), Math.max()]);
  });
  test('the order of values does not matter', () => {
    fc.assert(
      fc.property(sample, fc.integer(), (x, seed) => {
        const mixed = stats.shuffle(x, stats.createRandom(seed));
        close(stats.mean(mixed), stats.mean(x), 1e-15, 1e-9);
        close(stats.variance(mixed), stats.variance(x), 1e-12, 1e-12);
        expect(stats.median(mixed)).toBe(stats.median(x));
        expect(stats.medianAbsoluteDeviation(mixed)).toBe(stats.medianAbsoluteDeviation(x));
        const y = [...x].reverse().map((v) => v + 1);
        expect(stats.mannWhitneyU(mixed, y).p).toBe(stats.mannWhitneyU(x, y).p);
      }),
      run,
    );
  });
  test('a common offset leaves the variance alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 30 }), (x) => {
        close(stats.variance(x.map((v) => v + 2 ** 40)), stats.variance(x), 1e-12, 1e-12);
      }),
      run,
    );
  });
  test('winsorising moves at most one value, to a value of the others, and then nothing more exceeds the old range', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 3, maxLength: 20 }), (x) => {
        const { values, replaced } = stats.winsorizeRun(x);
        const moved = x.flatMap((v, i) => (Object.is(v, values[i]) || v === values[i] ? [] : [i]));
        expect(moved).toEqual(replaced ? [replaced.index] : []);
        if (replaced) expect(x.filter((_, i) => i !== replaced.index)).toContain(replaced.to);
      }),
      run,
    );
  });
});

describe('distributions', () => {
  test('quantile and cdf are each other’s inverse', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-12, max: 0.999, noNaN: true }),
        fc.double({ min: 0.3, max: 1e6, noNaN: true }),
        (p, df) => {
          close(stats.normalCdf(stats.normalQuantile(p)), p, 1e-11);
          close(stats.studentTCdf(stats.studentTQuantile(p, df), df), p, 1e-10);
          close(stats.chiSquaredCdf(stats.chiSquaredQuantile(p, df), df), p, 1e-8, 1e-300);
        },
      ),
      run,
    );
  });
});

describe('resampling', () => {
  function means(x: readonly number[], seed: number): Float64Array {
    return stats.bootstrapMeans(x, { replicates: 300, random: stats.createRandom(seed) });
  }

  test('the fast mean draws what the general bootstrap draws', () => {
    for (const n of [1, 2, 5, 20, 181, 182, 300, 812, 813, 2000, 23_170, 23_171]) {
      const x = Array.from({ length: n }, (_, i) => Math.sin(i) * 100);
      const options = { replicates: 20 };
      const fast = stats.bootstrapMeans(x, { ...options, random: stats.createRandom(n) });
      const slow = stats.bootstrap(x, stats.mean, { ...options, random: stats.createRandom(n) });
      fast.forEach((m, i) => close(m, slow[i]!, 1e-9, 1e-10, `n ${n}`));
    }
  });
  test('every value is drawn equally often', () => {
    for (const n of [3, 20, 100, 200, 700, 1000, 5000, 30_000]) {
      // Replicates of the mean of a 0/1 sample: the count of one value is binomial.
      const x = new Float64Array(n);
      x[n - 1] = 1;
      const replicates = Math.ceil(400_000 / n);
      const random = stats.createRandom(`uniform ${n}`);
      for (const draw of [
        stats.bootstrapMeans(x, { replicates, random }),
        stats.hierarchicalBootstrap([x], { replicates, random }),
      ]) {
        const drawn = stats.mean(draw) * n * replicates;
        expect(Math.abs(drawn - replicates)).toBeLessThan(5 * Math.sqrt(replicates));
      }
    }
  });
  test('intervals widen with the level, shift and scale with the values', () => {
    fc.assert(
      fc.property(sample, fc.integer(), (x, seed) => {
        const reps = means(x, seed);
        const source = { sample: x };
        for (const interval of [
          (r: Float64Array, level: number) => stats.percentileInterval(r, level),
          (r: Float64Array, level: number) => stats.expandedPercentileInterval(r, level, x.length),
          (r: Float64Array, level: number) => stats.basicInterval(r, level, stats.mean(x)),
          (r: Float64Array, level: number) => stats.bcaInterval(r, level, source),
        ]) {
          const [narrow, wide] = [interval(reps, 0.8), interval(reps, 0.95)];
          const slack = 1e-9 * (1 + Math.abs(narrow.low) + Math.abs(narrow.high));
          expect(wide.low).toBeLessThanOrEqual(narrow.low + slack);
          expect(wide.high).toBeGreaterThanOrEqual(narrow.high - slack);
        }
        const scaled = stats.percentileInterval(
          means(
            x.map((v) => 2 * v + 5),
            seed,
          ),
          0.9,
        );
        const plain = stats.percentileInterval(reps, 0.9);
        close(scaled.low, 2 * plain.low + 5, 1e-9, 1e-8);
        close(scaled.high, 2 * plain.high + 5, 1e-9, 1e-8);
      }),
      { ...run, numRuns: 60 },
    );
  });
  test('the parts of several workers are bit for bit the whole', () => {
    const random = stats.createRandom('data');
    const sample = Array.from({ length: 6 }, () =>
      Array.from({ length: 3 }, () => Array.from({ length: 1 + random.int(120) }, () => random.normal())),
    );
    for (const options of [
      {},
      { weights: 'pooled' as const },
      { levels: 1 },
      { levels: 2, weights: 'pooled' as const },
    ]) {
      const whole = stats.hierarchicalBootstrap(sample, {
        ...options,
        replicates: 1000,
        random: stats.createRandom(5),
      });
      for (const of of [1, 2, 3, 7, 20]) {
        const parts = Array.from({ length: of }, (_, index) =>
          stats.hierarchicalBootstrap(sample, {
            ...options,
            replicates: 1000,
            random: stats.createRandom(5),
            part: { index, of },
          }),
        );
        expect(Float64Array.from(parts.flatMap((part) => [...part]))).toEqual(whole);
      }
    }
  });
  test('a hierarchy in its flat form gives the same replicates', () => {
    const nested = [[[1, 2, 3], [4]], [[5, 6]]];
    const flat = {
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
      offsets: [Int32Array.of(0, 2, 3), Int32Array.of(0, 3, 4, 6)],
    };

    function draw(x: NestedSample | stats.FlatSample): Float64Array {
      return stats.hierarchicalBootstrap(x, { replicates: 100, random: stats.createRandom(1) });
    }

    expect(draw(flat)).toEqual(draw(nested));
  });
  test('levels and weights: the replicates have the mean and variance that theory gives', () => {
    const runs = [
      [1, 2, 9, 4],
      [10, 12],
      [7, 7, 8],
    ];
    const runMeans = runs.map(stats.mean);

    function spread(x: ArrayLike<number>): number {
      return (stats.variance(x) * (x.length - 1)) / x.length;
    }

    const replicates = 40_000;

    function draw(levels: number): Float64Array {
      return stats.hierarchicalBootstrap(runs, { levels, replicates, random: stats.createRandom(levels) });
    }

    const between = spread(runMeans) / 3;
    const within = stats.mean(runs.map((run) => spread(run) / run.length)) / 3;
    for (const [levels, expected] of [
      [1, between],
      [2, between + within],
    ] as const) {
      const reps = draw(levels);
      // Standard errors: sqrt(v/B) of the mean, about v sqrt(2/B) of the variance (light tails).
      close(stats.mean(reps), stats.mean(runMeans), 0, 5 * Math.sqrt(expected / replicates), `mean, ${levels} levels`);
      close(stats.variance(reps), expected, 0, 6 * expected * Math.sqrt(2 / replicates), `variance, ${levels} levels`);
    }
  });
});

describe('change points', () => {
  /** What a segment of `x` costs, computed anew from its values. */
  function segmentCost(
    x: readonly number[],
    cost: NonNullable<NonNullable<Parameters<typeof stats.pelt>[1]>['cost']>,
    mbic: boolean,
  ): (from: number, to: number) => number {
    const all = stats.mean(x);
    return (from, to) => {
      const part = x.slice(from, to);
      const m = part.length;
      const centre = cost === 'var' ? all : stats.mean(part);
      const squares = part.reduce((total, v) => total + (v - centre) ** 2, 0);
      const own = cost === 'mean' ? squares : m * (Math.log(2 * Math.PI) + Math.log(squares / m) + 1);
      return own + (mbic ? Math.log(m) : 0);
    };
  }

  /** The least cost of any segmentation, by dynamic programming over every pair of ends, for each of the penalties. */
  function bruteForce(
    n: number,
    segment: (from: number, to: number) => number,
    { penalties, least }: { readonly penalties: readonly number[]; readonly least: number },
  ): readonly number[] {
    const best = penalties.map((penalty) => [-penalty, ...Array.from({ length: n }, () => Infinity)]);
    for (let t = least; t <= n; t++) {
      for (let s = 0; s <= t - least; s++) {
        const cost = segment(s, t);
        for (const [k, row] of best.entries()) row[t] = Math.min(row[t]!, row[s]! + cost + penalties[k]!);
      }
    }
    return best.map((row) => row[n]!);
  }

  const series = fc.array(
    fc.tuple(
      fc.integer({ min: 1, max: 30 }),
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: 0.1, max: 4, noNaN: true }),
    ),
    { minLength: 1, maxLength: 8 },
  );

  function build(parts: readonly (readonly [number, number, number])[], seed: number): number[] {
    const random = stats.createRandom(seed);
    return parts.flatMap(([length, centre, spread]) => Array.from({ length }, () => centre + spread * random.normal()));
  }

  test('are exactly optimal, for every cost', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer(),
        fc.constantFrom('meanvar', 'mean', 'var'),
        fc.integer({ min: 2, max: 6 }),
        fc.double({ min: 0.5, max: 40, noNaN: true }),
        (parts, seed, cost, least, penalty) => {
          const x = build(parts, seed);
          if (x.length < least) return;
          const kind = cost;
          const ours = stats.pelt(x, { cost: kind, penalty, minSegmentLength: least });
          const [best] = bruteForce(x.length, segmentCost(x, kind, false), { penalties: [penalty], least });
          close(ours.penalisedCost, best!, 1e-9, 1e-8, `${cost}, ${x.length} values`);
          let from = -1;
          for (const last of [...ours.changepoints, x.length - 1]) {
            expect(last - from).toBeGreaterThanOrEqual(least);
            from = last;
          }
          const mbic = stats.pelt(x, { cost: kind, penalty: 'mbic', minSegmentLength: least });
          const [bestMbic] = bruteForce(x.length, segmentCost(x, kind, true), { penalties: [mbic.penalty], least });
          close(mbic.penalisedCost, bestMbic!, 1e-9, 1e-8, `mbic, ${cost}`);
        },
      ),
      { ...run, numRuns: 150 },
    );
  });
  test('stay optimal when many surveys and rulings out happen: 600 values, small penalty', () => {
    for (const seed of [1, 2, 3]) {
      const x = build(
        Array.from({ length: 24 }, (_, i) => [25, (i % 3) * 2, 1 + (i % 2)] as const),
        seed,
      );
      const penalties = [3, 8, 20];
      const best = bruteForce(x.length, segmentCost(x, 'meanvar', false), { penalties, least: 2 });
      for (const [k, penalty] of penalties.entries()) {
        close(stats.pelt(x, { penalty }).penalisedCost, best[k]!, 1e-9, 1e-8);
      }
    }
  });
  test('do not move when the series is shifted and scaled', () => {
    fc.assert(
      fc.property(series, fc.integer(), (parts, seed) => {
        const x = build(parts, seed);
        const plain = stats.pelt(x);
        const moved = stats.pelt(x.map((v) => v * 1e-6 + 3));
        expect([...moved.changepoints]).toEqual([...plain.changepoints]);
      }),
      run,
    );
  });
  test('the path holds the optimum of every penalty in between', () => {
    fc.assert(
      fc.property(series, fc.integer(), fc.double({ min: 2, max: 60, noNaN: true }), (parts, seed, penalty) => {
        const x = build(parts, seed);
        const path = stats.penaltyPath(x, { from: 2, to: 60 });
        const step = path.findLast((candidate) => candidate.penalty <= penalty)!;
        close(step.cost + penalty * step.changepoints.length, stats.pelt(x, { penalty }).penalisedCost, 1e-9, 1e-8);
        for (let i = 1; i < path.length; i++) {
          expect(path[i]!.penalty).toBeGreaterThanOrEqual(path[i - 1]!.penalty);
          expect(path[i]!.changepoints.length).toBeLessThan(path[i - 1]!.changepoints.length);
        }
      }),
      run,
    );
  });
  test('far from the other values a segment keeps its digits', () => {
    // Two segments of small noise 1e8 noise widths apart: plain prefix sums would see a variance of rounding errors.
    const random = stats.createRandom('far');
    const noise = Array.from({ length: 400 }, () => random.normal());
    const x = noise.map((v, i) => (i < 200 ? v : 1e8 + v * 2));
    const expected = bruteForceCost(noise.slice(0, 200)) + bruteForceCost(noise.slice(200).map((v) => 2 * v));
    const ours = stats.pelt(x, { penalty: 50 });
    expect([...ours.changepoints]).toEqual([199]);
    // At 1e8 a double has a resolution of 1.5e-8: that is what the values themselves have lost.
    close(ours.cost, expected, 1e-6);
  });
  test('equal values: the resolution of the series bounds the variance', () => {
    const random = stats.createRandom('ties');
    const x = Array.from({ length: 300 }, (_, i) => Math.round((i < 150 ? 10 : 14) + random.normal()));
    expect([...stats.pelt(x).changepoints]).toEqual([149]);
    expect(stats.pelt(x, { zeroVariance: 1e-11 }).changepoints.length).toBeGreaterThan(1);
  });
  test('with few candidates the cost is at most a little above the optimum', () => {
    const x = build(
      [
        [900, 0, 1],
        [700, 0.5, 1],
        [800, 0.5, 1.6],
      ],
      9,
    );
    const exact = stats.pelt(x, { penalty: 'bic' });
    const close64 = stats.pelt(x, { penalty: 'bic', maxCandidates: 64 });
    expect(close64.penalisedCost).toBeGreaterThanOrEqual(exact.penalisedCost - 1e-6);
    expect(close64.penalisedCost - exact.penalisedCost).toBeLessThan(2 * exact.penalty);
  });

  function bruteForceCost(x: readonly number[]): number {
    const m = x.length;
    return m * (Math.log(2 * Math.PI) + Math.log((stats.variance(x) * (m - 1)) / m) + 1);
  }
});

describe('density', () => {
  test('integrates to 1 and is symmetric about a symmetric sample', () => {
    const x = [-3, -1, 0, 1, 3];
    const points = Array.from({ length: 2001 }, (_, i) => -20 + i * 0.02);
    const density = stats.gaussianKde(x, points, { bandwidth: 0.7 });
    close(stats.mean(density) * 2001 * 0.02, 1, 1e-9);
    density.forEach((v, i) => close(v, density[2000 - i]!, 1e-9, 1e-300));
  });
  test('on a grid is what it is point by point, cut off or not, with ties and values beyond the grid', () => {
    const random = stats.createRandom('grid');
    const x = Float64Array.from({ length: 300 }, () => Math.round(20 * random.normal()) / 10).sort();
    const [low, step, points] = [-3, 0.01, 600];
    const places = Array.from({ length: points }, (_, i) => low + i * step);
    for (const bandwidth of [0.003, 0.05, 0.4]) {
      for (const cutoff of [5, 39]) {
        const ours = stats.gridKde(x, { low, step, points, bandwidth, cutoff });
        const theirs = stats.gaussianKde(x, places, { bandwidth, cutoff });
        ours.forEach((density, i) => close(density, theirs[i]!, 1e-9, 1e-200, `${bandwidth} ${cutoff} ${i}`));
      }
    }
  });
  test('on a grid may be binned where the grid is fine enough, and then is off by less than 0.1 % of the peak', () => {
    const random = stats.createRandom('binned');
    const x = Float64Array.from({ length: 4000 }, () => random.normal()).sort();
    const grid = { low: -2, step: 0.004, points: 1000, cutoff: 5 };
    const exact = stats.gridKde(x, { ...grid, bandwidth: 0.2 });
    const binned = stats.gridKde(x, { ...grid, bandwidth: 0.2, binAbove: 500 });
    const peak = Math.max(...exact);
    expect([...binned]).not.toEqual([...exact]);
    exact.forEach((density, i) => close(binned[i]!, density, 0, 1e-3 * peak));
    const coarse = { ...grid, bandwidth: 0.02 };
    expect(stats.gridKde(x, { ...coarse, binAbove: 500 })).toEqual(stats.gridKde(x, coarse));
  });
  test('similarities by binned densities are those by exact ones to six digits', () => {
    const random = stats.createRandom('similar');

    function draw(size: number) {
      return Float64Array.from({ length: size }, () => 10 * Math.exp(0.1 * random.normal())).sort();
    }

    const [first, second] = [draw(3000), draw(2000)];
    const { similarity } = stats.kldSimilarity(first, second);
    expect(stats.kldSimilarity(first, second, { sorted: true }).similarity).toBe(similarity);
    close(stats.kldSimilarity(first, second, { sorted: true, binAbove: 500 }).similarity, similarity, 1e-6);
  });
  test('draws from a density have its mean and variance', () => {
    const x = [1, 2, 4, 8];
    const size = 100_000;
    const draws = stats.kdeSample(x, { size, random: stats.createRandom('kde'), bandwidth: 0.5 });
    const expected = (stats.variance(x) * 3) / 4 + 0.25;
    close(stats.mean(draws), 3.75, 0, 5 * Math.sqrt(expected / size));
    close(stats.variance(draws), expected, 0, 6 * expected * Math.sqrt(2 / size));
    expect(
      [...stats.kdeSample(x, { size: 20, random: stats.createRandom(1), bandwidth: 0 })].every((v) => x.includes(v)),
    ).toBe(true);
  });
  test('similarity does not depend on which sample comes first or on the unit', () => {
    const random = stats.createRandom('kld');
    const a = Array.from({ length: 60 }, () => 100 + random.normal());
    const b = Array.from({ length: 50 }, () => 100.3 + random.normal());
    const plain = stats.kldSimilarity(a, b).similarity;
    close(stats.kldSimilarity(b, a).similarity, plain, 1e-12);
    close(
      stats.kldSimilarity(
        a.map((v) => v * 1e-6),
        b.map((v) => v * 1e-6),
      ).similarity,
      plain,
      1e-9,
    );
    expect(stats.kldSimilarity(a, a).similarity).toBe(1);
    expect(
      stats.kldSimilarity(
        a,
        b.map((v) => v + 1000),
      ).similarity,
    ).toBe(0);
  });
});
