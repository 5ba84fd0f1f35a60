import { createRandom, kneePenalty, penaltyPath } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { cleanRun, findSegments } from '../../src/segments/find-segments.ts';
import { segmentRuns } from '../../src/segments/segment-runs.ts';
import { chooseMethod } from '../../src/segments/segment-interval.ts';

/** Runs of `length` values about 100 with noise 1; `level` moves single values. */
const noisy = (seed: string, runs: number, length: number, level: (r: number, i: number) => number): number[][] => {
  const random = createRandom(seed);
  return Array.from({ length: runs }, (_, r) => Array.from({ length }, (_, i) => 100 + level(r, i) + random.normal()));
};

const segment = (runs: number[][], options: { warmup?: number | number[]; window?: number | null } = {}) =>
  segmentRuns(runs, { ...options, random: createRandom('trend') });

const codes = (runs: number[][]): string[] => segment(runs, { window: null }).warnings.map(({ code }) => code);

describe('cleaning', () => {
  it('takes the first values away and what sticks out of its window, and remembers where the rest stood', () => {
    const series = [500, 400, ...Array.from({ length: 60 }, (_, i) => 10 + (i % 5)), 99];
    const clean = cleanRun(series, { warmup: 2, window: 40 });
    expect(clean.warmup).toBe(2);
    expect([...clean.outliers]).toEqual([62]);
    expect([...clean.values]).toEqual(series.slice(2, 62));
    expect(clean.indices[0]).toBe(2);
    expect(clean.indices.at(-1)).toBe(61);
  });

  it('keeps outliers when told to', () => {
    expect(cleanRun([1, 1, 1, 1, 1, 1, 50], { window: null }).values).toHaveLength(7);
  });

  it('refuses a broken warm-up', () => {
    expect(() => cleanRun([1, 2], { warmup: -1 })).toThrow(/warmup must be an integer >= 0/);
    expect(() => cleanRun([1, 2], { warmup: 0.5 })).toThrow(/warmup must be an integer >= 0/);
  });
});

describe('segments of one series', () => {
  it('are found at the knee of the penalties, of the two that cost the same there the fewer', () => {
    // Twelve levels drawn with three times the noise: some jumps are large, some small.
    const random = createRandom('knee');
    const levels = Array.from({ length: 12 }, () => 3 * random.normal());
    const series = Array.from({ length: 960 }, (_, i) => levels[Math.floor(i / 80)]! + random.normal());
    const path = penaltyPath(series);
    const knee = kneePenalty(
      path.map(({ penalty }) => penalty),
      path.map(({ changepoints }) => changepoints.length),
    );
    const found = findSegments(series);
    const [tied, changepoints] = path.slice(knee!.index - 1, knee!.index + 1).map((step) => step.changepoints);
    expect(found).toEqual({ changepoints, penalty: knee!.penalty, chosenBy: 'knee', tied });
    expect(tied!.length).toBeGreaterThan(changepoints!.length);
    expect(found.changepoints.length).toBeGreaterThan(2);
  });

  it('are found with 15 ln n where the penalties have no knee', () => {
    const [series] = noisy('no knee', 1, 600, (_, i) => (i < 200 ? 0 : i < 450 ? 8 : 3));
    const found = findSegments(series!);
    expect(found.chosenBy).toBe('no-knee');
    expect([...found.changepoints]).toEqual([199, 449]);
    expect(found.penalty).toBeCloseTo(15 * Math.log(600), 10);
  });

  it('depend on a given penalty', () => {
    const [series] = noisy('given', 1, 300, (_, i) => (i < 150 ? 0 : 5));
    expect(findSegments(series!, { penalty: 1e9 }).changepoints).toHaveLength(0);
    const found = findSegments(series!, { penalty: 'barrett' });
    expect([...found.changepoints]).toEqual([149]);
    expect(found.penalty).toBeCloseTo(15 * Math.log(300), 10);
    expect(found.chosenBy).toBe('given');
  });

  it('are one for a steady series, for equal values and for too few values', () => {
    const [steady] = noisy('steady', 1, 400, () => 0);
    expect(findSegments(steady!).changepoints).toHaveLength(0);
    expect(findSegments([3, 3, 3, 3, 3, 3])).toMatchObject({ chosenBy: 'short' });
    expect(findSegments([1, 2, 900])).toMatchObject({ chosenBy: 'short' });
  });
});

