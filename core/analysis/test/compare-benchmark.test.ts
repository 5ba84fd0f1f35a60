import * as fc from 'fast-check';
import {
  reportSchema,
  configOf,
  type Comparison,
  type ExperimentConfig,
  type IterationColumns,
  type Side,
  type Trial,
} from '@deadheat/model';
import { createRandom, mean } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { AnalysisError } from '../src/analysis-error.ts';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { aBenchmark, aConfig, aSide, aTrial, iterationsOf, trialsOf } from './helpers/recordings.ts';
import { at } from '../src/internal/lists.ts';

const compare = (trials: readonly Trial[], changes: Partial<ExperimentConfig> = {}): Comparison =>
  compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(), config: aConfig(changes) });

const codes = (comparison: Comparison): string[] => comparison.warnings.map(({ code }) => code);

/** Pairs of one execution: noise of 5 % that both sides share, 1 % of their own, B longer by `slowdown`. */
const noisyRuns = (runs: number, { slowdown, seed }: { slowdown: number; seed: number }) => {
  const random = createRandom(seed);
  const shared = Array.from({ length: runs }, () => 2e7 * Math.exp(0.05 * random.normal()));
  const times = (factor: number) => shared.map((base) => [factor * base * Math.exp(0.01 * random.normal())]);
  return { A: times(1), B: times(1 + slowdown) };
};

/** Ten times as long as the iterations that a recording holds, which are whole nanoseconds. */
const tenfold = (side: number[][]) => side.map((run) => run.map((time) => 10 * Math.round(time)));

const meanOf = (side: number[][]) => mean(side.flat().map((time) => Math.round(time)));

const meanLogRatio = ({ A, B }: { A: number[][]; B: number[][] }) =>
  mean(A.flat().map((time, r) => Math.log(Math.round(at(B.flat(), r)) / Math.round(time))));

const repeated = (times: readonly number[], runs: number): number[][] => Array.from({ length: runs }, () => [...times]);

/** A time that differs a little from run to run, as that of a clock with enough digits does. */
const stirred = (time: number, run: number): number => time + ((run * 7) % 5) * 10;

describe('the comparison of a duet of commands', () => {
  const { A, B } = noisyRuns(40, { slowdown: 0.05, seed: 11 });
  const comparison = compare(trialsOf(A, B));

  it('is complete by the schema', () => {
    expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
  });

  it('finds the slowdown, and says from what', () => {
    expect(comparison).toMatchObject({
      verdict: 'slower',
      method: 'sync-duet',
      metric: 'time',
      runs: 40,
      pairs: 40,
      iterationsPerRun: 1,
      resampled: { unit: 'run', count: 40 },
      discarded: { warmup: 0, outliers: 0, unpaired: 0 },
      outlook: null,
      otherMetrics: [],
      warnings: [],
    });
    expect(comparison.interval).toMatchObject({ level: 0.99, kind: 'side-and-core', replicates: 0 });
    expect(comparison.interval.low).toBeLessThan(1.05);
    expect(comparison.interval.high).toBeGreaterThan(1.05);
    // 5 % of 20 ms
    expect(comparison.difference.lowNs).toBeLessThan(1e6);
    expect(comparison.difference.highNs).toBeGreaterThan(1e6);
  });

  it('shows the ratio of total times beside it, and decides by the geometric mean of the pairs where asked to', () => {
    expect(comparison.total?.estimate).toBeCloseTo(meanOf(B) / meanOf(A), 12);
    const asked = compare(trialsOf(A, B), { interval: 'expanded' });
    expect(asked.interval.estimate).toBeCloseTo(Math.exp(meanLogRatio({ A, B })), 12);
    expect(asked.interval).toMatchObject({ kind: 'expanded-percentile', replicates: 10_000 });
    expect(asked).toMatchObject({ rankInterval: null, resampled: { unit: 'traded-block', count: 20 } });
  });

  it('tells what it could have seen and what the pairs gained', () => {
    // Pairs scatter by sqrt(2) * 1 %, blocks of two by 1 %, give or take a third with 20 blocks: standard error 0.22 %. At
    // 99 % and a power of 80 % it takes t(0.995) + t(0.8) = 2.86 + 0.86 of them with 19 degrees of freedom: 0.83 %.
    expect(comparison.minimalDetectableSlowdown).toBeGreaterThan(0.005);
    expect(comparison.minimalDetectableSlowdown).toBeLessThan(0.012);
    // Without pairs log ratios scatter by sqrt(2) * 5.1 % instead of sqrt(2) * 1 %.
    expect(comparison.pairingGain).toBeGreaterThan(3);
    expect(comparison.pairingGain).toBeLessThan(8);
  });

  it('adds up what it cost, on two cores', () => {
    expect(comparison.time).toEqual({ wallNs: 40 * 50e6, machineNs: 80 * 50e6 });
  });

  it('does not depend on the order of the trials', () => {
    expect(compare(trialsOf(A, B).toReversed())).toEqual(comparison);
  });

  it('keeps a run that lost its partner at the weight of one run', () => {
    const odd = compare(trialsOf(A.slice(0, 21), B.slice(0, 21)), { interval: 'expanded' });
    expect(odd.resampled).toEqual({ unit: 'traded-block', count: 11 });
    expect(odd.interval.estimate).toBeCloseTo(Math.exp(meanLogRatio({ A: A.slice(0, 21), B: B.slice(0, 21) })), 12);
  });
});

