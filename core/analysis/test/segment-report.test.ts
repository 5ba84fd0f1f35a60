import { reportSchema, type Report, type Trial } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { analyseRecording } from '../src/report/analyse-recording.ts';
import type { SegmentRequest } from '../src/report/segment-report.ts';
import { aBenchmark, aConfig, anExperiment, trialsOf } from './helpers/recordings.ts';

/** Times of 1 ms with 1 % noise; `factor` moves single ones. */
const times = (seed: string, runs: number, length: number, factor: (r: number, i: number) => number = () => 1) => {
  const random = createRandom(seed);
  return Array.from({ length: runs }, (_, r) =>
    Array.from({ length }, (_, i) => 1e6 * factor(r, i) * (1 + 0.01 * random.normal())),
  );
};

const analyse = (
  trials: readonly Trial[],
  {
    method = 'sync-duet',
    warmup = 0,
    request = { window: 50 },
  }: {
    method?: 'sync-duet' | 'sequential';
    warmup?: number;
    request?: SegmentRequest | null;
  } = {},
): Report => {
  const benchmark = aBenchmark({ workload: 'harness' });
  const config = aConfig({
    benchmarks: [benchmark],
    method,
    confidence: 0.99,
    warmup: warmup === 0 ? { kind: 'none' } : { kind: 'fixed', iterations: warmup },
  });
  return analyseRecording({
    experiment: anExperiment(config),
    measured: [{ benchmark, runs: measuredRuns(trials) }],
    directory: 'somewhere',
    complete: true,
    warnings: [],
    today: '2026-02-03',
    segments: request,
  });
};

/** Every other run gets faster at iteration 120, by 10 to 25 %. */
const shifting = (seed: string, runs: number): number[][] =>
  times(seed, runs, 200, (r, i) => (r % 2 === 1 && i >= 120 ? 1.05 : 1.2 + 0.01 * r));

const codesOf = (trials: readonly Trial[]): string[] => {
  const { comparisons, warnings } = analyse(trials);
  return [...warnings, ...comparisons.flatMap((comparison) => comparison.warnings)].map(({ code }) => code);
};

