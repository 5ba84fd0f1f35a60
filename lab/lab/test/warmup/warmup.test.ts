import { describe, expect, it } from 'vitest';
import type { Iteration } from '@deadheat/model';
import { compilationProgress } from '../../src/warmup/compilation-progress.ts';
import { type ExecutionProfile } from '../../../../core/profiles/src/profile-builder.ts';
import { warmupByStability, warmupByVariation, type IterationTimes } from '../../src/warmup/warmup-points.ts';
import { measuredRuns } from '../../../../core/analysis/src/columns/measured-runs.ts';
import { aSide, aTrial } from '../../../../core/analysis/test/helpers/recordings.ts';
import { machineShares, warmupFigures, warmupTables, type WarmupOfRun } from '../../src/warmup/warmup-tables.ts';

/** Iterations of these durations with a pause of 1 between them, the first beginning at 1000. */
function timesOf(durations: readonly number[]): IterationTimes {
  let now = 1000;
  const startsNs = durations.map((duration) => {
    const start = now;
    now += duration + 1;
    return start;
  });
  return { startsNs, endsNs: startsNs.map((start, i) => start + durations[i]!) };
}

const slowThenSteady = [900, 700, 500, ...Array.from({ length: 20 }, (_, i) => 100 + (i % 2))];

describe('warm-up by variation', () => {
  it('ends with the first window that varies little: all of it is warm-up', () => {
    // The first ten settled iterations are 3 to 12; 2100 + 10 * 100 + 5 were worked, with 12 pauses of 1.
    expect(warmupByVariation(timesOf(slowThenSteady))).toEqual({ iterations: 13, timeNs: 2100 + 1005 + 12 });
  });

  it('takes windows and thresholds as given: 9, 11 vary by 14 %', () => {
    const times = timesOf([90, 110, 90, 110]);
    expect(warmupByVariation(times, { window: 2, threshold: 0.15 })?.iterations).toBe(2);
    expect(warmupByVariation(times, { window: 2, threshold: 0.14 })).toBeNull();
  });

  it('finds equal times of zero settled, and a run that is too short not', () => {
    expect(warmupByVariation(timesOf(Array.from({ length: 10 }, () => 0)))?.iterations).toBe(10);
    expect(warmupByVariation(timesOf(Array.from({ length: 9 }, () => 5)))).toBeNull();
  });

  it('refuses no iterations, ends before starts and windows of one', () => {
    expect(() => warmupByVariation({ startsNs: [], endsNs: [] })).toThrow(RangeError);
    expect(() => warmupByVariation({ startsNs: [5], endsNs: [4] })).toThrow(/iteration 0 ends 1 ns before/);
    expect(() => warmupByVariation(timesOf([1]), { window: 1 })).toThrow(/window/);
    expect(() => warmupByVariation(timesOf([1]), { threshold: 0 })).toThrow(/threshold/);
  });
});

describe('warm-up by stability', () => {
  it('ends where the last five coefficients of variation lie within 0.01, as in FSE 2020', () => {
    // Iterations 3 to 7 are the first five that are alike.
    expect(warmupByStability(timesOf(slowThenSteady), { criterion: 'cv', seed: 'x' })?.iterations).toBe(8);
  });

  it('is not found where times double at every iteration, nor in fewer than five iterations', () => {
    const doubling = timesOf(Array.from({ length: 20 }, (_, i) => 2 ** i));
    expect(warmupByStability(doubling, { criterion: 'cv', seed: 'x' })).toBeNull();
    expect(warmupByStability(timesOf([5, 5, 5, 5]), { criterion: 'cv', seed: 'x' })).toBeNull();
  });

  it('goes on beyond fifty iterations', () => {
    const late = timesOf([
      ...Array.from({ length: 80 }, (_, i) => 2 ** (i % 7)),
      ...Array.from({ length: 9 }, () => 3),
    ]);
    expect(warmupByStability(late, { criterion: 'cv', seed: 'x' })?.iterations).toBe(85);
  });

  it('asks widths of intervals as well, the same for the same seed', () => {
    const times = timesOf([900, 700, 500, ...Array.from({ length: 20 }, () => 100)]);
    const found = warmupByStability(times, { criterion: 'rciw', seed: 'x' });
    expect(found?.iterations).toBe(8);
  });
});

