import { describe, expect, test } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import * as stats from '../src/index.ts';
import type { Interval } from '../src/resampling/bootstrap.ts';

/** Distributions with mean 0: normal, skewed (exponential), bimodal. */
const shapes: Record<string, (random: stats.Random) => number> = {
  normal: (random) => random.normal(),
  skewed: (random) => -Math.log1p(-random.next()) - 1,
  bimodal: (random) => (random.next() < 0.5 ? -2 : 2) + random.normal(),
};
const EXPERIMENTS = draws(2000);
const LEVEL = 0.9;

function missRate(seed: string, experiment: (random: stats.Random) => Interval, truth = 0): number {
  const random = stats.createRandom(seed);
  let misses = 0;
  for (let i = 0; i < EXPERIMENTS; i++) {
    const { low, high } = experiment(random);
    if (truth < low || truth > high) misses++;
  }
  return misses / EXPERIMENTS;
}

/** Four standard errors of a rate over the experiments. */
function slack(rate: number): number {
  return 4 * Math.sqrt((rate * (1 - rate)) / EXPERIMENTS);
}

describe.each(Object.entries(shapes))('miss rates at a nominal 10 %%, mean of 20 %s values', (name, draw) => {
  function sample(random: stats.Random): Float64Array {
    return Float64Array.from({ length: 20 }, () => draw(random));
  }

  function resample(x: Float64Array, random: stats.Random): Float64Array {
    return stats.bootstrapMeans(x, { replicates: 800, random });
  }

  // The percentile interval of a mean is about a z interval with divisor n: for normal values it misses as often as |T_19| exceeds
  // 1.645 sqrt(19/20) = 1.603, 12.5 %. Skewness adds to it (Hesterberg 2015, section 4: more than nominal at n = 20).
  test('percentile', () => {
    const rate = missRate(`percentile ${name}`, (random) =>
      stats.percentileInterval(resample(sample(random), random), LEVEL),
    );
    const theory = 2 * stats.studentTSf(-stats.normalQuantile(0.05) * Math.sqrt(19 / 20), 19);
    const most = name === 'skewed' ? 0.18 : theory;
    expect(rate).toBeGreaterThan(theory - slack(theory));
    expect(rate).toBeLessThan(most + slack(most));
  });
  test('expanded percentile: nominal for symmetric values, closer to it than the plain one for skewed values', () => {
    const rate = missRate(`expanded ${name}`, (random) =>
      stats.expandedPercentileInterval(resample(sample(random), random), LEVEL, 20),
    );
    const most = name === 'skewed' ? 0.15 : 0.1;
    expect(rate).toBeGreaterThan(0.1 - slack(0.1));
    expect(rate).toBeLessThan(most + slack(most));
  });
  // BCa corrects bias and skewness, but not the width at small n: about as the percentile interval for symmetric values.
  test('BCa', () => {
    const rate = missRate(`bca ${name}`, (random) => {
      const x = sample(random);
      return stats.bcaInterval(resample(x, random), LEVEL, { sample: x });
    });
    expect(rate).toBeGreaterThan(0.1 - slack(0.1));
    expect(rate).toBeLessThan(0.16 + slack(0.16));
  });
  test('Student t by Welch against a second sample of another size', () => {
    const rate = missRate(`welch ${name}`, (random) => {
      const other = Float64Array.from({ length: 30 }, () => draw(random));
      return stats.welchTTest(sample(random), other, { level: LEVEL }).interval;
    });
    expect(Math.abs(rate - 0.1)).toBeLessThan(slack(0.1) + 0.01);
  });
});

