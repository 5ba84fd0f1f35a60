import { reportSchema, type Comparison, type ExperimentConfig, type Trial } from '@deadheat/model';
import { createRandom, normalQuantile, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { aBenchmark, aConfig, trialsOf } from './helpers/recordings.ts';

const baseNs = 20e6;

function compare(trials: readonly Trial[], changes: Partial<ExperimentConfig> = {}): Comparison {
  const config = aConfig({ replicates: 1000, ...changes });
  return compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config });
}

/** Trials of one pair each whose log ratios are given, with 5 % of common noise. */
function trialsWith(logRatios: readonly number[], random: Random, changes: Partial<Trial> = {}): Trial[] {
  const common = logRatios.map(() => baseNs * Math.exp(0.05 * normal(random)));
  return trialsOf(
    common.map((time) => [time]),
    common.map((time, r) => [time * Math.exp(logRatios[r]!)]),
    { changes },
  );
}

function normal(random: Random): number {
  return normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, random.next())));
}

/** Log ratios with 1 % of noise a run; one run in twenty of either side takes 20 to 50 % longer. */
function spiky(runs: number, random: Random): number[] {
  const spike = (): number => (random.next() < 0.05 ? Math.log(1.2 + 0.3 * random.next()) : 0);
  return Array.from({ length: runs }, () => 0.01 * normal(random) + spike() - spike());
}