const code: ExecutionProfile['code'] = [
  { kind: 'interpreter', method: null, isLastTier: false, isReplaced: false },
  { kind: 'baseline', method: 'f', isLastTier: false, isReplaced: true },
  { kind: 'best', method: 'f', isLastTier: true, isReplaced: true },
  { kind: 'best', method: 'f', isLastTier: true, isReplaced: false },
];

/** Ten samples a window of 100, beginning at 1000; places of each window in order. */
function profileOf(windows: readonly (readonly number[])[]): ExecutionProfile {
  const places = windows.flat();
  const timesNs = windows.flatMap((own, w) => own.map((_, i) => 1000 + 100 * w + i * 10));
  return {
    timesNs: Float64Array.from(timesNs),
    places: Int32Array.from(places),
    code,
    compiledNs: Float64Array.of(999, 1010, 1020, 1049.5, 1599, 1700),
    kinds: ['interpreter', 'baseline', 'best'],
    clockErrorNs: 0,
  };
}

const ten = (place: number, rest = place, howMany = 10): readonly number[] =>
  Array.from({ length: 10 }, (_, i) => (i < howMany ? place : rest));

describe('compilation progress', () => {
  const profile = profileOf([ten(0), ten(1), ten(2, 0, 9), ten(3, 0, 5), ten(3), ten(3)]);
  // Six windows of 100: twelve iterations of 49 and a pause of 1, then the rest of the last.
  const times = timesOf([...Array.from({ length: 11 }, () => 49), 50]);
  const progress = compilationProgress(profile, times, { windowNs: 100 });

  it('counts shares of stable code and of the last tier in windows', () => {
    expect(progress.samples).toEqual([10, 10, 10, 10, 10, 10]);
    expect(progress.stableShares).toEqual([0, 0, 0, 0.5, 1, 1]);
    expect(progress.lastTierShares).toEqual([0, 0, 0.9, 0.5, 1, 1]);
  });

  it('is warm at the end of the first window with 95 % of the largest share', () => {
    expect(progress.stable).toEqual({ iterations: 10, timeNs: 500 });
    expect(compilationProgress(profile, times, { windowNs: 100, ofMaximum: 0.9 }).lastTier).toEqual({
      iterations: 6,
      timeNs: 300,
    });
  });

  it('gives the bands of a stacked area, which fill every window', () => {
    expect(progress.series.map(({ kind, replaced }) => (replaced ? `(${kind})` : kind))).toEqual([
      'interpreter',
      '(baseline)',
      'best',
      '(best)',
    ]);
    for (let w = 0; w < 6; w++) {
      expect(progress.series.reduce((sum, { shares }) => sum + shares[w]!, 0)).toBeCloseTo(1, 12);
    }
  });

  it('leaves out samples before the first iteration and behind the last full window', () => {
    const late = compilationProgress(profile, { startsNs: [1100], endsNs: [1350] }, { windowNs: 100 });
    expect(late.samples).toEqual([10, 10]);
    expect(late.stable).toBeNull();
    expect(late.lastTier).toEqual({ iterations: 1, timeNs: 200 });
  });

  it('has no share where there is no sample, and none is warm without compiled code', () => {
    const gap = compilationProgress(profileOf([ten(0), [], ten(0)]), times, { windowNs: 100 });
    expect(gap.stableShares).toEqual([0, null, 0, null, null, null]);
    expect([gap.stable, gap.lastTier]).toEqual([null, null]);
  });

  it('counts the compilations that ended in an iteration or the pause before it', () => {
    const { compilations, durationsNs } = compilationProgress(profile, times);
    expect(durationsNs).toHaveLength(compilations.length);
    expect([compilations[0], compilations[1], compilations.at(-1)]).toEqual([2, 1, 1]);
    expect(compilations.reduce((sum, one) => sum + one, 0)).toBe(4);
  });

  it('takes a run that is shorter than a window as one', () => {
    const short = compilationProgress(profile, times);
    expect([short.windowNs, short.samples]).toEqual([600, [60]]);
  });

  it('takes a twentieth of a run of seconds, and minutes of one of hours', () => {
    const run = (seconds: number): number =>
      compilationProgress(profile, { startsNs: [0], endsNs: [seconds * 1e9] }).windowNs / 1e9;
    expect([run(1), run(10), run(36_000)]).toEqual([0.1, 0.5, 60]);
  });

  it('refuses windows and shares out of range', () => {
    expect(() => compilationProgress(profile, times, { windowNs: 0 })).toThrow(/windowNs/);
    expect(() => compilationProgress(profile, times, { ofMaximum: 1.1 })).toThrow(/ofMaximum/);
  });
});