describe('other intervals', () => {
  test('Fieller for a ratio of normal means misses as nominal', () => {
    const rate = missRate(
      'fieller',
      (random) => {
        const x = Float64Array.from({ length: 10 }, () => 12 + random.normal());
        const y = Float64Array.from({ length: 10 }, () => 10 + random.normal());
        const { kind, low, high } = stats.fiellerSet(x, y, { level: LEVEL });
        expect(kind).toBe('interval');
        return { low, high, level: LEVEL };
      },
      1.2,
    );
    expect(Math.abs(rate - 0.1)).toBeLessThan(slack(0.1));
  });
  test('Wilson at 3 of 50 on average: its coverage there is known exactly', () => {
    // Exact: the sum of binomial probabilities of the outcomes whose interval leaves 0.06 out.
    let exact = 0;
    for (let k = 0; k <= 50; k++) {
      const { low, high } = stats.wilsonInterval(k, 50, { level: LEVEL });
      if (0.06 < low || 0.06 > high) exact += stats.binomialPmf(k, 50, 0.06);
    }
    expect(exact).toBeGreaterThan(0.03);
    expect(exact).toBeLessThan(0.2);
    const rate = missRate(
      'wilson',
      (random) => {
        let k = 0;
        for (let i = 0; i < 50; i++) if (random.next() < 0.06) k++;
        return stats.wilsonInterval(k, 50, { level: LEVEL });
      },
      0.06,
    );
    expect(Math.abs(rate - exact)).toBeLessThan(slack(exact));
  });
  test('three-stage bootstrap of 12 runs with segments: expanded percentile near nominal, plain percentile above', () => {
    function draw(random: stats.Random): Float64Array {
      const runs = Array.from({ length: 12 }, () => {
        const run = random.normal();
        return Array.from({ length: 3 }, () => {
          const segment = 0.5 * random.normal();
          return Array.from({ length: 5 }, () => run + segment + 0.3 * random.normal());
        });
      });
      return stats.hierarchicalBootstrap(runs, { replicates: 400, random });
    }

    // Both intervals of each of the same experiments.
    const plainIntervals: Interval[] = [];
    const expanded = missRate('three-stage', (random) => {
      const means = draw(random);
      plainIntervals.push(stats.percentileInterval(means, LEVEL));
      return stats.expandedPercentileInterval(means, LEVEL, 12);
    });
    // Resampling below the runs adds variance that the runs already show, so it is a little conservative.
    expect(expanded).toBeLessThan(0.1 + slack(0.1));
    expect(expanded).toBeGreaterThan(0.05);
    const plain = plainIntervals.filter(({ low, high }) => low > 0 || high < 0).length / EXPERIMENTS;
    expect(plain).toBeGreaterThan(expanded);
  });
  test('slope interval: without a trend it leaves out 0 about as often as it says', () => {
    const rate = missRate('slope', (random) => {
      const runs = Array.from({ length: 15 }, () => {
        const level = random.normal();
        const times = Array.from({ length: 10 }, (_, i) => i);
        return { times, values: times.map(() => level + random.normal()) };
      });
      return stats.slopeInterval(runs, { replicates: 300, random, level: LEVEL });
    });
    // Percentile interval over 15 runs: theory as above for n = 15 gives 13.4 %.
    const theory = 2 * stats.studentTSf(-stats.normalQuantile(0.05) * Math.sqrt(14 / 15), 14);
    expect(Math.abs(rate - theory)).toBeLessThan(slack(theory) + 0.02);
  });
  test('minimal detectable ratio: an effect of that size is found with the promised power', () => {
    const n = 8;
    const spread = 0.02;
    const ratio = stats.minimalDetectableRatio({ standardDeviation: spread, n, confidence: 0.95, power: 0.8 });
    const random = stats.createRandom('power');
    let found = 0;
    for (let i = 0; i < EXPERIMENTS; i++) {
      const logs = Float64Array.from({ length: n }, () => Math.log(ratio) + spread * random.normal());
      const variance = stats.variance(logs) / n;
      if (stats.meanInterval({ mean: stats.mean(logs), variance, df: n - 1, level: 0.95 }).low > 0) found++;
    }
    expect(Math.abs(found / EXPERIMENTS - 0.8)).toBeLessThan(slack(0.8));
  });
  test.for([5, 8, 20])('minimal detectable ratio: the power holds where %i runs tell the spread', (n) => {
    const random = stats.createRandom(`estimated power ${n}`);
    const shift = Math.log(
      stats.minimalDetectableRatio({ standardDeviation: 1e-3, n, confidence: 0.99, power: 0.8, spread: 'estimated' }),
    );
    const known = Math.log(stats.minimalDetectableRatio({ standardDeviation: 1e-3, n, confidence: 0.99, power: 0.8 }));
    const critical = -stats.studentTQuantile(0.005, n - 1);

    function draw(): Float64Array {
      return Float64Array.from({ length: n }, () => random.normal());
    }

    let found = 0;
    let foundAsKnown = 0;
    for (let i = 0; i < EXPERIMENTS; i++) {
      const promised = stats.standardDeviation(draw());
      const other = draw();

      function t(relative: number): number {
        return (stats.mean(other) + 1e3 * relative * promised) / (stats.standardDeviation(other) / Math.sqrt(n));
      }

      if (t(shift) > critical) found++;
      if (t(known) > critical) foundAsKnown++;
    }
    expect(Math.abs(found / EXPERIMENTS - 0.8)).toBeLessThan(slack(0.8));
    // Taken as known, an estimate promises too much.
    expect(foundAsKnown).toBeLessThan(found);
  });
});
