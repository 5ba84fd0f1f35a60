import { describe, expect, test } from 'vitest';
import { bcaInterval, bootstrapMeans, createRandom, jackknifeAcceleration, mean } from '../src/index.ts';
import { close, closeOnAverage, golden } from './golden.ts';

describe('02: BCa interval of the mean of run means', () => {
  const file = golden('02-bca');
  for (const c of file.cases) {
    const sample: number[] = c.input.x;
    test(`${c.id}: mean, acceleration and bias correction`, () => {
      close(mean(sample), c.expected.mean, 1e-13, 1e-18, 'mean');
      close(jackknifeAcceleration(sample), c.expected.acceleration_jackknife, 0, 1e-12, 'acceleration');
      close(
        jackknifeAcceleration(sample, mean),
        c.expected.acceleration_jackknife,
        0,
        1e-12,
        'acceleration of any statistic',
      );
      if (c.expected.ideal_z0 !== undefined) {
        const replicates = bootstrapMeans(sample, { replicates: 200_000, random: createRandom(c.id) });
        // z0 is a normal quantile of a share of 200 000 replicates near 1/2: standard error sqrt(1/4/200 000)/phi(0) = 0.0028;
        // five of them.
        close(bcaInterval(replicates, 0.95, { sample }).biasCorrection, c.expected.ideal_z0, 0, 0.014, 'z0');
      }
    });
    for (const ci of c.ci) {
      test(`${c.id}: interval at ${ci.level}`, () => {
        const random = createRandom(`bca ${c.id} ${ci.level}`);
        const intervals = Array.from({ length: 8 }, () =>
          bcaInterval(bootstrapMeans(sample, { replicates: ci.replicates_B, random }), ci.level, { sample }),
        );
        closeOnAverage(
          intervals.map((i) => i.low),
          ci.lo,
          'low',
        );
        closeOnAverage(
          intervals.map((i) => i.high),
          ci.hi,
          'high',
        );
      });
    }
  }
  test('a constant sample gives the degenerate interval', () => {
    const sample: number[] = file.degenerate.input.x;
    const replicates = bootstrapMeans(sample, { replicates: 999, random: createRandom(1) });
    expect(bcaInterval(replicates, 0.95, { sample })).toMatchObject({ low: sample[0], high: sample[0] });
  });
});