describe('runs in segments', () => {
  it('know where segments stood in the run as it was measured', () => {
    const runs = noisy('places', 3, 320, (_, i) => (i < 20 ? 100 : i < 170 ? 0 : 9));
    const { runs: found, components, sample } = segment(runs, { warmup: [20, 20, 20], window: null });
    expect(found.map(({ segments }) => segments.map(({ first, last }) => [first, last]))).toEqual(
      Array.from({ length: 3 }, () => [
        [20, 169],
        [170, 319],
      ]),
    );
    expect([...sample.offsets[0]!]).toEqual([0, 2, 4, 6]);
    expect([...sample.offsets[1]!]).toEqual([0, 150, 300, 450, 600, 750, 900]);
    // Two segments 9 apart: their variance about the run mean is 2 * 4.5^2.
    expect(components.segmentVariance).toBeCloseTo(40.5, -1);
    expect(components.measurementVariance).toBeCloseTo(1, 0);
  });

  it('may differ in length and in segments', () => {
    const random = createRandom('ragged');
    const runs = [5, 80, 200].map((length) => Array.from({ length }, (_, i) => (i < 100 ? 10 : 30) + random.normal()));
    const { runs: found, components } = segment(runs, { window: null });
    expect(found.map(({ segments }) => segments.length)).toEqual([1, 1, 2]);
    expect(components.segments).toBe(4);
    expect(components.segmentVariance).toBeGreaterThan(100);
  });

  it('cannot be made of warm-up alone', () => {
    expect(() => segment([[1, 2, 3]], { warmup: 3 })).toThrow(expect.objectContaining({ code: 'NO_MEASUREMENTS' }));
    expect(() => segment([])).toThrow(/at least 1 run/);
  });
});

describe('warnings', () => {
  it('name a trend, and say in which direction', () => {
    const { warnings, trend } = segment(noisy('leak', 5, 200, (_, i) => 0.05 * i));
    expect(warnings.map(({ code }) => code)).toContain('TREND');
    expect(warnings[0]!.message).toMatch(/^values rise while a run lasts, by 0.0\d+ an iteration/);
    expect(trend!.slope).toBeCloseTo(0.05, 2);
  });

  it('keep silent about a steady workload', () => {
    expect(codes(noisy('steady', 12, 150, () => 0))).toEqual([]);
  });

  it('name a trend in few of the experiments that have none, however few the runs', () => {
    // The bootstrap alone would find one in 50 % of the experiments with 2 runs and in 12 % with 4.
    let found = 0;
    for (let k = 0; k < 300; k++) {
      const runs = noisy(`none ${k}`, k % 2 === 0 ? 2 : 4, 20, () => 0);
      const { trend } = segmentRuns(runs, { window: null, trendReplicates: 500, random: createRandom(k) });
      if (trend!.present) found++;
    }
    expect(found).toBeLessThan(12);
  });

  it('name a single run', () => {
    const { warnings, trend } = segment(noisy('single', 1, 100, () => 0));
    expect(warnings.map(({ code }) => code)).toEqual(['ONE_RUN']);
    expect(trend).toBeNull();
  });

  it('name three measurements only', () => {
    expect(codes(noisy('three', 12, 3, () => 0))).toEqual(['FEW_MEASUREMENTS']);
  });

  it('name equal measurements', () => {
    expect(codes(Array.from({ length: 10 }, () => Array<number>(30).fill(7)))).toEqual(['ALL_EQUAL']);
  });

  it.each([
    ['first', (i: number) => (i < 2 ? 400 + 20 * i : 0)],
    ['last', (i: number) => (i >= 98 ? 400 + 20 * (i - 97) : 0)],
  ])('name a change at the %s point', (_, level) => {
    const runs = noisy('edge', 10, 100, () => 0);
    const changed = runs.map((run, r) => (r === 4 ? run.map((value, i) => value + level(i)) : run));
    const found = segment(changed, { window: null }).warnings.filter(({ code }) => code === 'CHANGE_AT_EDGE');
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toContain('run 5 changed');
  });
});

describe('the choice of a method', () => {
  const components = (runs: number, segments: number, runVariance: number | null, segmentVariance: number | null) =>
    ({ runs, segments, runVariance, segmentVariance }) as Parameters<typeof chooseMethod>[0];

  it('leaves segments out when runs differ far more', () => {
    // 5 segments a run: 0.2/5 = 0.04 against 1.
    const chosen = chooseMethod(components(20, 100, 1, 0.2));
    expect(chosen).toMatchObject({ segments: 'ignorant', kind: 'resampling', segmentShare: 0.04 });
    expect(chosen.reasons[0]).toContain('4.00 % of the run variance');
  });

  it('accounts for them otherwise, also when runs differ by nothing else', () => {
    expect(chooseMethod(components(20, 40, 1, 0.58))).toMatchObject({ segments: 'aware', kind: 'resampling' });
    expect(chooseMethod(components(20, 40, 0, 0.58)).segments).toBe('aware');
    expect(chooseMethod(components(20, 40, 1, 0)).segments).toBe('aware');
  });

  it('has nothing to account for when no run changes', () => {
    expect(chooseMethod(components(20, 20, 1, null))).toMatchObject({ segments: 'ignorant', segmentShare: null });
  });

  it('takes the t interval where replicates cannot fill the tails', () => {
    const chosen = chooseMethod(components(5, 10, 1, 1));
    expect(chosen.kind).toBe('t');
    expect(chosen.reasons[1]).toContain('with 5 runs at 99 %');
    expect(chooseMethod(components(20, 40, 1, 1), { confidence: 0.999999 }).kind).toBe('t');
    expect(chooseMethod(components(5, 10, 1, 1), { confidence: 0.8 }).kind).toBe('resampling');
  });
});
