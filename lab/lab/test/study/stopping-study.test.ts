import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { decisionCostNs, groupIterations } from '../../src/study/replay-reconfiguration.ts';
import { benchmarkTime, jmhDefaults, suiteTimeNs, timesAgainstDefault } from '../../src/study/suite-time.ts';
import {
  canReplay,
  stoppingOutcome,
  stoppingRules,
  stoppingSeries,
  type StoppingSeries,
} from '../../src/study/stopping-outcome.ts';
import { stoppingStudy } from '../../src/study/stopping-study.ts';
import { column, spansOf, studied } from './study-support.ts';

const options = { seed: 'study', like: 'paper', liftCaps: 1, replicates: 400 } as const;

/** Five forks of 110 iterations of 1 s; after three slow ones every value is drawn around 1 s by a share of `noise`. */
const seriesOf = (label: string, { noise = 0.005, late = 0 } = {}): StoppingSeries => {
  const random = createRandom(label);
  const forks = Array.from({ length: 5 }, () =>
    Array.from({ length: 110 }, (_, i) =>
      Array.from({ length: 5 }, () => 1e6 * (i < 3 ? 2 : i < 30 ? 1 + late : 1) * Math.exp(noise * random.normal())),
    ),
  );
  return { project: 'project', label, forks, timesNs: forks.map((fork) => Float64Array.from(fork, () => 1e9)) };
};
const facts = { like: 'paper', liftCaps: 1, decisionCostsNs: { cv: 2e5 }, tooShort: ['brief A'] } as const;

