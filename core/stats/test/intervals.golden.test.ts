import { describe, expect, test } from 'vitest';
import {
  createRandom,
  expandedPercentileInterval,
  fiellerSet,
  hierarchicalBootstrap,
  mean,
  percentileInterval,
  ratioOfMeansSet,
  ratioReplicates,
  welchTTest,
  wilsonInterval,
} from '../src/index.ts';
import { close, closeOnAverage, golden } from './golden.ts';

const file = golden('05-intervals');

describe('05: Welch and pooled t test', () => {
  for (const c of file.welch) {
    test(c.id, () => {
      const { x, y } = c.input;
      const e = c.expected;
      // Values far from 0 have lost the digits that their differences would need.
      const largest = Math.max(...[...x, ...y].map(Math.abs));
      const tolerance = Math.max(1e-9, (16 * Number.EPSILON * largest) / e.se);

      function check(ours: ReturnType<typeof welchTTest>, theirs: typeof e): void {
        close(ours.t, theirs.t, tolerance, 1e-12, 't');
        close(ours.df, theirs.df, tolerance, 0, 'df');
        close(ours.p, theirs.p_two_sided, Math.max(tolerance, 1e-8), 0, 'p');
      }

      const welch = welchTTest(x, y);
      check(welch, e);
      close(welch.difference, e.diff, tolerance, tolerance * e.se, 'difference');
      close(welch.standardError, e.se, tolerance, 0, 'standard error');
      check(welchTTest(x, y, { variances: 'pooled' }), e.pooled);
      for (const [theirs, variances] of [
        [e, 'separate'],
        [e.pooled, 'pooled'],
      ] as const) {
        const intervals = Object.keys(theirs).filter((key) => key.startsWith('diff_ci'));
        expect(intervals.length).toBeGreaterThan(0);
        for (const key of intervals) {
          const level = Number(key.slice('diff_ci'.length)) / 100;
          const { interval } = welchTTest(x, y, { variances, level });
          close(interval.low, theirs[key][0], 0, tolerance * e.se, `${variances} ${key} low`);
          close(interval.high, theirs[key][1], 0, tolerance * e.se, `${variances} ${key} high`);
        }
      }
    });
  }
});

describe('05: Wilson interval', () => {
  for (const c of file.wilson) {
    test(`${c.input.successes} of ${c.input.trials}`, () => {
      const { successes, trials } = c.input;
      const expected = Object.entries<number[]>(c.expected).filter(([key]) => key.startsWith('wilson_'));
      expect(expected.length).toBeGreaterThan(0);
      for (const [key, ends] of expected) {
        const level = Number(key.split('_').at(-1)) / 100;
        const interval = wilsonInterval(successes, trials, { level, continuity: key.includes('continuity') });
        close(interval.low, ends[0]!, 0, 1e-12, `${key} low`);
        close(interval.high, ends[1]!, 0, 1e-12, `${key} high`);
      }
    });
  }
});

describe("05: Fieller's theorem", () => {
  const variants: Record<string, 'normal' | 'pooled' | 'welch' | 'paired'> = {
    normal: 'normal',
    'pooled-df': 'pooled',
    'welch-df': 'welch',
    paired: 'paired',
  };
  for (const c of file.fieller) {
    test(c.id, () => {
      const e = c.expected;
      const ours = fiellerSet(c.input.x, c.input.y, { level: c.input.level, variant: variants[c.input.variant]! });
      close(ours.ratio, e.ratio, 1e-9, 0, 'ratio');
      close(ours.df, e.df, 1e-9, 0, 'df');
      expect(ours.kind).toBe(e.kind === 'all-reals' ? 'all' : e.kind);
      if (e.kind === 'all-reals') return;
      close(ours.low, e.kind === 'interval' ? e.lo : e.excluded_lo, 1e-9, 0, 'low');
      close(ours.high, e.kind === 'interval' ? e.hi : e.excluded_hi, 1e-9, 0, 'high');
    });
  }
});

