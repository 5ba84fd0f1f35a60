import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { duetWidth, improvement, variationOf, widthTriplet, type SidesOfTimes } from '../../src/study/widths.ts';
import { readGolden, type GoldenInterval } from '../../../../core/analysis/test/helpers/golden.ts';

interface Golden {
  readonly cases: readonly {
    readonly id: string;
    readonly input: { readonly x: number[][]; readonly y: number[][] };
    readonly ci?: GoldenInterval[];
  }[];
}

const { cases } = readGolden('01-gms.json') as Golden;

describe('the width of a duet', () => {
  it.each(cases.filter(({ ci }) => ci !== undefined))('is that of the reference interval for $id', (golden) => {
    for (const { lo, hi, level: confidence, replicates_B: replicates } of golden.ci ?? []) {
      const times = { A: golden.input.y, B: golden.input.x };
      const width = duetWidth(times, { confidence, replicates, random: createRandom(golden.id) });
      expect(Math.abs(width - (hi.mean - lo.mean))).toBeLessThanOrEqual(lo.tol + hi.tol);
    }
  });
});

describe('the variation of a set of runs', () => {
  // The mean of two draws of B is 100, 102 or 104, each extreme in a quarter of the replicates: far beyond the 0.5 % tails.
  const two: SidesOfTimes = { A: [[100], [100]], B: [[100], [104]] };
  const widthOf = (width: 'duet' | 'standard' | 'difference', times = two): number =>
    variationOf(times, { width, replicates: 1000, random: createRandom(1) }).relativeWidth;

  it('has the widths that the papers define', () => {
    expect(widthOf('duet')).toBeCloseTo(0.04, 12); // 1.04 - 1
    expect(widthOf('standard')).toBeCloseTo(4 / 101, 12); // (4 - 0) / mean of 100, 100, 100, 104
    expect(widthOf('difference')).toBeCloseTo(4 / 101, 12);
  });

  it('has the same widths in another unit of time', () => {
    const scaled = {
      A: two.A.map((run) => Array.from(run, (t) => 8 * t)),
      B: two.B.map((run) => Array.from(run, (t) => 8 * t)),
    };
    for (const width of ['duet', 'standard', 'difference'] as const) {
      expect(widthOf(width, scaled)).toBeCloseTo(widthOf(width), 12);
    }
  });

  it('pools the times of a side for its coefficient of variation', () => {
    // 99, 101, 99, 101: squares of the distances from 100 sum to 4, over 3 degrees of freedom.
    const times = {
      A: [
        [99, 101],
        [99, 101],
      ],
      B: [
        [100, 100],
        [100, 100],
      ],
    };
    const found = variationOf(times, { width: 'standard', random: createRandom(1) });
    expect(found.coefficientOfVariation.A).toBeCloseTo(Math.sqrt(4 / 3) / 100, 12);
    expect(found.coefficientOfVariation.B).toBe(0);
    expect(found.relativeWidth).toBe(0);
  });

  it('can be large in the times and small in the result, where both sides vary together', () => {
    const levels = [100, 130, 80, 150, 95, 120];
    const together = { A: levels.map((t) => [t, t + 1]), B: levels.map((t) => [t, t + 1]) };
    const duet = variationOf(together, { width: 'duet', random: createRandom(1) });
    expect(duet.coefficientOfVariation.A).toBeGreaterThan(0.2);
    expect(duet.relativeWidth).toBeLessThan(1e-12);
    expect(widthOf('standard', together)).toBeGreaterThan(0.3);
  });

  it('needs pairs for a duet and takes sides of different lengths for the standard method', () => {
    const uneven = { A: [[100], [101], [99]], B: [[100], [102]] };
    expect(() => widthOf('duet', uneven)).toThrow(RangeError);
    expect(widthOf('standard', uneven)).toBeGreaterThan(0);
  });
});

describe('the triplet of widths', () => {
  /** Ten runs of ten iterations, each disturbed by 10 % and by 0.5 % of its own; `shared`: the 10 % hit both sides. */
  const measure = (options: { readonly seed: number; readonly shared: boolean }): SidesOfTimes => {
    const random = createRandom(options.seed);
    const A: number[][] = [];
    const B: number[][] = [];
    for (let r = 0; r < 10; r++) {
      const pairs = Array.from({ length: 10 }, () => {
        const one = Math.exp(0.1 * random.normal());
        const other = options.shared ? one : Math.exp(0.1 * random.normal());
        return [100 * one * (1 + 0.005 * random.normal()), 100 * other * (1 + 0.005 * random.normal())];
      });
      A.push(pairs.map((pair) => at(pair, 0)));
      B.push(pairs.map((pair) => at(pair, 1)));
    }
    return { A, B };
  };
  const triplet = (shared: boolean) =>
    widthTriplet(
      { duet: measure({ seed: 1, shared }), sequential: measure({ seed: 2, shared: false }) },
      { replicates: 2000, random: createRandom(3) },
    );

  it('shows where a duet gains: what disturbs both sides is 20 times what does not', () => {
    const { duet, shuffled, standard } = triplet(true);
    expect(shuffled / duet).toBeGreaterThan(8);
    expect(standard / shuffled).toBeGreaterThan(0.5);
    expect(standard / shuffled).toBeLessThan(2);
  });

  it('shows no gain where nothing is shared', () => {
    const { duet, shuffled } = triplet(false);
    expect(shuffled / duet).toBeGreaterThan(0.5);
    expect(shuffled / duet).toBeLessThan(2);
  });
});

describe('the improvement over benchmarks', () => {
  it('is the geometric mean of the reductions', () => {
    const found = improvement([
      { duet: 0.01, shuffled: 0.04, standard: 0.04 },
      { duet: 0.01, shuffled: 0.0225, standard: 0.09 },
    ]);
    expect(found.duet).toBeCloseTo(6, 12); // root of 4 * 9
    expect(found.shuffled).toBeCloseTo(2, 12); // root of 1 * 4
    expect(found).toMatchObject({ benchmarks: 2, leftOut: 0 });
  });

  // Table 1 of ICPE'20: the reductions on its platforms and the average that it prints, both rounded.
  it.each([
    { suite: 'ScalaBench', reductions: [2.3, 3.86, 9.13, 3.99, 12.5, 3.97], printed: 5.03, rounding: 0.02 },
    { suite: 'SPEC CPU 2017', reductions: [26.6, 82.4, 23.8], printed: 37.4, rounding: 0.05 },
  ])('averages as the published table does for $suite', ({ reductions, printed, rounding }) => {
    const found = improvement(reductions.map((standard) => ({ duet: 1, shuffled: 1, standard })));
    expect(Math.abs((found.duet ?? 0) - printed)).toBeLessThan(rounding);
  });

  it('leaves out and counts what has no ratio', () => {
    const point = { duet: 0, shuffled: 0.1, standard: 0.1 };
    expect(improvement([point, { duet: 0.1, shuffled: 0.1, standard: 0.2 }])).toMatchObject({
      benchmarks: 1,
      leftOut: 1,
    });
    expect(improvement([point])).toEqual({ duet: null, shuffled: null, benchmarks: 0, leftOut: 1 });
  });
});
