import type { Method } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { calibrate, sharedCosts } from '../../src/planning/calibrate.ts';
import { aBenchmark, aConfig, aSide, aTrial, iterationsOf } from '../helpers/recordings.ts';

const random = createRandom('calibrate');
const [run, segment, noise, rate] = [0.01, 0.03, 0.005, 0.01];

/** Times of one side, ms, with a run's own level and shifts at random moments. */
const times = (length: number): number[] => {
  const level = run * random.normal();
  let shift = segment * random.normal();
  return Array.from({ length }, () => {
    if (random.next() < rate) shift = segment * random.normal();
    return 10e6 * Math.exp(level + shift + noise * random.normal());
  });
};

const config = aConfig();
const measured = (runs: number, { length, method }: { readonly length: number; readonly method: Method }) => ({
  benchmark: aBenchmark(),
  runs: measuredRuns(
    Array.from({ length: runs }, (_, k) => {
      const [A, B] = [iterationsOf(times(length)), iterationsOf(Array.from({ length }, () => 10e6))];
      const [a, b] = [A.at(-1)!.e - A[0]!.s, B.at(-1)!.e - B[0]!.s];
      const wallNs = 500e6 + (method === 'sequential' ? a + b : Math.max(a, b));
      return aTrial({ run: k, method, wallNs, sides: { A: aSide(A), B: aSide(B) } });
    }),
  ),
});

const calibrationOf = (method: Method) =>
  calibrate({
    long: measured(12, { length: 600, method }),
    short: measured(200, { length: 20, method }),
    config: { ...config, method },
  });

describe('calibrate', () => {
  it.each(['sync-duet', 'sequential'] as const)('finds what %s runs were made from', (method) => {
    const { model, costs, seen, warnings } = calibrationOf(method);
    // Shifts that are too small to be found are in it.
    expect(Math.sqrt(model.measurementVariance) / noise).toBeGreaterThan(0.98);
    expect(Math.sqrt(model.measurementVariance) / noise).toBeLessThan(1.15);
    expect(model.segmentVariance).toBeGreaterThan(0.6 * segment ** 2);
    expect(model.segmentVariance).toBeLessThan(1.5 * segment ** 2);
    expect(model.runVariance).toBeLessThan(5 * run ** 2);
    const expectedRate = method === 'sequential' ? rate / 2 : rate;
    expect(model.shiftRate).toBeGreaterThan(0.3 * expectedRate);
    expect(model.shiftRate).toBeLessThan(1.6 * expectedRate);
    expect(costs.runNs / 1e6).toBeCloseTo(500, 0);
    expect(costs.iterationNs / 1e6).toBeGreaterThan(10);
    expect(seen).toMatchObject({ longRuns: 12, longIterations: 600, shortRuns: 200, shortIterations: 20 });
    expect(warnings.map(({ code }) => code)).not.toContain('FEW_RUNS');
  });

  it('of one side alone knows nothing of the other', () => {
    const runs = {
      long: measured(3, { length: 200, method: 'sequential' }),
      short: measured(60, { length: 20, method: 'sequential' }),
      config: { ...config, method: 'sequential' as const },
    };
    const varying = calibrate({ ...runs, of: 'A' }).model;
    expect(Math.sqrt(varying.measurementVariance)).toBeCloseTo(noise, 3);
    expect(calibrate({ ...runs, of: 'B' }).model).toMatchObject({
      measurementVariance: 0,
      runVariance: 0,
      shiftRate: 0,
    });
    // B does not vary, so what the ratio varies by is A's.
    expect(calibrate(runs).model.measurementVariance).toBeCloseTo(varying.measurementVariance, 12);
  });

  it('refuses runs on one core whose iterations have no CPU time', () => {
    const [long, short] = [
      measured(2, { length: 50, method: 'tandem' }),
      measured(5, { length: 10, method: 'tandem' }),
    ];
    expect(() => calibrate({ long, short, config: { ...config, method: 'tandem' } })).toThrow(
      /CPU time was not measured/,
    );
  });

  it('says when short runs are few, and refuses fewer than two', () => {
    const long = measured(2, { length: 50, method: 'sync-duet' });
    const { warnings } = calibrate({ long, short: measured(5, { length: 10, method: 'sync-duet' }), config });
    expect(warnings.map(({ code }) => code)).toEqual(['FEW_RUNS']);
    expect(() => calibrate({ long, short: measured(1, { length: 10, method: 'sync-duet' }), config })).toThrow(
      'loop: 1 short runs can be used',
    );
  });

  it('shares the costs of a program among its benchmarks', () => {
    const one = calibrationOf('sync-duet');
    const twice = sharedCosts([one, one]);
    expect(twice.iterationNs).toBeCloseTo(2 * one.costs.iterationNs, 0);
    expect(twice.runNs).toBeCloseTo(one.costs.runNs - one.costs.iterationNs * one.seen.shortIterations, 0);
  });
});