describe('the tables of warm-up', () => {
  const iterations = { durationsNs: [3e6, 2e6, 1e6], compilations: [4, 1, 2] };
  const shares = { stableShares: [], lastTierShares: [], series: [] };
  const windows = { ...iterations, ...shares, windowNs: 1e9, endsNs: [1e9, 2e9, 3e9] };
  const runOf = (run: number, timeNs: number, byStability: WarmupOfRun['byStability']): WarmupOfRun => ({
    benchmark: 'sort',
    run,
    iterations: 30,
    byVariation: { iterations: run, timeNs },
    byStability,
    progress: { ...windows, samples: [100], stable: { iterations: 9, timeNs: 1e9 }, lastTier: null },
  });
  const runs = [runOf(1, 4e9, null), runOf(2, 1e9, null), runOf(3, 2e9, { iterations: 5, timeNs: 5e8 })];

  it('have median, least and most of the runs that were warm', () => {
    const [overall, each] = warmupTables(runs, 'cv');
    expect(overall?.rows).toEqual([
      // Medians of 1, 2 and 4 s, means beside them.
      ['sort', 'variation', 3, 3, 2, 7 / 3, 1, 4, 2, 2, 1, 3],
      ['sort', 'stability (cv)', 3, 1, 0.5, 0.5, 0.5, 0.5, 5, 5, 5, 5],
      ['sort', 'stable code', 3, 3, 1, 1, 1, 1, 9, 9, 9, 9],
      ['sort', 'last tier', 3, 0, null, null, null, null, null, null, null, null],
    ]);
    expect(each?.rows[2]).toEqual(['sort', 3, 30, 2, 3, 0.5, 5, 1, 9, null, null]);
    expect(overall?.notes.join('\n')).toMatch(/not warm by this criterion, in 3 of 3 runs/);
  });

  it('have the kinds of code of a profiled run as shares of its samples', () => {
    const series = [
      { kind: 'garbage collector', replaced: false, shares: [0.5, 0] },
      { kind: 'level 4', replaced: false, shares: [0, 0.75] },
      { kind: 'level 4', replaced: true, shares: [0.5, 0.25] },
    ];
    const executed = warmupTables(
      [{ ...runs[0]!, progress: { ...runs[0]!.progress!, samples: [10, 30], series } }],
      'cv',
    )[2];
    expect(executed?.columns.map(({ name }) => name)).toEqual([
      'benchmark',
      'run',
      'samples',
      'garbage collector',
      'level 4',
      'compiled again',
    ]);
    // 5 of 40; 22.5 + 5 + 7.5; of which 12.5 are replaced.
    expect(executed?.rows).toEqual([['sort', 1, 40, 5 / 40, 35 / 40, 12.5 / 40]]);
    expect(warmupTables([{ ...runs[0]!, progress: null }], 'cv')).toHaveLength(2);
  });

  it('have what the virtual machine did in each half of a recorded run, as far as it was recorded', () => {
    const columnsOf = (iterations: readonly Iteration[]) =>
      measuredRuns([aTrial({ sides: { A: aSide(iterations), B: aSide(iterations) } })])[0]!.iterations.A;
    const [ms, first] = [1e6, { c: 10e6, t: 4e6, gcMs: 2, compileMs: 5 }];
    // Iterations of 10 ms; of the CPU time 6 of 10 are those of other threads at first, then 1 of 10.
    const columns = columnsOf([
      { i: 0, s: 0, e: 10 * ms, ...first },
      { i: 1, s: 10 * ms, e: 20 * ms, ...first },
      { i: 2, s: 20 * ms, e: 30 * ms, c: 10e6, t: 9e6, gcMs: 1, compileMs: 0 },
      { i: 3, s: 30 * ms, e: 40 * ms, c: 10e6, t: 9e6, gcMs: 0, compileMs: 0 },
    ]);
    const machine = machineShares(columns)!;
    expect(machine.first.otherThreads).toBeCloseTo(0.6, 12);
    expect(machine.first).toMatchObject({ collectors: 0.2, compilers: 0.5 });
    expect(machine.second.otherThreads).toBeCloseTo(0.1, 12);
    expect(machine.second).toMatchObject({ collectors: 0.05, compilers: 0 });
    const table = warmupTables([{ ...runs[0]!, progress: null, machine }], 'cv')[2];
    expect(table?.rows.map((row) => row.slice(0, 3))).toEqual([
      ['sort', 1, 'first'],
      ['sort', 1, 'second'],
    ]);
    expect(machineShares(columnsOf([0, 1].map((i) => ({ i, s: i, e: i + 1 }))))).toBeUndefined();
  });

  it('say when windows hold too few samples, and when code was warm late', () => {
    const { progress } = runs[0]!;
    const late = { ...progress!, samples: [12, 14, 13], lastTier: { iterations: 30, timeNs: 3e9 } };
    const notes = warmupTables([{ ...runs[2]!, progress: late }], 'cv')[0]?.notes.join('\n');
    expect(notes).toMatch(/have 13 samples or less/);
    expect(notes).toMatch(/1 of 3 windows hold fewer than 13 samples/);
    expect(notes).toMatch(/in 1 of 1 runs code was warm only in the second half/);
    expect(notes).not.toMatch(/not warm/);
  });

  it('have the criteria by times alone for runs that were not profiled', () => {
    const [overall, each] = warmupTables(
      runs.map((run) => ({ ...run, progress: null })),
      'cv',
    );
    expect(overall?.title).toContain('by two criteria');
    expect(overall?.rows.map((row) => row[1])).toEqual(['variation', 'stability (cv)']);
    expect(each?.columns).toHaveLength(7);
    expect(overall?.notes.join('\n')).not.toMatch(/profiling|windows/);
  });

  it('have figures of the kinds of code, and of iterations beside compilations, for each run that was profiled', () => {
    const series = [
      { kind: 'interpreter', replaced: true, shares: [0.7, 0.1] },
      { kind: 'turbofan', replaced: false, shares: [0.3, 0.9] },
    ];
    const progress = { ...runs[0]!.progress!, endsNs: [5e8, 1e9], series, stable: { iterations: 9, timeNs: 1e9 } };
    const figures = warmupFigures([
      { ...runs[0]!, progress: null },
      { ...runs[1]!, progress },
    ]);
    expect(figures).toHaveLength(2);
    expect(figures[1]).toMatchObject({
      name: 'oopsla26-figure-9-shifts-1',
      kind: 'points',
      marks: [{ x: 1 }, { x: 3 }],
      series: [{ x: [2, 3], values: [2, 1] }],
    });
    expect(figures[0]).toMatchObject({
      name: 'oopsla26-figure-10-code-1',
      kind: 'areas',
      marks: [{ name: 'warm by stable code', x: 1 }],
      series: [
        { name: 'interpreter (replaced)', x: [0.5, 1], values: [0.7, 0.1] },
        { name: 'turbofan', x: [0.5, 1], values: [0.3, 0.9] },
      ],
    });
  });

  it('refuse no runs', () => {
    expect(() => warmupTables([], 'cv')).toThrow(RangeError);
  });
});