describe('the ratio', () => {
  const noise = fc.record({ seed: fc.nat(1e6), slowdown: fc.double({ min: 0, max: 0.5, noNaN: true }) });
  const few = { replicates: 200 };

  it('turns into its reciprocal, and the verdict round, when the sides change places', () => {
    fc.assert(
      fc.property(noise, (facts) => {
        const { A, B } = noisyRuns(12, facts);
        const one = compare(trialsOf(A, B), few);
        const other = compare(trialsOf(B, A), few);
        expect(other.interval.estimate).toBeCloseTo(1 / one.interval.estimate, 12);
        expect(other.interval.low).toBeCloseTo(1 / one.interval.high, 10);
        expect(other.verdict).toBe(
          one.verdict === 'slower' ? 'faster' : one.verdict === 'faster' ? 'slower' : one.verdict,
        );
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it('stays when both sides take ten times as long', () => {
    fc.assert(
      fc.property(noise, (facts) => {
        const { A, B } = noisyRuns(12, facts);
        const one = compare(trialsOf(A, B), few);
        const other = compare(trialsOf(tenfold(A), tenfold(B)), few);
        expect(other.interval.low).toBeCloseTo(one.interval.low, 12);
        expect(other.interval.high).toBeCloseTo(one.interval.high, 12);
      }),
      { seed: 2, numRuns: 30 },
    );
  });
});

describe('what does not count', () => {
  const times = repeated([10e6], 12);

  it('are warm-up runs, warm-up iterations and failed runs', () => {
    const trials = trialsOf(times, times);
    const warm = aTrial({ phase: 'warmup', sides: at(trials, 0).sides });
    const failed = aTrial({ run: 12, status: 'failed', sides: at(trials, 0).sides });
    const comparison = compare([warm, ...trials, failed]);
    expect(comparison).toMatchObject({ runs: 12, discarded: { warmup: 1 } });
    expect(codes(comparison)).toContain('FAILED_RUNS_IGNORED');
    expect(at(comparison.warnings, 0).message).toContain('1 of 13 runs failed');

    const side = aSide(
      iterationsOf([90e6, 10e6, 10e6]).map((iteration) =>
        iteration.i === 0 ? { ...iteration, p: 'warmup' } : iteration,
      ),
    );
    const iterated = compare([0, 1, 2].map((run) => aTrial({ run, sides: { A: side, B: side } })));
    expect(iterated).toMatchObject({ pairs: 6, iterationsPerRun: 2, discarded: { warmup: 3, unpaired: 0 } });
  });

  it('is no failure that was allowed, which is told where the sides do not fail alike', () => {
    const ending = (statuses: readonly (number | null)[], side: Side): readonly Trial[] =>
      trialsOf(times, times).map((trial, run) => ({
        ...trial,
        sides: { ...trial.sides, [side]: { ...trial.sides[side], exitCode: statuses[run % statuses.length] ?? null } },
      }));
    const allowed = { ignoreFailure: true };
    const differing = compare(ending([0, 3], 'B'), allowed);
    expect(differing.runs).toBe(12);
    expect(differing.warnings.find(({ code }) => code === 'NONZERO_EXIT')?.message).toMatch(
      /^A ended with status 0, B with status 0 in 6 of its runs and 3 in 6;/,
    );
    expect(codes(compare(ending([3], 'A'), allowed))).toContain('NONZERO_EXIT');
    const both = ending([1], 'A').map(({ sides: { A }, ...trial }) => ({ ...trial, sides: { A, B: A } }));
    for (const alike of [trialsOf(times, times), ending([null], 'B'), both]) {
      expect(codes(compare(alike, allowed))).not.toContain('NONZERO_EXIT');
    }
  });

  it('are iterations without a partner', () => {
    const comparison = compare(trialsOf(repeated([10e6, 10e6, 10e6], 4), repeated([10e6, 10e6], 4)));
    expect(comparison).toMatchObject({ pairs: 8, discarded: { unpaired: 4 } });
  });

  it('is the distance of an outlier in a run of at least four iterations', () => {
    // 90 lies 78 away from the others' range 10..12; it counts as 12, so B / A = 1 in every pair.
    const A = repeated([10e6, 12e6, 10e6, 12e6], 4);
    const B = [[10e6, 12e6, 10e6, 90e6], ...A.slice(1)];
    const comparison = compare(trialsOf(A, B));
    expect(comparison.interval.estimate).toBeCloseTo(1, 12);
    expect(comparison.discarded.outliers).toBe(1);
    expect(comparison.sides.B.max).toBe(0.09);
    const short = compare(trialsOf(repeated([10e6, 11e6, 12e6], 4), repeated([10e6, 11e6, 90e6], 4)));
    expect(short.discarded.outliers).toBe(0);
  });

  it('ends in an error when fewer than two runs are left', () => {
    const one = trialsOf(times, times).slice(0, 1);
    expect(() => compare(one)).toThrow(AnalysisError);
    expect(() => compare(one)).toThrow('loop: 1 usable runs of sync-duet; a comparison needs at least 2');
  });

  it('says so when nothing overlapped, with the parameters', () => {
    const apart = Array.from({ length: 3 }, (_, run) => {
      const [a, b] = [iterationsOf([10e6], { startNs: 1e9 }), iterationsOf([10e6], { startNs: 2e9 })];
      return aTrial({ run, method: 'async-duet', sides: { A: aSide(a), B: aSide(b) } });
    });
    const benchmark = aBenchmark({ params: { n: '1' } });
    const config = aConfig({ method: 'async-duet', minimumOverlapRate: 0.4 });
    expect(() => compareBenchmark({ runs: measuredRuns(apart), benchmark, config })).toThrow(
      'loop (n = 1): 0 usable runs of async-duet (in 3 no iteration of A overlapped one of B by a rate of more than 0.4); ' +
        'a comparison needs at least 2, so it is not compared: give a run more iterations (--iterations) or longer ones, or ' +
        'use sync-duet, which starts both together',
    );
  });
});

describe('the deciding metric', () => {
  // Every second execution of A was kept waiting for as long as it worked.
  const disturbed = Array.from({ length: 20 }, (_, run) => {
    const a = { i: 0, s: 0, e: run % 2 === 0 ? 20_000_300 : 40_000_600, c: 20_000_300 };
    const b = { i: 0, s: 0, e: 22_000_330, c: 22_000_330 };
    return aTrial({ run, sides: { A: aSide([a], { cpu: run % 2 }), B: aSide([b], { cpu: 1 - (run % 2) }) } });
  });

  it('is CPU time for CPU-bound sides, with wall time beside it, and a contradiction is told', () => {
    const comparison = compare(disturbed, { metric: 'auto' });
    expect(comparison.metric).toBe('cpu');
    expect(comparison.interval.estimate).toBeCloseTo(1.1, 12);
    expect(comparison.verdict).toBe('slower');
    // Wall time: ratios 1.1 and 0.55, their geometric mean 0.778 in every block.
    expect(comparison.otherMetrics).toMatchObject([{ metric: 'time', verdict: 'faster' }]);
    expect(at(comparison.otherMetrics, 0).interval.estimate).toBeCloseTo(Math.sqrt(1.1 * 0.55), 12);
    expect(codes(comparison)).toContain('METRICS_DISAGREE');
  });

  it('is wall time when asked, with CPU time beside it', () => {
    const comparison = compare(disturbed, { metric: 'time' });
    expect(comparison.metric).toBe('time');
    expect(comparison.otherMetrics.map(({ metric }) => metric)).toEqual(['cpu']);
  });

  it('is wall time with a warning where CPU time was asked for and is missing', () => {
    const times = repeated([10e6], 20);
    const comparison = compare(
      trialsOf(
        times,
        times.map(([time], run) => [stirred(time!, run)]),
      ),
      { metric: 'cpu' },
    );
    expect(comparison.metric).toBe('time');
    expect(codes(comparison)).toEqual(['METRIC_UNAVAILABLE']);
  });
});

describe('warnings', () => {
  it('name the run that is far off and keep it', () => {
    const { A, B } = noisyRuns(30, { slowdown: 0, seed: 3 });
    B[7] = [3 * at(at(B, 7), 0)];
    const comparison = compare(trialsOf(A, B));
    expect(comparison.warnings).toMatchObject([{ code: 'RUN_FAR_OFF' }]);
    expect(at(comparison.warnings, 0).message).toMatch(
      /^some runs are more than 5 robust standard deviations from the median ratio: 6 and 7;/,
    );
    expect(comparison.pairs).toBe(30);
    expect(at(compare(trialsOf(A, B), { swap: 'never' }).warnings, 0).message).toMatch(/^run 7 is more than/);
  });

  it('tell of few runs, and of the interval that stands in', () => {
    const { A, B } = noisyRuns(5, { slowdown: 0, seed: 4 });
    const comparison = compare(trialsOf(A, B));
    expect(comparison.resampled).toEqual({ unit: 'run', count: 5 });
    expect(comparison.interval).toMatchObject({ kind: 't', replicates: 0 });
    expect(codes(comparison)).toEqual(['FEW_RUNS']);
    expect(at(comparison.warnings, 0).message).toContain('a t interval');
    const chosen = compare(trialsOf(A, B), { interval: 'percentile' });
    expect(chosen.interval.kind).toBe('percentile');
    expect(at(chosen.warnings, 0).message).toContain('the interval is rough');
  });

  it('advise as many runs as blocks of two need where the cores wander', () => {
    const A = repeated([2e7, 2e7], 10);
    const B = A.map((run, r) => run.map((time) => time * Math.exp((r % 2 === 0 ? 0.02 : -0.02) * (r + 1))));
    const comparison = compare(trialsOf(A, B), { margin: 0.9 });
    expect(comparison.verdict).toBe('dead-heat');
    expect(comparison.resampled).toEqual({ unit: 'traded-block', count: 5 });
    expect(comparison.warnings.find(({ code }) => code === 'FEW_RUNS')?.message).toMatch(
      /^only 10 runs .*\(--runs 20\)$/,
    );
  });

  it('tell of commands that are mostly process start', () => {
    const times = repeated([0.5e6], 20);
    const comparison = compare(
      trialsOf(
        times,
        times.map(([time], run) => [stirred(time!, run)]),
      ),
    );
    expect(codes(comparison)).toEqual(['VERY_SHORT']);
    expect(at(comparison.warnings, 0).message).toContain('0.500 ms');
  });
});

describe('times that repeat exactly', () => {
  const coarse = (
    A: number,
    B: number,
    { runs, ...changes }: { runs: number } & Partial<ExperimentConfig>,
  ): Comparison => compare(trialsOf(repeated([A], runs), repeated([B], runs)), { metric: 'time', ...changes });

  it.each([
    { runs: 2, method: 'sequential' },
    { runs: 20, method: 'sequential' },
    { runs: 20, method: 'sync-duet' },
    { runs: 20, method: 'sync-duet', interval: 'expanded' },
    { runs: 20, method: 'sync-duet', judge: 'total' },
    { runs: 40, method: 'sync-duet', stop: { kind: 'decided', minRuns: 5, maxRuns: 40 } },
  ] as const)('say no more than their step: %o', (changes) => {
    const comparison = coarse(12e6, 13e6, changes);
    expect(comparison.verdict).toBe('undecided');
    // 12.5 ms may have been rounded to either.
    expect(comparison.interval.low).toBeLessThanOrEqual(1);
    expect(comparison.interval.high).toBeGreaterThan(13.5 / 12);
    expect(comparison.outlook).toBeNull();
    expect(comparison.warnings.find(({ code }) => code === 'COARSE_CLOCK')?.message).toContain('steps of 1 ms');
    expect(coarse(12e6, 12e6, changes).verdict).toBe('undecided');
  });

  it('show what is larger than their step', () => {
    expect(coarse(12_000_000, 12_600_001, { runs: 20 })).toMatchObject({ verdict: 'slower' });
    expect(coarse(12_000_000, 12_000_001, { runs: 20 })).toMatchObject({ verdict: 'dead-heat' });
  });
});

describe('iterations of several invocations', () => {
  // 10 ms with n invocations in A; B does 11 ms for as many, so 1.1 times the time of each.
  const withCounts = (
    countsA: readonly number[],
    countsB: readonly number[],
    timeOfB: (run: number) => number = () => 1.1e6,
  ): Trial[] =>
    Array.from({ length: 12 }, (_, run) => {
      const side = (counts: readonly number[], time: number) =>
        aSide(iterationsOf(counts.map((n) => n * time)).map((iteration, i) => ({ ...iteration, n: at(counts, i) })));
      return aTrial({ run, sides: { A: side(countsA, 1e6), B: side(countsB, timeOfB(run)) } });
    });

  const stirredB = (run: number): number => stirred(1.1e6, run);

  it('are compared by the invocation when the sides hold different numbers, which is told', () => {
    const comparison = compare(withCounts([10, 10], [20, 20]));
    expect(comparison.interval.estimate).toBeCloseTo(1.1, 12);
    expect(comparison.warnings).toMatchObject([{ code: 'INVOCATIONS_DIFFER' }, { code: 'COARSE_CLOCK' }]);
    expect(at(comparison.warnings, 0).message).toMatch(/10 invocations on side A and 20 on side B/);
    expect(codes(compare(withCounts([10, 10], [1, 1], stirredB)))).toEqual(['INVOCATIONS_DIFFER']);
  });

  it('need no remark when the numbers are equal, or change by themselves', () => {
    expect(codes(compare(withCounts([10, 10], [10, 10], stirredB)))).toEqual([]);
    expect(codes(compare(withCounts([10, 11], [9, 9], stirredB)))).toEqual([]);
  });
});

describe('a margin', () => {
  it('leaves a wide interval undecided and says how many runs would do', () => {
    const { A, B } = noisyRuns(12, { slowdown: 0.004, seed: 5 });
    const comparison = compare(trialsOf(A, B), { margin: 0.01 });
    expect(comparison.verdict).toBe('undecided');
    const { moreRuns = 0, moreTimeNs = 0 } = comparison.outlook ?? {};
    expect(moreRuns).toBeGreaterThan(0);
    expect(moreRuns % 2).toBe(0);
    expect(moreTimeNs).toBe(moreRuns * 50e6);
  });
});

describe('a margin of time', () => {
  // A takes 1 ms, B 20 us more.
  const A = Array.from({ length: 12 }, (_, run) => [1_000_000 + 100 * (run % 3)]);
  const B = Array.from({ length: 12 }, (_, run) => [1_020_000 + 100 * (run % 4)]);

  it("is its share of A's typical time, and stays as it was given", () => {
    const within = compare(trialsOf(A, B), { marginNs: 50_000 });
    expect(within).toMatchObject({ verdict: 'dead-heat', marginNs: 50_000 });
    expect(within.margin).toBeCloseTo(0.05, 4);
    expect(compare(trialsOf(A, B), { margin: within.margin })).toMatchObject({ pValues: within.pValues });
    expect(compare(trialsOf(A, B), { marginNs: 10_000 }).verdict).toBe('slower');
  });

  it('says nothing about a resource beside it, and is refused where one decides', () => {
    const trials = trialsOf(A, B).map((trial) => ({
      ...trial,
      sides: {
        A: { ...trial.sides.A, maxRssBytes: 10_000_000 },
        B: { ...trial.sides.B, maxRssBytes: 10_200_000 },
      },
    }));
    const beside = (own: object): unknown =>
      compare(trials, { also: ['rss'], ...own }).otherMetrics.find(({ metric }) => metric === 'rss')?.verdict;
    expect(beside({ margin: 0.05 })).toBe('dead-heat');
    expect(beside({ marginNs: 50_000 })).toBe('slower');
    expect(() => compare(trials, { metric: 'rss', marginNs: 50_000 })).toThrow('the margin is a time, and peak memory');
  });
});

describe('an asynchronous duet', () => {
  // B takes 1.1 times as long as A; each goes on by itself, so B falls behind.
  const trials = Array.from({ length: 12 }, (_, run) => {
    const a = iterationsOf(
      Array.from({ length: 10 }, () => 10e6 + run * 1e5),
      { startNs: 1e9 },
    );
    const b = iterationsOf(
      Array.from({ length: 10 }, () => 11e6 + run * 1.1e5),
      { startNs: 1e9 + 1e6 },
    );
    return aTrial({ run, method: 'async-duet', sides: { A: aSide(a), B: aSide(b) } });
  });
  const comparison = compare(trials, { method: 'async-duet', iterations: 10, confidence: 0.95, replicates: 9999 });

  it('is judged by the pairs that overlap, run by run', () => {
    expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
    expect(comparison).toMatchObject({ method: 'async-duet', runs: 12, verdict: 'slower', iterationsPerRun: 10 });
    expect(comparison.resampled).toEqual({ unit: 'run', count: 12 });
    expect(comparison.pairs).toBeGreaterThan(60);
    expect(comparison.interval.estimate).toBeCloseTo(1.1, 10);
    // B - A is 1 ms in run 0 and 1.11 ms in run 11, 1.055 ms on average.
    expect(comparison.difference.estimateNs).toBeCloseTo(1.055e6, 0);
    expect(comparison.difference.lowNs).toBeLessThan(1.055e6);
    expect(comparison.difference.highNs).toBeGreaterThan(1.055e6);
  });

  it('warns when the sides hardly ran together', () => {
    const apart = Array.from({ length: 12 }, (_, run) => {
      // A runs for 10 ms of every 11; B starts when A has one iteration left.
      const a = iterationsOf(Array.from({ length: 10 }, () => 10e6));
      const b = iterationsOf(
        Array.from({ length: 10 }, () => 10e6),
        { startNs: at(a, 9).s },
      );
      return aTrial({ run, method: 'async-duet', sides: { A: aSide(a), B: aSide(b) } });
    });
    const hardly = compare(apart, { method: 'async-duet', iterations: 10 });
    expect(hardly).toMatchObject({ pairs: 12, discarded: { unpaired: 12 * 18 } });
    // 2 * 10 of 200 ms in every run.
    expect(hardly.warnings).toMatchObject([{ code: 'LOW_OVERLAP' }, { code: 'COARSE_CLOCK' }]);
    expect(at(hardly.warnings, 0).message).toContain('only 10 %');
    // 90 % apart, and 30 % wanted: a run three times as long.
    expect(at(hardly.warnings, 0).message).toContain('--iterations 30');
    expect(hardly).toMatchObject({ verdict: 'undecided', pValues: { slower: 1, faster: 1 }, outlook: null });
  });
});

describe('sequential runs', () => {
  const { A, B } = noisyRuns(40, { slowdown: 0.2, seed: 6 });
  const trials = trialsOf(A, B, { changes: { method: 'sequential' } });

  describe('as two samples', () => {
    const comparison = compare(trials, { method: 'sequential', unpaired: true });
    const standard = compare(trials, { method: 'sequential', unpaired: true, interval: 'bca' });

    it('are judged by the standard method, without pairs', () => {
      expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
      expect(comparison).toMatchObject({
        method: 'sequential',
        verdict: 'slower',
        pairs: 0,
        pairingGain: null,
        resampled: { unit: 'run', count: 40 },
        time: { wallNs: 40 * 50e6, machineNs: 40 * 50e6 },
      });
      expect(comparison.total?.estimate).toBeCloseTo(meanOf(B) / meanOf(A), 12);
      expect(standard.interval.estimate).toBeCloseTo(meanOf(B) / meanOf(A), 12);
      expect(standard.difference.estimateNs).toBeCloseTo(meanOf(B) - meanOf(A), 3);
    });

    it('see less than the duet of the same noise', () => {
      const duet = compare(trialsOf(A, B));
      expect(comparison.minimalDetectableSlowdown).toBeGreaterThan(2 * duet.minimalDetectableSlowdown);
    });
  });

  describe('as pairs', () => {
    const comparison = compare(trials, { method: 'sequential' });

    it('are judged by the ratios of the runs, each a pair', () => {
      expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
      expect(comparison).toMatchObject({
        method: 'sequential',
        verdict: 'slower',
        pairs: 40,
        resampled: { unit: 'run', count: 40 },
        discarded: { unpaired: 0 },
        time: { wallNs: 40 * 50e6, machineNs: 40 * 50e6 },
      });
      expect(comparison.interval.kind).toBe('signed-rank');
      expect(comparison.total?.estimate).toBeCloseTo(meanOf(B) / meanOf(A), 12);
      const asked = compare(trials, { method: 'sequential', interval: 'bca' });
      expect(asked.difference.estimateNs).toBeCloseTo(meanOf(B) - meanOf(A), 3);
    });

    it('are narrower than two samples where a run disturbs both of its sides, and say so', () => {
      const apart = compare(trials, { method: 'sequential', unpaired: true });
      const width = ({ interval: { low, high } }: Comparison): number => high / low - 1;
      // Two samples scatter by sqrt(2) * 5.1 %, ratios of pairs by sqrt(2) * 1 %.
      expect(width(apart)).toBeGreaterThan(3 * width(comparison));
      expect(apart.minimalDetectableSlowdown).toBeGreaterThan(3 * comparison.minimalDetectableSlowdown);
      expect(comparison.pairingGain).toBeGreaterThan(3);
    });

    it('are as wide as two samples where nothing disturbs both', () => {
      const random = createRandom(12);
      const own = () => Array.from({ length: 60 }, () => [2e7 * Math.exp(0.03 * random.normal())]);
      const alike = trialsOf(own(), own(), { changes: { method: 'sequential' } });
      const interval = { method: 'sequential', interval: 'bca' } as const;
      const [pairs, apart] = [compare(alike, interval), compare(alike, { ...interval, unpaired: true })];
      const gain =
        Math.log(apart.interval.high / apart.interval.low) / Math.log(pairs.interval.high / pairs.interval.low);
      expect(gain).toBeGreaterThan(0.8);
      expect(gain).toBeLessThan(1.25);
    });

    it('are the means of the sides where a run holds several iterations, as many of each side or not', () => {
      const times = { A: repeated([10e6, 30e6], 12), B: repeated([20e6, 22e6, 24e6], 12) };
      const several = compare(trialsOf(times.A, times.B, { changes: { method: 'sequential' } }), {
        method: 'sequential',
      });
      // 22 ms by 20 ms.
      expect(several.interval.estimate).toBeCloseTo(1.1, 12);
      expect(several).toMatchObject({ pairs: 12, discarded: { unpaired: 0 } });
    });

    it('need both sides of a run', () => {
      const half = trials.map((trial) =>
        trial.run === 3 ? { ...trial, sides: { ...trial.sides, B: aSide([]) } } : trial,
      );
      expect(compare(half, { method: 'sequential' })).toMatchObject({ runs: 39, pairs: 39 });
    });
  });

  it('count where a duet was planned and the machine could offer none', () => {
    const fallback = compare(trialsOf(A, B, { changes: { method: 'sequential' } }), { method: 'sync-duet' });
    expect(fallback.method).toBe('sequential');
  });
});

describe('a tandem', () => {
  /** Wall times are those of both sides together, CPU times those of a side: B uses 5 % more, and a run 30 % more or less. */
  const tandems = (runs: number, changes: Partial<Trial> = {}): Trial[] => {
    const random = createRandom(21);
    return Array.from({ length: runs }, (_, run) => {
      const level = 2e7 * Math.exp(0.3 * random.normal());
      const cpu = { A: level, B: 1.05 * level * Math.exp(0.005 * random.normal()) };
      const end = Math.round(cpu.A + cpu.B);
      const side = (c: number) => aSide([{ i: 0, s: 0, e: end, c: Math.round(c) }], { cpu: run % 3 });
      return aTrial({ run, method: 'tandem', sides: { A: side(cpu.A), B: side(cpu.B) }, ...changes });
    });
  };
  const trials = tandems(30);
  const comparison = compare(trials, { method: 'tandem', metric: 'auto' });

  it('is judged by CPU time alone: the wall time of a side is that of both', () => {
    expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
    expect(comparison).toMatchObject({
      method: 'tandem',
      methodReason: null,
      metric: 'cpu',
      verdict: 'slower',
      otherMetrics: [],
      runs: 30,
      pairs: 30,
      iterationsPerRun: 1,
      warnings: [],
    });
    expect(comparison.metricReason).toContain('both sides share one core');
    const meanOf = (side: 'A' | 'B'): number => mean(trials.map(({ sides }) => at(sides[side].iterations, 0).c!));
    expect(comparison.total?.estimate).toBeCloseTo(meanOf('B') / meanOf('A'), 12);
    // 0.5 % a run, 30 of them: 0.26 % either way at 99 %.
    expect(comparison.interval.high / comparison.interval.low).toBeLessThan(1.01);
    expect(comparison.pairingGain).toBeGreaterThan(20);
  });

  it('resamples runs, since there are no cores to trade, also where two runs had the same core', () => {
    expect(comparison.resampled).toEqual({ unit: 'run', count: 30 });
    const same = trials.map((trial) => ({
      ...trial,
      sides: { A: { ...trial.sides.A, cpu: 1 }, B: { ...trial.sides.B, cpu: 1 } },
    }));
    expect(compare(same, { method: 'tandem', swap: 'pair' }).resampled).toEqual({ unit: 'run', count: 30 });
  });

  it('gives the times of the sides as CPU time, and says so', () => {
    for (const side of ['A', 'B'] as const) {
      const { metric, times, alone, min } = comparison.sides[side];
      expect(metric).toBe('cpu');
      expect(alone).toBeNull();
      expect(times).toEqual(trials.map(({ sides }) => at(sides[side].iterations, 0).c! / 1e9));
      expect(min).toBe(Math.min(...times));
    }
    expect(compare(trialsOf(repeated([10e6], 12), repeated([10e6], 12))).sides.A).toMatchObject({
      metric: 'time',
      alone: null,
    });
  });

  it('costs the time of one core, and with lanes as much of it in less time', () => {
    expect(comparison.time).toEqual({ wallNs: 30 * 50e6, machineNs: 30 * 50e6 });
    const lanes = compare(trials, { method: 'tandem', lanes: 3 });
    expect(reportSchema.shape.comparisons.element.parse(lanes)).toEqual(lanes);
    expect(lanes.time).toEqual({ wallNs: 10 * 50e6, machineNs: 30 * 50e6 });
    // The lanes of an experiment are for its tandems alone.
    const duet = compare(trialsOf(repeated([10e6], 12), repeated([11e6], 12)), { lanes: 3 });
    expect(duet.time).toEqual({ wallNs: 12 * 50e6, machineNs: 24 * 50e6 });
  });

  it('says how long more runs would take, with lanes', () => {
    const undecided = { method: 'tandem', margin: 0.05 } as const;
    const [one, three] = [compare(trials, undecided), compare(trials, { ...undecided, lanes: 3 })];
    expect(one.verdict).toBe('undecided');
    expect(three.outlook?.moreRuns).toBe(one.outlook?.moreRuns);
    expect(one.outlook?.moreTimeNs).toBeCloseTo((one.outlook?.moreRuns ?? 0) * 50e6, 3);
    expect((3 * (three.outlook?.moreTimeNs ?? 0)) / (one.outlook?.moreTimeNs ?? 0)).toBeCloseTo(1, 12);
  });

  it('takes the CPU time of the processes where the iterations say none', () => {
    const ofProcess = trials.map((trial) => {
      const side = ({ iterations, ...rest }: Trial['sides']['A']) => {
        const { c = 0, ...iteration } = at(iterations, 0);
        return { ...rest, iterations: [iteration], userNs: c - 1000, systemNs: 1000 };
      };
      return { ...trial, sides: { A: side(trial.sides.A), B: side(trial.sides.B) } };
    });
    expect(compare(ofProcess, { method: 'tandem' }).interval).toEqual(comparison.interval);
  });

  it('cannot be judged without CPU time, and says what to do', () => {
    const without = trialsOf(repeated([10e6], 12), repeated([10e6], 12), { changes: { method: 'tandem' } });
    const judge = () => compare(without, { method: 'tandem' });
    expect(judge).toThrow(AnalysisError);
    expect(judge).toThrow(expect.objectContaining({ code: 'NO_CPU_TIME' }));
    expect(judge).toThrow(/^loop ran on one core .*--method sync-duet/);
  });

  it('says that wall time cannot be had where it was asked for', () => {
    const asked = compare(trials, { method: 'tandem', metric: 'time' });
    expect(asked.metric).toBe('cpu');
    expect(codes(asked)).toEqual(['METRIC_UNAVAILABLE']);
    expect(at(asked.warnings, 0).message).toMatch(/wall time was asked for.*--method sync-duet/);
    expect(codes(compare(trials, { method: 'tandem', metric: 'cpu' }))).toEqual([]);
  });

  it('warns of a clock of CPU time that is too coarse, which decides all the same', () => {
    const coarse = trials.map((trial) => {
      const side = (result: Trial['sides']['A']) => ({
        ...result,
        iterations: result.iterations.map(({ c = 0, ...rest }) => ({
          ...rest,
          c: Math.max(1, Math.round(c / 4e6)) * 4e6,
        })),
      });
      return { ...trial, sides: { A: side(trial.sides.A), B: side(trial.sides.B) } };
    });
    const judged = compare(coarse, { method: 'tandem', metric: 'auto' });
    expect(judged.metric).toBe('cpu');
    expect(codes(judged)).toContain('COARSE_CPU_TIME');
    expect(judged.warnings.find(({ code }) => code === 'COARSE_CPU_TIME')?.message).toMatch(
      /steps of 4 ms, and CPU time decides.*--method sync-duet --metric time/,
    );
  });

  it('pairs iterations of harnesses by their number', () => {
    const iterations = (factor: number) =>
      [0, 1, 2, 3].map((i) => ({ i, s: i * 5e7, e: i * 5e7 + 4e7, c: factor * (1e7 + i * 1_000_300) }));
    const runs = Array.from({ length: 8 }, (_, run) =>
      aTrial({ run, method: 'tandem', sides: { A: aSide(iterations(1)), B: aSide(iterations(1.2)) } }),
    );
    const judged = compareBenchmark({
      runs: measuredRuns(runs),
      benchmark: aBenchmark({ workload: 'harness' }),
      config: aConfig({ method: 'tandem', warmup: { kind: 'fixed', iterations: 1 } }),
    });
    expect(judged).toMatchObject({
      pairs: 24,
      iterationsPerRun: 3,
      discarded: { warmup: 8 },
      resampled: { unit: 'run' },
    });
    expect(judged.interval.estimate).toBeCloseTo(1.2, 12);
  });
});

describe('a method that pilot runs chose', () => {
  const chosen = {
    method: 'tandem',
    metric: 'cpu',
    reason: 'both sides keep one core busy',
    aloneNs: { A: 12e6, B: 13e6 },
  } as const;
  const runs = Array.from({ length: 12 }, (_, run) => {
    const side = (c: number) => aSide([{ i: 0, s: 0, e: 30e6, c: c + run }]);
    return aTrial({ run, method: 'tandem', sides: { A: side(12_000_100), B: side(13_000_100) } });
  });
  const pilots = [0, 1, 2].map((run) => {
    const side = (time: number) => aSide(iterationsOf([time], { cpu: 1 }));
    return aTrial({ run, phase: 'pilot', method: 'sync-duet', sides: { A: side(12e6), B: side(99e6) } });
  });
  const judge = (trials: readonly Trial[], benchmark = aBenchmark({ chosen })): Comparison => {
    const config = configOf(aConfig({ method: 'tandem', pilotRuns: 3 }), benchmark);
    return compareBenchmark({ runs: measuredRuns(trials), benchmark, config });
  };

  it('is told with the reason, and with the times of the sides alone on a core', () => {
    expect(judge([...pilots, ...runs])).toMatchObject({
      method: 'tandem',
      methodReason: 'both sides keep one core busy',
      sides: { A: { metric: 'cpu', alone: 0.012 }, B: { metric: 'cpu', alone: 0.013 } },
    });
  });

  it('leaves its pilot runs out of what is judged and counted; they cost two cores each', () => {
    const { time, ...judged } = judge([...pilots, ...runs]);
    const { time: _, ...without } = judge(runs);
    expect(judged).toEqual(without);
    expect(time).toEqual({ wallNs: 15 * 50e6, machineNs: (12 + 2 * 3) * 50e6 });
    const duets = trialsOf(repeated([10e6], 12), repeated([11e6], 12));
    const duet = aBenchmark({ chosen: { ...chosen, method: 'sync-duet', metric: 'time' } });
    expect(judge([...pilots, ...duets], duet)).toMatchObject({
      method: 'sync-duet',
      runs: 12,
      discarded: { warmup: 0 },
      interval: judge(duets, duet).interval,
      time: { wallNs: 15 * 50e6, machineNs: 30 * 50e6 },
    });
  });

  it('has no result where there are pilot runs alone', () => {
    expect(() => judge(pilots)).toThrow(expect.objectContaining({ code: 'TOO_FEW_RUNS' }));
  });
});

it('the summary of a side is in seconds an execution', () => {
  const side = aSide(iterationsOf([10e6, 30e6]), { userNs: 30e6, systemNs: 8e6, maxRssBytes: 4096, exitCode: 3 });
  const trials = [0, 1].map((run) => aTrial({ run, sides: { A: side, B: aSide(iterationsOf([20e6, 20e6])) } }));
  const { A, B } = compare(trials).sides;
  // Times 10, 30, 10, 30 ms: squares of deviations 4 * 100 over 3.
  expect(A).toMatchObject({ name: 'old', command: '/bin/old --work', min: 0.01, max: 0.03 });
  expect(A.mean).toBeCloseTo(0.02, 12);
  expect(A.median).toBeCloseTo(0.02, 12);
  expect(A.stddev).toBeCloseTo(Math.sqrt(400 / 3) / 1000, 12);
  expect(A.cv).toBeCloseTo(Math.sqrt(400 / 3) / 20, 12);
  expect(A).toMatchObject({ user: 0.015, system: 0.004, maxRssBytes: 4096, exitCodes: [3, 3, 3, 3] });
  expect(A.times).toEqual([0.01, 0.03, 0.01, 0.03]);
  expect(B).toMatchObject({ user: null, system: null, maxRssBytes: null });
});

describe('the summary of a side that times itself', () => {
  const iterations = iterationsOf([40e6, 10e6, 30e6], { cpu: 0.5 }).map((iteration) => ({ ...iteration, n: 10 }));
  const side = aSide(iterations, { userNs: 900e6, systemNs: 80e6, exitCode: 0, record: 'iterations/0-A.jsonl' });
  const trials = [0, 1].map((run) => aTrial({ run, sides: { A: side, B: side } }));
  const comparison = compareBenchmark({
    runs: measuredRuns(trials),
    benchmark: aBenchmark({ workload: 'harness' }),
    config: aConfig({ warmup: { kind: 'fixed', iterations: 1 }, metric: 'cpu' }),
  });

  it('is in seconds an invocation, without warm-up and without what else its process did', () => {
    expect(comparison.sides.A).toMatchObject({ times: [0.001, 0.003, 0.001, 0.003], user: null, system: null });
    expect(comparison.sides.A.exitCodes).toEqual([0, 0]);
    expect(comparison).toMatchObject({ metric: 'cpu', pairs: 4, discarded: { warmup: 2, unpaired: 0 } });
    expect(reportSchema.shape.comparisons.element.parse(comparison)).toEqual(comparison);
  });

  it('does not blame the start of a process for short iterations', () => {
    expect(codes(comparison)).not.toContain('VERY_SHORT');
  });
});

it('a summary lists a seeded sample of more than 100 000 times, and its figures are of all of them', () => {
  const length = 60_000;
  const columns = (offset: number): IterationColumns => {
    const indices = Float64Array.from({ length }, (_, row) => row);
    return {
      length,
      indices,
      startsNs: indices.map((row) => row * 1e6),
      endsNs: indices.map((row) => row * 1e6 + 1e5 + row + offset),
      metric: () => null,
      hasPhases: false,
      isWarmup: () => false,
    };
  };
  const sides = { A: aSide([]), B: aSide([]) };
  const runs = [0, 1].map((run) => ({
    trial: aTrial({ run, sides }),
    iterations: { A: columns(run * length), B: columns(run * length) },
  }));
  const input = { runs, benchmark: aBenchmark({ workload: 'harness' }), config: aConfig({ replicates: 100 }) } as const;
  const { A, B } = compareBenchmark(input).sides;
  // Times are 100 000 ns and every whole number of ns up to 120 000 more.
  expect(A.times).toHaveLength(100_000);
  expect(new Set(A.times).size).toBe(100_000);
  expect(A.times).toEqual(A.times.toSorted((left, right) => left - right));
  expect(A.min).toBe(1e-4);
  expect(A.max).toBeCloseTo(2.19999e-4, 14);
  expect(A.mean).toBeCloseTo(1.599995e-4, 14);
  expect(mean(A.times)).toBeCloseTo(1.6e-4, 6);
  expect(A.times).not.toEqual(B.times);
  expect(compareBenchmark(input).sides.A.times).toEqual(A.times);
});
