import { describe, expect, test } from 'vitest';
import { bootstrap, createRandom, geometricMean, percentileInterval } from '../src/index.ts';
import { close, closeOnAverage, golden } from './golden.ts';

describe('01: grand geometric mean of paired ratios', () => {
  for (const c of golden('01-gms').cases) {
    const runs: number[] = c.input.x.map((run: number[], r: number) =>
      geometricMean(run.map((value, i) => value / c.input.y[r][i])),
    );
    test(`${c.id}: means`, () => {
      expect(runs).toHaveLength(c.expected.gms_r.length);
      runs.forEach((value, r) => close(value, c.expected.gms_r[r], 1e-12, 0, `run ${r}`));
      close(geometricMean(runs), c.expected.gms, 1e-12, 0, 'grand mean');
    });
    for (const ci of c.ci ?? []) {
      test(`${c.id}: percentile interval at ${ci.level}`, () => {
        const random = createRandom(`gms ${c.id} ${ci.level}`);
        const intervals = Array.from({ length: 8 }, () =>
          percentileInterval(bootstrap(runs, geometricMean, { replicates: ci.replicates_B, random }), ci.level),
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
        const straddles: boolean | null | undefined = c.expected[`straddles_1_at_${ci.level}`];
        if (straddles != null) expect(intervals[0]!.low <= 1 && intervals[0]!.high >= 1).toBe(straddles);
      });
    }
  }
});
