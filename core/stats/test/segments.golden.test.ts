import { describe, expect, test } from 'vitest';
import { mean, meanInterval, varianceComponents, variance } from '../src/index.ts';
import { close, golden } from './golden.ts';

describe('08: variance components', () => {
  for (const c of golden('08-segments').cases) {
    test(c.id, () => {
      const runs: number[][][] = c.input.x;
      const e = c.expected;
      // A common offset of 100 000 times the spread costs digits that no summation brings back.
      const all = runs.flat(2);
      const range = Math.max(...all) - Math.min(...all);
      const offset = range > 0 && Math.max(...all.map(Math.abs)) > 1e5 * range;
      const relative = offset ? 1e-5 : 1e-9;
      const ours = varianceComponents(runs);
      const zero = 1e-13 * e.segments.grand_mean ** 2;

      function checkVariance(value: number | null, truth: number | null, what: string): void {
        if (truth === null) expect({ [what]: value }).toEqual({ [what]: null });
        else close(value!, truth, relative, zero, what);
      }

      function checkIntervals(centre: number, spread: number, ci: Record<string, number[]>): void {
        for (const [name, ends] of Object.entries(ci)) {
          const level = Number(name.split('_')[1]);
          const df = name.startsWith('t_') ? runs.length - 1 : Infinity;
          const interval = meanInterval({ mean: centre, variance: spread, df, level });
          const half = Math.abs(ends[1]! - ends[0]!) / 2;
          const tolerance = (offset ? 1e-4 : 1e-8) * half + 1e-12 * Math.abs(centre);
          close(interval.low, ends[0]!, 0, tolerance, `${name} low`);
          close(interval.high, ends[1]!, 0, tolerance, `${name} high`);
        }
      }

      expect([ours.runs, ours.segments, ours.measurements]).toEqual([e.N_R, e.N_S, e.N_M]);
      close(ours.grandMean, e.segments.grand_mean, 1e-12, 0, 'grand mean');
      ours.runMeans.forEach((value, r) => close(value, e.segments.run_means[r], 1e-12, 0, `run ${r}`));
      ours.segmentMeans.forEach((list, r) =>
        list.forEach((value, s) => close(value, e.segments.segment_means[r][s], 1e-12, 0, `segment ${r}, ${s}`)),
      );
      checkVariance(ours.measurementVariance, e.segments.var_B, 'Var(B)');
      checkVariance(ours.segmentVarianceRaw, e.segments.var_S_raw, 'raw Var(S)');
      // Where Var(S) cannot be estimated the file writes 0 or null for the capped value; later formulas use 0.
      if (e.segments.var_S_raw !== null) checkVariance(ours.segmentVariance, e.segments.var_S, 'Var(S)');
      checkVariance(ours.runMeanVariance, e.segments.var_of_run_means ?? null, 'variance of run means');
      const seven = e.segments.eq7_consistent_with_eq3;
      if (seven) {
        checkVariance(ours.runVarianceRaw, seven.var_R_raw, 'raw Var(R)');
        checkVariance(ours.runVariance, seven.var_R, 'Var(R)');
        checkVariance(ours.grandMeanVariance, seven.var_grand_mean_exact_weights, 'Var(mean)');
        checkVariance(ours.grandMeanVarianceAverageCounts, seven.var_grand_mean_average_counts, 'Var(mean), average');
        checkIntervals(ours.grandMean, ours.grandMeanVariance!, seven.ci_exact_weights);
      } else {
        expect(ours.grandMeanVariance).toBeNull();
      }
      // Runs only: every measurement of a run counts the same.
      const runMeans = runs.map((run) => mean(run.flat()));
      runMeans.forEach((value, r) => close(value, e.run_only.run_means[r], 1e-12, 0, `plain run ${r}`));
      close(mean(runMeans), e.run_only.grand_mean, 1e-12, 0, 'plain grand mean');
      if (runs.length > 1) {
        const spread = variance(runMeans) / runs.length;
        checkVariance(spread, e.run_only.var_grand_mean, 'plain Var(mean)');
        checkIntervals(mean(runMeans), spread, e.run_only.ci);
      }
    });
  }
});