describe('the study of stopping', () => {
  it('finds no change and much time saved where a benchmark settles early', () => {
    const outcome = stoppingOutcome(seriesOf('settles'), options);
    expect(outcome.staticTimeNs).toBe(500e9);
    const cv = outcome.rules.find(({ rule }) => rule === 'cv')!;
    expect(cv).toMatchObject({ stable: true });
    expect(cv.forks).toHaveLength(2);
    // Two forks of their warm-up iterations and 10 measured ones, all of 1 s.
    const warm = cv.forks.reduce((sum, { warmup }) => sum + warmup, 0);
    expect(cv.warmupNs).toBe(warm * 1e9);
    expect(cv.timeNs).toBe((warm + 20) * 1e9);
    expect(outcome.recordedTimeNs).toBe(550e9);
    expect(cv.change).toBeLessThan(0.01);
    expect(cv.low).toBeLessThan(1);
    expect(cv.high).toBeGreaterThan(1);
    expect(stoppingOutcome(seriesOf('settles'), options)).toEqual(outcome);
  });

  it('charges starts of forks as recorded and decisions as measured, or at their bound', () => {
    const series = { ...seriesOf('settles'), besidesNs: [2e9, 3e9, 4e9, 5e9, 6e9] };
    const outcome = stoppingOutcome(series, options);
    const cv = outcome.rules.find(({ rule }) => rule === 'cv')!;
    const warm = cv.forks.reduce((sum, { warmup }) => sum + warmup, 0);
    expect(outcome.staticTimeNs).toBe(500e9 + 20e9);
    expect(cv.timeNs).toBe((warm + 20) * 1e9 + 5e9);
    const savedBy = (decisionCostsNs: Readonly<Record<string, number>>): number => {
      const [, savings] = stoppingStudy([outcome], { ...facts, decisionCostsNs }).tables;
      return Number(column(savings, 'cv saved (h)')[0]) * 3600;
    };
    // 0.5 s for each warm-up iteration; the bound is 0.2 % of 1 s.
    expect(savedBy({ cv: 5e8 })).toBeCloseTo(520 - (warm * 1.5 + 25), 6);
    expect(savedBy({})).toBeCloseTo(520 - (warm * 1.002 + 25), 6);
  });

  it('knows what a run took besides iterations, by its method and the benchmarks that share it', () => {
    const spans: [number, number][] = Array.from({ length: 4 }, (_, i) => [i * 10, i * 10 + 5]);
    const runs = spansOf([
      [spans, spans],
      [spans, spans],
    ]).map((trial) => ({ ...trial, wallNs: 100 }));
    const besides = (method: 'sync-duet' | 'sequential'): unknown =>
      stoppingSeries([studied(method, runs)], 'x').series.map((one) => one.besidesNs);
    // Of 100 each side's own 20 leave 80 of a duet; one after the other both leave 60.
    expect(besides('sync-duet')).toEqual([
      [80, 80],
      [80, 80],
    ]);
    expect(besides('sequential')).toEqual([
      [30, 30],
      [30, 30],
    ]);
    const one = studied('sync-duet', runs);
    const other = { ...one, benchmark: { ...one.benchmark, name: 'other' } };
    // (100 - 2 x 20) / 2
    expect(stoppingSeries([one, other], 'x').series[3]?.besidesNs).toEqual([30, 30]);
  });

  it('sees that stopping before a late change gives another result', () => {
    const outcome = stoppingOutcome(seriesOf('late', { late: 0.1 }), options);
    const cv = outcome.rules.find(({ rule }) => rule === 'cv')!;
    expect(cv.low).toBeGreaterThan(1.05);
    expect(cv.change).toBeGreaterThan(0.05);
    const { tables } = stoppingStudy([outcome, stoppingOutcome(seriesOf('settles'), options)], facts);
    const row = stoppingRules.findIndex(({ name }) => name === 'cv');
    expect(column(tables[0], 'A/A not different')[row]).toBe(0.5);
    expect(column(tables[0], 'changed < 3 %')[row]).toBe(0.5);
    expect(column(tables[0], 'benchmarks')).toEqual([2, 2, 2, 2, 2]);
  });

  it('sums time by project and in total, counts what was not stable, and says what was left out', () => {
    const outcomes = [
      stoppingOutcome(seriesOf('settles'), options),
      stoppingOutcome(seriesOf('wild', { noise: 1 }), options),
    ];
    const study = stoppingStudy(
      outcomes.map((outcome, i) => ({ ...outcome, project: `project ${i}` })),
      facts,
    );
    const [quality, savings, places, costs, every, suite] = study.tables;
    expect(study.kind).toBe('stopping');
    expect(quality!.notes.join(' ')).toContain('brief A');
    expect(column(savings, 'project')).toEqual(['project 0', 'project 1', 'Total']);
    expect(column(savings, 'static (h)')).toEqual([500 / 3600, 500 / 3600, 1000 / 3600]);
    const [first, second, total] = column(savings, 'cv saved') as number[];
    expect(total).toBeCloseTo((first! + second!) / 2, 12);
    const all = stoppingRules.findIndex(({ name }) => name === 'all');
    expect(column(places, 'benchmarks not stable')[all]).toBeGreaterThanOrEqual(0.5);
    expect(costs!.rows).toEqual([['cv', 0.2, 0.0002, 0.0088, 0.002]]);
    expect(every!.rows).toHaveLength(10);
    // Two benchmarks of 550 s, beside 10 x 40 x 1 s and 5 x 10 x 10 s.
    expect(suite!.rows.at(-1)).toEqual(['Total', 2, 1100 / 3600, 800 / 3600, 1000 / 3600, 0, 0, 0, 1]);
    for (const table of study.tables) for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
  });

  it('replays shorter recordings by what fits into them, and refuses what is too short', () => {
    const { project, forks, timesNs } = seriesOf('short');
    const short = {
      project,
      label: 'short',
      forks: forks.map((fork) => fork.slice(0, 24)),
      timesNs: timesNs.map((t) => t.slice(0, 24)),
    };
    const outcome = stoppingOutcome(short, options);
    // The second half of 24 iterations of five forks is the baseline; warm-up may take 14 and leaves 10.
    expect(outcome.staticTimeNs).toBe(5 * 24e9);
    for (const { forks: made } of outcome.rules) for (const { warmup } of made) expect(warmup).toBeLessThanOrEqual(14);
    const one = { ...short, forks: short.forks.slice(0, 1) };
    expect(canReplay(one)).toBe(false);
    expect(canReplay({ ...short, timesNs: short.timesNs.map((times) => times.map(() => 0)) })).toBe(false);
    expect(() => stoppingOutcome(one, options)).toThrow(/needs 2 forks of 4 iterations/);
  });

  it('takes both sides of a recording, an iteration of a run as one time', () => {
    const spans = (length: number) =>
      Array.from({ length }, (_, i): [number, number] => [i * 10, i * 10 + 5 + (i % 2)]);
    const runs = spansOf([
      [spans(6), spans(6)],
      [spans(6), spans(6)],
    ]);
    const { series, tooShort } = stoppingSeries([studied('sequential', runs)], 'recording');
    expect(series.map(({ project, label }) => [project, label.at(-1)])).toEqual([
      ['recording', 'A'],
      ['recording', 'B'],
    ]);
    expect(series[0]!.forks).toEqual([
      [5, 6, 5, 6, 5, 6],
      [5, 6, 5, 6, 5, 6],
    ]);
    expect(tooShort).toEqual([]);
    const brief = spansOf([[spans(2), spans(2)]]);
    expect(stoppingSeries([studied('sequential', brief)], 'recording').tooShort).toHaveLength(2);
  });
});

