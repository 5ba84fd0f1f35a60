import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { meanInterval } from '../src/interval/paired-intervals.ts';
import { readGolden, type GoldenInterval } from './helpers/golden.ts';

interface Case {
  readonly id: string;
  readonly input: { readonly x: number[] };
  readonly expected: { readonly mean: number };
  readonly ci?: GoldenInterval[];
}

const { cases } = readGolden('02-bca.json') as { readonly cases: readonly Case[] };

describe('the BCa interval of the mean difference of runs', () => {
  it.each(cases.filter(({ ci }) => ci !== undefined))('lies where the reference bootstraps lie for $id', (golden) => {
    for (const ci of golden.ci ?? []) {
      const difference = meanInterval(golden.input.x, {
        kind: 'bca',
        confidence: ci.level,
        replicates: ci.replicates_B,
        random: createRandom(`${golden.id} ${ci.level}`),
      });
      expect(Math.abs(difference.estimate / golden.expected.mean - 1)).toBeLessThan(1e-12);
      expect(Math.abs(difference.low - ci.lo.mean)).toBeLessThanOrEqual(ci.lo.tol);
      expect(Math.abs(difference.high - ci.hi.mean)).toBeLessThanOrEqual(ci.hi.tol);
    }
  });
});