describe('a report with segments', () => {
  const trials = trialsOf(shifting('a', 12), times('b', 12, 200));
  const [comparison] = analyse(trials).comparisons;
  const { sides, ratio } = comparison!.segments!;

  it('has none where they were not asked for', () => {
    expect(analyse(trials, { request: null }).comparisons[0]).not.toHaveProperty('segments');
  });

  it('is as its schema says', () => {
    expect(reportSchema.shape.comparisons.element.shape.segments.parse(comparison!.segments)).toEqual(
      comparison!.segments,
    );
  });

  it('tells where the runs of a side change, and their levels', () => {
    expect(sides.A.runs.map(({ segments }) => segments.length)).toEqual(
      Array.from({ length: 12 }, (_, r) => 1 + (r % 2)),
    );
    const changed = sides.A.runs[1]!;
    expect(changed.segments.map(({ lastIteration }) => lastIteration)).toEqual([119, 199]);
    expect(changed.segments[1]!.firstIteration).toBe(120);
    for (const { mean } of changed.segments) expect(mean).toBeGreaterThan(0.95e6);
    expect(sides.B.runs.every(({ segments }) => segments.length === 1)).toBe(true);
  });

  it('classifies every run and the side', () => {
    expect(sides.B.class).toBe('flat');
    expect(sides.A.class).toBe('good-inconsistent');
    expect(sides.A.runs[0]).toMatchObject({ class: 'flat', steadyFromIteration: 0 });
    expect(sides.A.runs[1]).toMatchObject({ class: 'warm-up', steadyFromIteration: 120 });
  });

  it('takes the log ratios of a duet as one series a run', () => {
    expect(ratio.runs.map(({ segments }) => segments.length)).toEqual(
      Array.from({ length: 12 }, (_, r) => 1 + (r % 2)),
    );
    const [first] = ratio.runs[1]!.segments;
    const [ofA] = sides.A.runs[1]!.segments;
    expect(first!.mean).toBeCloseTo(1e6 / ofA!.mean, 1);
    expect(ratio.class).toBeNull();
  });

  it('has every interval, and the choice between them with its reasons', () => {
    for (const series of [sides.A, sides.B, ratio]) {
      expect(series.intervals.map(({ segments, kind }) => `${segments} ${kind}`)).toEqual([
        'aware normal',
        'aware t',
        'aware resampling',
        'ignorant normal',
        'ignorant t',
        'ignorant resampling',
      ]);
      for (const { low, estimate, high } of series.intervals) {
        expect(low).toBeLessThanOrEqual(estimate);
        expect(high).toBeGreaterThanOrEqual(estimate);
      }
      expect(series.chosen.reasons).toHaveLength(2);
    }
    expect(sides.B.chosen.segments).toBe('ignorant');
    expect(sides.A.components!.segmentVariance).toBeGreaterThan(1e6);
    expect(sides.B.components!.segmentVariance).toBeNull();
  });

  it('keeps the sides apart where they were measured by themselves', () => {
    const alone = trialsOf(shifting('a', 12), times('b', 12, 200), { changes: { method: 'sequential' } });
    const [found] = analyse(alone, { method: 'sequential' }).comparisons;
    const { ratio: apart, sides: own } = found!.segments!;
    expect(apart).toMatchObject({ runs: [], components: null, class: null, unit: 'ratio' });
    expect(apart.intervals).toHaveLength(6);
    const [aware] = apart.intervals;
    expect(aware!.estimate).toBeCloseTo(own.B.intervals[0]!.estimate / own.A.intervals[0]!.estimate, 10);
  });

  it('leaves warm-up out of segments, but not out of classes', () => {
    const slow = (_: number, i: number): number => (i < 40 ? 2 : 1);
    const [found] = analyse(trialsOf(times('w', 4, 200, slow), times('v', 4, 200, slow)), { warmup: 50 }).comparisons;
    for (const run of found!.segments!.sides.A.runs) {
      expect(run.segments[0]!.firstIteration).toBe(50);
      expect(run.class).toBe('warm-up');
      // The last of the slow ones are dropped as outliers of their window, so the change may be seen a few earlier.
      expect(run.steadyFromIteration).toBeGreaterThan(30);
      expect(run.steadyFromIteration).toBeLessThanOrEqual(40);
    }
    expect(found!.segments!.sides.A.class).toBe('warm-up');
  });

  it('classifies by the rule for outliers of the published classification, which keeps a warm-up of four repetitions', () => {
    const slow = (_: number, i: number): number => (i < 4 ? 3 : 1);
    const [found] = analyse(trialsOf(times('w', 3, 300, slow), times('v', 3, 300))).comparisons;
    expect(found!.segments!.sides.A.runs.map((run) => [run.class, run.steadyFromIteration])).toEqual(
      Array.from({ length: 3 }, () => ['warm-up', 4]),
    );
    expect(found!.segments!.sides.B.class).toBe('flat');
  });

  it('has no class for runs that are shorter than the window', () => {
    const [found] = analyse(trials, { request: {} }).comparisons;
    expect(found!.segments!.window).toBe(500);
    expect(found!.segments!.sides.A).toMatchObject({ class: null });
  });

  it('finds fewer changes with a higher penalty', () => {
    const [found] = analyse(trials, { request: { window: 50, penalty: 1e9 } }).comparisons;
    expect(found!.segments!.sides.A.runs.every(({ segments }) => segments.length === 1)).toBe(true);
  });

  it('is the same every time', () => {
    expect(analyse(trials)).toEqual(analyse(trials));
  });
});

describe('warnings of segments', () => {
  it('name a trend, such as a leak makes', () => {
    const leak = times('leak', 5, 100, (_, i) => 1 + 0.004 * i);
    const { comparisons } = analyse(trialsOf(leak, times('steady', 5, 100)));
    const trend = comparisons[0]!.warnings.filter(({ code }) => code === 'TREND');
    expect(trend.map(({ message }) => message.slice(0, 36))).toEqual([
      'segments of A: values rise while a r',
      'segments of B / A: values fall while',
    ]);
  });

  it('name a single run, which makes no comparison', () => {
    const report = analyse(trialsOf(times('one', 1, 100), times('uno', 1, 100)));
    expect(report.comparisons).toEqual([]);
    expect(report.warnings.map(({ code }) => code)).toEqual(['FEW_RUNS', 'ONE_RUN']);
    expect(report.warnings[1]!.message).toMatch(/^loop, segments of A, B, B \/ A: only one run/);
  });

  it('name three measurements only', () => {
    expect(codesOf(trialsOf(times('few', 12, 3), times('little', 12, 3)))).toContain('FEW_MEASUREMENTS');
  });

  it('name equal measurements', () => {
    const equal = Array.from({ length: 10 }, () => Array<number>(30).fill(1e6));
    expect(codesOf(trialsOf(equal, times('other', 10, 30)))).toContain('ALL_EQUAL');
  });

  it.each([
    ['first', (i: number) => (i < 2 ? 3 + i / 10 : 1)],
    ['last', (i: number) => (i > 17 ? 3 + i / 100 : 1)],
  ])('name a change at the %s point', (_, factor) => {
    // Two of twenty values are more than the 5 % that may be outliers.
    const edge = times('edge', 10, 20, (r, i) => (r === 4 ? factor(i) : 1));
    expect(codesOf(trialsOf(edge, times('middle', 10, 20)))).toContain('CHANGE_AT_EDGE');
  });
});