describe('the time of a suite', () => {
  const { totalNs } = benchmarkTime(jmhDefaults['1.21 and later']);

  it('is that of its parameter combinations, as the paper has it of its ten projects', () => {
    // FSE'20, table 1: byte-buddy has 39 of them, jdk 1 381, RxJava 1 282.
    const hours = [39, 1381, 1282].map((combinations) => suiteTimeNs([{ timeNs: totalNs, combinations }]) / 3.6e12);
    expect(hours.map((time) => time.toFixed(2))).toEqual(['5.42', '191.81', '178.06']);
    expect(benchmarkTime(jmhDefaults['1.20 and before']).totalNs).toBe(400e9);
  });

  it('is warm-up, measurement and fixtures, warm-up forks among warm-up', () => {
    const dimensions = {
      warmupForks: 2,
      forks: 5,
      warmupIterations: 3,
      warmupTimeNs: 1,
      iterations: 4,
      iterationTimeNs: 2,
    };
    // 2 (3 + 8) + 5 x 3, 5 x 8, and 3 of fixtures
    expect(benchmarkTime(dimensions, 3)).toEqual({ warmupNs: 37, measurementNs: 40, totalNs: 80 });
    expect(() => benchmarkTime({ ...dimensions, forks: -1 })).toThrow(/forks must be at least 0/);
  });

  it('lies against a default, and how far', () => {
    expect(timesAgainstDefault([100, 99.5, 50, 20, 10, 200, 101, 99], 100)).toEqual({
      decreased: 3 / 8,
      fivefold: 2 / 8,
      tenfold: 1 / 8,
      increased: 1 / 8,
    });
    expect(() => timesAgainstDefault([], 100)).toThrow(RangeError);
  });
});

describe('short iterations', () => {
  it('are joined until they took long enough', () => {
    // Invocations of 0.04 fill 0.1 three times over: 3 x 0.04 = 0.12 each; nine of them take 1.08, eight only 0.96.
    const { iterations, times } = groupIterations(Array<number>(20).fill(0.04), { shortTime: 0.1, leastTime: 1 });
    expect(iterations.map(({ counts }) => [...(counts as number[])])).toEqual([Array(9).fill(3), Array(9).fill(3)]);
    times.forEach((time) => expect(time).toBeCloseTo(1.08, 12));
    expect(groupIterations(Array<number>(10).fill(0.1), { shortTime: 0.1, leastTime: 1 }).iterations).toHaveLength(1);
    expect(() => groupIterations([0], { shortTime: 1, leastTime: 1 })).toThrow(/means\[0\] must be above 0/);
  });
});

describe('the cost of a decision', () => {
  it('is what passes on the given clock between giving an iteration and having the decision', () => {
    let ticks = 0;
    expect(decisionCostNs(['cv'], { now: () => (ticks += 7) })).toBe(7);
    expect(ticks).toBeGreaterThan(7 * 60);
  });
});