describe('05: Kalibera and Jones', () => {
  for (const c of file.kalibera_jones_ratio) {
    test(c.id, () => {
      const i = c.input;
      const ours = ratioOfMeansSet(
        { mean: i.mean_new, halfWidth: i.half_width_new },
        { mean: i.mean_old, halfWidth: i.half_width_old },
      );
      close(ours.ratio, c.expected.ratio, 1e-12, 0, 'ratio');
      close(ours.low, c.expected.lo, 1e-12, 0, 'low');
      close(ours.high, c.expected.hi, 1e-12, 0, 'high');
    });
  }
});

describe('05: hierarchical bootstrap of ratio and difference', () => {
  for (const c of file.hierarchical_bootstrap) {
    test(c.id, () => {
      const { x, y } = c.input;
      const e = c.expected;
      close(mean(x.flat()) / mean(y.flat()), e.ratio_of_means, 1e-12, 0, 'ratio');
      const intervalsOf = Object.keys(e).flatMap((key) => {
        const [, kind, percent] = /^(ratio|difference)_ci(\d+(?:\.\d+)?)$/.exec(key) ?? [];
        return kind === undefined
          ? []
          : [{ kind: kind as 'ratio' | 'difference', level: Number(percent) / 100, theirs: e[key] }];
      });
      expect(intervalsOf.length).toBeGreaterThan(0);
      const [replicates = 0, ...others] = new Set<number>(intervalsOf.map(({ theirs }) => theirs.replicates_B));
      expect(others).toEqual([]);
      const draws = Array.from({ length: 6 }, (_, i) => {
        const options = { replicates, weights: 'pooled' as const };
        const above = hierarchicalBootstrap(x, { ...options, random: createRandom(`${c.id} above ${i}`) });
        const below = hierarchicalBootstrap(y, { ...options, random: createRandom(`${c.id} below ${i}`) });
        return { ratio: ratioReplicates(above, below), difference: above.map((v, i) => v - below[i]!) };
      });
      for (const { kind, level, theirs } of intervalsOf) {
        const intervals = draws.map((draw) => percentileInterval(draw[kind], level));
        closeOnAverage(
          intervals.map((i) => i.low),
          theirs.lo,
          `${kind} low ${level}`,
        );
        closeOnAverage(
          intervals.map((i) => i.high),
          theirs.hi,
          `${kind} high ${level}`,
        );
      }
    });
  }
});

describe('09: two-stage and three-stage bootstrap', () => {
  for (const c of golden('09-expanded-percentile').hierarchical) {
    const runs: number[][][] = c.input.x;
    for (const [name, sample] of [
      ['segment_ignorant_two_stage', runs.map((run) => run.flat())],
      ['segment_aware_three_stage', runs],
    ] as const) {
      test(`${c.id}: ${name}`, () => {
        const e = c.expected[name];
        // A stream of its own for each: children of one parent that split themselves would share their parts.
        const draws = Array.from({ length: 4 }, (_, i) =>
          hierarchicalBootstrap(sample, {
            replicates: e.expanded.replicates_B,
            random: createRandom(`${c.id} ${name} ${i}`),
          }),
        );
        const expanded = draws.map((draw) => expandedPercentileInterval(draw, e.expanded.level, e.expanded.n));
        closeOnAverage(
          expanded.map((i) => i.low),
          e.expanded.lo,
          'expanded low',
        );
        closeOnAverage(
          expanded.map((i) => i.high),
          e.expanded.hi,
          'expanded high',
        );
        const plain = draws.map((draw) => percentileInterval(draw, e.plain_percentile.level));
        closeOnAverage(
          plain.map((i) => i.low),
          e.plain_percentile.lo,
          'plain low',
        );
        closeOnAverage(
          plain.map((i) => i.high),
          e.plain_percentile.hi,
          'plain high',
        );
      });
    }
  }
});
