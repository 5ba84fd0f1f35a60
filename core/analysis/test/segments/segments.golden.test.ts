import { createRandom, type FlatSample } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { grandMean, segmentInterval } from '../../src/segments/segment-interval.ts';
import { readGolden, type GoldenInterval } from '../helpers/golden.ts';

type Nested = readonly (readonly (readonly number[])[])[];

/** Ends of intervals by `normal_LEVEL` and `t_LEVEL`. */
type Ends = Readonly<Record<string, readonly [number, number]>>;

interface Components {
  readonly cases: readonly {
    readonly id: string;
    readonly input: { readonly x: Nested };
    readonly expected: {
      readonly run_only: { readonly grand_mean: number; readonly var_grand_mean: number | null; readonly ci: Ends };
      readonly segments: {
        readonly grand_mean: number;
        readonly eq7_consistent_with_eq3?: {
          readonly var_grand_mean_exact_weights: number;
          readonly ci_exact_weights: Ends;
        };
      };
    };
  }[];
}

interface Resampled {
  readonly hierarchical: readonly {
    readonly id: string;
    readonly input: { readonly x: Nested };
    readonly expected: Readonly<
      Record<'segment_ignorant_two_stage' | 'segment_aware_three_stage', { readonly expanded: GoldenInterval }>
    >;
  }[];
}

const flat = (runs: Nested): FlatSample => {
  const starts = (lengths: readonly number[]): Int32Array => {
    const out = [0];
    for (const length of lengths) out.push(out.at(-1)! + length);
    return Int32Array.from(out);
  };
  return {
    values: Float64Array.from(runs.flat(2)),
    offsets: [starts(runs.map((run) => run.length)), starts(runs.flat().map((segment) => segment.length))],
  };
};

const close = (actual: number, expected: number, tolerance: number): void => {
  expect(Math.abs(actual - expected), `${actual} instead of ${expected}`).toBeLessThanOrEqual(tolerance);
};

describe('08: intervals with and without segments', () => {
  it.each((readGolden('08-segments.json') as Components).cases)('$id', ({ input, expected }) => {
    const sample = flat(input.x);
    const range = Math.max(...sample.values) - Math.min(...sample.values);
    // A common offset of 100 000 times the spread costs digits that no summation brings back.
    const offset = range > 0 && Math.abs(sample.values[0]!) > 1e5 * range;
    const aware = expected.segments.eq7_consistent_with_eq3;
    for (const [segments, theirMean, theirVariance, ci] of [
      ['ignorant', expected.run_only.grand_mean, expected.run_only.var_grand_mean, expected.run_only.ci],
      [
        'aware',
        expected.segments.grand_mean,
        aware?.var_grand_mean_exact_weights ?? null,
        aware?.ci_exact_weights ?? {},
      ],
    ] as const) {
      const ours = grandMean(sample, segments);
      close(ours.mean, theirMean, 1e-12 * Math.abs(theirMean));
      if (theirVariance === null) {
        expect(ours.variance).toBeNull();
        expect(() => segmentInterval(sample, { segments, kind: 't' }, { random: createRandom(1) })).toThrow(/one run/);
        continue;
      }
      close(ours.variance!, theirVariance, (offset ? 1e-5 : 1e-9) * theirVariance + 1e-13 * theirMean ** 2);
      expect(Object.keys(ci)).not.toHaveLength(0);
      for (const [name, [low, high]] of Object.entries(ci)) {
        const [quantile, level] = name.split('_');
        const kind = quantile === 't' ? 't' : 'normal';
        const found = segmentInterval(
          sample,
          { segments, kind },
          { confidence: Number(level), random: createRandom(1) },
        );
        const tolerance = (offset ? 1e-4 : 1e-8) * Math.abs(high - low) + 1e-12 * Math.abs(theirMean);
        close(found.low, low, tolerance);
        close(found.high, high, tolerance);
      }
    }
  });
});

describe('09: resampling in two and three stages', () => {
  it.each((readGolden('09-expanded-percentile.json') as Resampled).hierarchical)('$id', ({ id, input, expected }) => {
    const sample = flat(input.x);
    for (const [segments, { expanded }] of [
      ['ignorant', expected.segment_ignorant_two_stage],
      ['aware', expected.segment_aware_three_stage],
    ] as const) {
      const { low, high } = segmentInterval(
        sample,
        { segments, kind: 'resampling' },
        { confidence: expanded.level, replicates: expanded.replicates_B, random: createRandom(`${id} ${segments}`) },
      );
      close(low, expanded.lo.mean, expanded.lo.tol);
      close(high, expanded.hi.mean, expanded.hi.tol);
    }
  });
});