describe('ranks', () => {
  it('decide by default: over side and core where cores were traded, over runs where they were not', () => {
    const random = createRandom('kinds');
    const logs = spiky(24, random);
    const duet = compare(trialsWith(logs, random));
    expect(reportSchema.shape.comparisons.element.parse(duet)).toEqual(duet);
    expect(duet.interval).toMatchObject({ kind: 'side-and-core', replicates: 0 });
    expect(duet.total).toMatchObject({ kind: 't' });
    expect(duet.rankInterval).toBeNull();
    const sequential = compare(trialsWith(logs, random, { method: 'sequential' }), { method: 'sequential' });
    expect(sequential.interval.kind).toBe('signed-rank');
    const unpaired = compare(trialsWith(logs, random, { method: 'sequential' }), {
      method: 'sequential',
      unpaired: true,
    });
    expect(unpaired.interval.kind).toBe('rank-sum');
  });

  it('leave it to t with so few runs that no rank test reaches the level', () => {
    const random = createRandom('few');
    const run = (runs: number, confidence: number): string =>
      compare(trialsWith(spiky(runs, random), random, { method: 'sequential' }), { method: 'sequential', confidence })
        .interval.kind;
    // 2 / 2^7 is above 1 %, 2 / 2^8 is not; at 95 % the step is from 5 to 6.
    expect([run(7, 0.99), run(8, 0.99), run(5, 0.95), run(6, 0.95)]).toEqual(['t', 'signed-rank', 't', 'signed-rank']);
  });

  it.each([
    ['sync-duet', false],
    ['sequential', false],
    ['sequential', true],
  ] as const)(
    'have intervals that hold those of less confidence, with few runs as with many (%s, unpaired %s)',
    (method, unpaired) => {
      const random = createRandom(`nested ${method} ${unpaired}`);
      for (let draw = 0; draw < 150; draw++) {
        const runs = 4 + random.int(20);
        const shape = [0, 0.6, 2][draw % 3]!;
        let level = 0;
        // Independent, correlated, and skewed without far values.
        const logs = Array.from({ length: runs }, () => {
          level = (shape === 0.6 ? 0.6 : 0) * level + 0.01 * normal(random);
          return shape === 2 ? 0.02 * (-Math.log(1 - random.next())) ** 1.5 : level;
        });
        const trials = trialsWith(logs, random, { method });
        const [low, middle, high] = [0.9, 0.99, 0.999].map(
          (confidence) => compare(trials, { method, unpaired, confidence }).interval,
        );
        expect(middle!.low).toBeLessThanOrEqual(low!.low);
        expect(middle!.high).toBeGreaterThanOrEqual(low!.high);
        expect(high!.low).toBeLessThanOrEqual(middle!.low);
        expect(high!.high).toBeGreaterThanOrEqual(middle!.high);
      }
    },
  );

  it('are made over traded blocks where the levels of the cores wander', () => {
    const random = createRandom('wandering');
    let level = 0;
    const logs = spiky(60, random).map((log, r) => {
      level = 0.95 * level + 0.02 * normal(random);
      // Runs 2k and 2k + 1 have opposite cores.
      return log + (r % 2 === 0 ? level : -level);
    });
    expect(compare(trialsWith(logs, random))).toMatchObject({
      interval: { kind: 'signed-rank' },
      resampled: { unit: 'traded-block', count: 30 },
    });
  });

  it('have a narrow interval under rare disturbances, where that of the mean is wide', () => {
    const random = createRandom('narrow');
    const { interval: ratio, total } = compare(trialsWith(spiky(60, random), random));
    const width = (interval: { low: number; high: number } | null): number => interval!.high - interval!.low;
    expect(width(total)).toBeGreaterThan(3 * width(ratio));
  });

  it('hold side and core apart: unequal cores widen nothing', () => {
    const logs = (core: number): number[] => {
      const random = createRandom('cores');
      return spiky(6, random).map((log, r) => log * 0.1 + (r % 2 === 0 ? core : -core));
    };
    const even = compare(trialsWith(logs(0), createRandom('common')));
    const uneven = compare(trialsWith(logs(0.2), createRandom('common')));
    expect(uneven.interval.low).toBeCloseTo(even.interval.low, 4);
    expect(uneven.interval.high).toBeCloseTo(even.interval.high, 4);
  });

  it.each(['rank', 't', 'expanded', 'percentile', 'bca'] as const)(
    'and every other interval (%s) say what their p value says',
    (interval) => {
      const random = createRandom(`p ${interval}`);
      // Thousands of replicates make each comparison of the resampled ones slow.
      const draws = interval === 'percentile' || interval === 'bca' ? 8 : 25;
      for (let draw = 0; draw < draws; draw++) {
        for (const runs of [5, 12, 26]) {
          const logs = spiky(runs, random).map((log) => log + 0.006);
          for (const changes of [
            {},
            { method: 'sequential' as const },
            { method: 'sequential' as const, unpaired: true },
          ]) {
            const method = changes.method === undefined ? {} : { method: changes.method };
            const {
              interval: ratio,
              verdict,
              pValues,
            } = compare(trialsWith(logs, random, method), { ...changes, interval });
            const half = (1 - ratio.level) / 2;
            const told = JSON.stringify({ ratio, pValues, changes });
            expect(pValues.slower <= half, told).toBe(ratio.low > 1);
            expect(pValues.faster <= half, told).toBe(ratio.high < 1);
            if (verdict === 'slower') expect(pValues.slower, told).toBeLessThanOrEqual(half);
          }
        }
      }
    },
  );
});

describe('neighbouring runs that resemble each other', () => {
  it('are told, and widen the interval', () => {
    const random = createRandom('neighbours');
    let level = 0;
    const logs = Array.from({ length: 60 }, () => (level = 0.8 * level + 0.006 * normal(random)));
    const {
      warnings,
      interval: ratio,
      total,
    } = compare(trialsWith(logs, random, { method: 'sequential' }), {
      method: 'sequential',
    });
    expect(warnings.map(({ code }) => code)).toContain('RUNS_CORRELATED');
    const shuffled = logs.toSorted((a, b) => Math.sin(1e6 * a) - Math.sin(1e6 * b));
    const independent = compare(trialsWith(shuffled, random, { method: 'sequential' }), { method: 'sequential' });
    expect(independent.warnings.map(({ code }) => code)).not.toContain('RUNS_CORRELATED');
    expect(ratio.high - ratio.low).toBeGreaterThan(1.5 * (independent.interval.high - independent.interval.low));
    expect(total!.low).toBeLessThan(ratio.estimate);
  });
});

