import { createRandom, mean } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { ratioInterval } from './helpers/ratio-interval.ts';
import { runLogRatios } from '../src/pairing/paired-ratios.ts';
import { readGolden, type GoldenInterval } from './helpers/golden.ts';
import { at } from '../src/internal/lists.ts';

interface Case {
  readonly id: string;
  readonly input: { readonly x: number[][]; readonly y: number[][] };
  readonly expected: { readonly gms_r: number[]; readonly gms: number; readonly 'straddles_1_at_0.95'?: boolean };
  readonly ci?: GoldenInterval[];
}

const { cases } = readGolden('01-gms.json') as { readonly cases: readonly Case[] };

const relativeError = (value: number, expected: number): number => Math.abs(value / expected - 1);

describe('the geometric means of the published procedure', () => {
  it.each(cases)('agree with the reference for $id', ({ input, expected }) => {
    const logRatios = runLogRatios(input.x, input.y);
    const perRun = logRatios.map(Math.exp);
    expect(perRun).toHaveLength(expected.gms_r.length);
    for (const [r, value] of perRun.entries()) expect(relativeError(value, at(expected.gms_r, r))).toBeLessThan(1e-12);
    expect(relativeError(Math.exp(mean(logRatios)), expected.gms)).toBeLessThan(1e-12);
  });
});

describe('the percentile interval over runs', () => {
  it.each(cases.filter(({ ci }) => ci !== undefined))('lies where the reference bootstraps lie for $id', (golden) => {
    for (const ci of golden.ci ?? []) {
      const ratio = ratioInterval(runLogRatios(golden.input.x, golden.input.y), {
        kind: 'percentile',
        confidence: ci.level,
        replicates: ci.replicates_B,
        random: createRandom(`${golden.id} ${ci.level}`),
      });
      expect(Math.abs(ratio.low - ci.lo.mean)).toBeLessThanOrEqual(ci.lo.tol);
      expect(Math.abs(ratio.high - ci.hi.mean)).toBeLessThanOrEqual(ci.hi.tol);
    }
  });

  it.each(cases.filter(({ expected }) => expected['straddles_1_at_0.95'] !== undefined))(
    'straddles 1 or not at 95 % as in the reference for $id',
    (golden) => {
      const { low, high } = ratioInterval(runLogRatios(golden.input.x, golden.input.y), {
        kind: 'percentile',
        confidence: 0.95,
        replicates: 10_000,
        random: createRandom(golden.id),
      });
      expect(low <= 1 && high >= 1).toBe(golden.expected['straddles_1_at_0.95']);
    },
  );
});