describe('a program that is slow now and then', () => {
  const random = createRandom('now and then');
  const slowIn = (runs: number, slow: number): number[] =>
    Array.from(
      { length: runs },
      (_, r) => 0.01 * normal(random) + (r % Math.ceil(runs / slow) === 3 ? Math.log(1.3) : 0),
    );

  it('is judged by the mean once that is beyond chance, and the warning says how often and how much', () => {
    const comparison = compare(trialsWith(slowIn(100, 10), random, { method: 'sequential' }), {
      method: 'sequential',
      confidence: 0.99,
    });
    expect(comparison.verdict).toBe('slower');
    expect(comparison.interval.kind).toBe('t');
    expect(comparison.interval.estimate).toBeGreaterThan(1.02);
    expect(comparison.rankInterval?.estimate).toBeLessThan(1.01);
    const warning = comparison.warnings.find(({ code }) => code === 'SLOW_NOW_AND_THEN');
    expect(warning?.message).toMatch(
      /B was slower than it mostly is by (29|30|31) % \(median\) in 10 of 100 runs, A in none/,
    );
  });

  it('is no dead heat before that, and the warning says how many runs it takes', () => {
    const comparison = compare(trialsWith(slowIn(40, 3), random, { method: 'sequential' }), {
      method: 'sequential',
      confidence: 0.99,
    });
    expect(comparison.verdict).toBe('undecided');
    expect(comparison.interval.kind).toBe('signed-rank');
    const warning = comparison.warnings.find(({ code }) => code === 'SLOW_NOW_AND_THEN');
    expect(warning?.message).toMatch(/too few to know.*--runs \d+/);
  });

  it('is told apart from disturbances that hit either side', () => {
    const logs = slowIn(100, 5).map((log, r) => (r % 20 === 7 ? -Math.log(1.3) : 0) + log);
    const { warnings, verdict } = compare(trialsWith(logs, random, { method: 'sequential' }), {
      method: 'sequential',
      confidence: 0.99,
    });
    expect(warnings.map(({ code }) => code)).not.toContain('SLOW_NOW_AND_THEN');
    expect(verdict).toBe('dead-heat');
  });
});

describe('programs that wait for other things than their core', () => {
  /** 30 ms of waiting, 10 ms of work, and up to 20 ms for which the core was another's. */
  const delayed = (known: boolean): Trial[] => {
    const random = createRandom('delayed');
    const side = (slowdown: number) =>
      Array.from({ length: 30 }, () => {
        const delay = Math.round(20e6 * random.next());
        const time = Math.round(40e6 * slowdown * (1 + 0.002 * normal(random)));
        return { time: time + delay, delay };
      });
    const [a, b] = [side(1), side(1.02)];
    const trials = trialsOf(
      a.map(({ time }) => [time]),
      b.map(({ time }) => [time]),
      { cpu: { A: 0.25, B: 0.25 } },
    );
    return trials.map((trial, r) => ({
      ...trial,
      sides: {
        A: {
          ...trial.sides.A,
          iterations: trial.sides.A.iterations.map((it) => ({ ...it, ...(known ? { q: a[r]!.delay } : {}) })),
        },
        B: {
          ...trial.sides.B,
          iterations: trial.sides.B.iterations.map((it) => ({ ...it, ...(known ? { q: b[r]!.delay } : {}) })),
        },
      },
    }));
  };

  it('are judged by wall time without waiting for a CPU, with the plain one beside it', () => {
    const comparison = compare(delayed(true), { metric: 'auto' });
    expect(comparison).toMatchObject({ metric: 'undelayed', verdict: 'slower' });
    expect(comparison.metricReason).toContain('without waiting for a CPU');
    expect(comparison.interval.low).toBeGreaterThan(1.015);
    expect(comparison.interval.high).toBeLessThan(1.025);
    const plain = comparison.otherMetrics.find(({ metric }) => metric === 'time');
    expect(plain?.verdict).toBe('undecided');
    expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
  });

  it('are judged by plain wall time where it is not known, or was asked for', () => {
    expect(compare(delayed(false), { metric: 'auto' }).metric).toBe('time');
    expect(compare(delayed(true), { metric: 'time' }).metric).toBe('time');
    const asked = compare(delayed(false), { metric: 'undelayed' });
    expect(asked.metric).toBe('time');
    expect(asked.warnings.map(({ code }) => code)).toContain('METRIC_UNAVAILABLE');
  });
});
