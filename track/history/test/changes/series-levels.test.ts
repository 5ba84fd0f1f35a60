import type { CommitRef } from '@deadheat/model';
import { createRandom, type Random } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import type { HistoryPoint } from '../../src/history.ts';
import { seriesLevels } from '../../src/index.ts';

const commit = (id: string): CommitRef => ({ id, label: id, committedAt: null });

/** A point whose B took `timeNs`, against the commit `against`. */
const point = (
  at: number,
  { ratio = 1, timeNs = 1e6, against = 'v1' }: { ratio?: number; timeNs?: number; against?: string | null },
): HistoryPoint => ({
  project: 'p',
  benchmark: 'b',
  params: {},
  method: 'sync-duet',
  experiment: `${at}`,
  startedAt: '2026-03-01T10:00:00.000Z',
  commits: { A: against === null ? null : commit(against), B: commit(`c${at}`) },
  hostname: null,
  metric: 'time',
  ratio: { estimate: ratio, low: ratio * 0.99, high: ratio * 1.01, confidence: 0.99 },
  verdict: 'dead-heat',
  margin: 0,
  minimalDetectableSlowdown: 0.01,
  runs: 20,
  meanNs: { A: timeNs / ratio, B: timeNs },
});

/** Ratios with 0.5 % noise whose level steps to `steps[at]` times 1 at each index. */
const stepping = (random: Random, length: number, steps: Readonly<Record<number, number>>): readonly HistoryPoint[] => {
  let level = 1;
  return Array.from({ length }, (_, at) => {
    level = steps[at] ?? level;
    return point(at, { ratio: level * Math.exp(0.005 * random.normal()) });
  });
};

/** Noise of 1 % with what else is seen of benchmarks: far values, spikes, modes, and noise that lasts for some points. */
const noises: Readonly<Record<string, (random: Random, before: number) => number>> = {
  normal: (random) => random.normal(),
  't with 3 degrees of freedom': (random) => {
    const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
    return random.normal() / Math.sqrt(squares);
  },
  'spikes in a twentieth': (random) => random.normal() + (random.next() < 0.05 ? 20 + 30 * random.next() : 0),
  'a mode of a tenth': (random) => random.normal() + (random.next() < 0.1 ? 5 : 0),
  'a mode of a third': (random) => random.normal() + (random.next() < 0.33 ? 3 : 0),
  'autocorrelation of 0.3': (random, before) => 0.3 * before + Math.sqrt(1 - 0.3 ** 2) * random.normal(),
  'autocorrelation of 0.5': (random, before) => 0.5 * before + Math.sqrt(1 - 0.5 ** 2) * random.normal(),
};

/** Ratios with one of these noises, 5 % higher from `at` on. */
const shifted = (
  random: Random,
  { noise, length, at = length }: { readonly noise: string; readonly length: number; readonly at?: number },
): readonly HistoryPoint[] => {
  const draw = noises[noise] ?? ((): number => Number.NaN);
  let before = random.normal();
  return Array.from({ length }, (_, k) => {
    before = draw(random, before);
    return point(k, { ratio: (k < at ? 1 : 1.05) * Math.exp(before / 100) });
  });
};

describe('the levels of a series', () => {
  it('change between the two commits where the step is', () => {
    const { quantity, changes, levels } = seriesLevels(stepping(createRandom('steps'), 60, { 25: 1.03, 45: 0.97 }));
    expect(quantity).toBe('ratio');
    expect(changes.map(({ at, after, until }) => [at, after?.id, until?.id])).toEqual([
      [25, 'c24', 'c25'],
      [45, 'c44', 'c45'],
    ]);
    expect(changes[0]?.ratio).toBeCloseTo(1.03, 2);
    expect(changes[1]?.ratio).toBeCloseTo(0.97 / 1.03, 2);
    expect(levels[0]).toBeCloseTo(1, 2);
    expect(levels[59]).toBeCloseTo(0.97, 2);
    expect(new Set(levels).size).toBe(3);
  });

  it('follow the time of B where nobody knows what A is, and where that is asked for', () => {
    const unknown = Array.from({ length: 20 }, (_, at) =>
      point(at, { against: null, timeNs: (at < 12 ? 1e6 : 1.1e6) + (at % 3) * 1000 }),
    );
    const { quantity, changes, values } = seriesLevels(unknown);
    expect(quantity).toBe('time');
    expect(values[0]).toBe(1e6);
    expect(changes.map(({ at }) => at)).toEqual([12]);
    const chain = unknown.map((one, at) => ({ ...one, commits: { ...one.commits, A: commit(`c${at - 1}`) } }));
    expect(seriesLevels(chain).quantity).toBe('pairs');
    expect(seriesLevels(chain, { quantity: 'time' }).changes.map(({ at }) => at)).toEqual([12]);
    expect(seriesLevels(chain, { quantity: 'ratio' })).toMatchObject({ quantity: 'ratio', changes: [] });
  });

  it('follow the mean of B in a metric that was asked for, also from nothing to something', () => {
    const allocations = (values: readonly number[]): readonly HistoryPoint[] =>
      values.map((value, at) => ({
        ...point(at, {}),
        metric: 'allocs/op',
        ratio: { estimate: 1, low: 0, high: Number.MAX_VALUE, confidence: 0.99 },
        measured: { unit: 'allocs/op', mean: { A: 0, B: value } },
      }));
    const steps = allocations([...Array.from({ length: 12 }, () => 0), ...Array.from({ length: 12 }, () => 3)]);
    const { quantity, levels, changes } = seriesLevels(steps);
    expect([quantity, levels[11], changes.length]).toEqual(['value', 0, 1]);
    expect(levels[12]).toBeCloseTo(3);
    expect(changes[0]).toMatchObject({ at: 12, ratio: Number.MAX_VALUE, high: Number.MAX_VALUE });
    expect(seriesLevels(steps.toReversed()).changes).toMatchObject([{ at: 12, ratio: 0 }]);
    // A single 0 among others is no level, and counts as half of 3, the smallest other one.
    const single = seriesLevels(allocations([3, 3, 3, 3, 0, 3, 3, 3, 3]));
    expect(single.changes).toEqual([]);
    expect(single.levels[4]).toBeGreaterThan(2);
    expect(seriesLevels(allocations(Array.from({ length: 24 }, () => 0)))).toMatchObject({ changes: [] });
    expect(seriesLevels(steps, { quantity: 'ratio' })).toMatchObject({ quantity: 'ratio', changes: [] });

    const cpu = steps.map((one) => ({ ...one, measured: { unit: 'ns', mean: { A: 1, B: 5 } } }));
    expect(seriesLevels(cpu)).toMatchObject({ quantity: 'time', levels: Array.from({ length: 24 }, () => 5) });
    // Where a point has no mean there are only ratios to follow.
    const wall = steps.map((one) => ({ ...one, measured: { unit: 'ns', mean: null } }));
    expect(seriesLevels(wall, { quantity: 'time' }).quantity).toBe('ratio');
  });

  it('are not changed by a point or two that are off', () => {
    const points = stepping(createRandom('outliers'), 60, {}).map((one, at) =>
      at === 30 || at === 31 ? point(at, { ratio: 1.2 }) : one,
    );
    expect(seriesLevels(points).changes).toEqual([]);
    expect(seriesLevels(points.filter((_, at) => at !== 31)).changes).toEqual([]);
  });

  it('follow a slow drift in steps', () => {
    const random = createRandom('drift');
    const points = Array.from({ length: 100 }, (_, at) =>
      point(at, { ratio: Math.exp(0.001 * at + 0.005 * random.normal()) }),
    );
    const { levels, changes } = seriesLevels(points);
    expect(changes.length).toBeGreaterThanOrEqual(2);
    expect((levels[99] ?? 0) / (levels[0] ?? 0)).toBeGreaterThan(1.06);
  });

  it('are only those whose change is large enough', () => {
    const points = stepping(createRandom('least change'), 60, { 25: 1.03, 45: 1.045 });
    const places = (leastChange?: number): readonly number[] =>
      seriesLevels(points, leastChange === undefined ? {} : { leastChange }).changes.map(({ at }) => at);
    expect(places()).toEqual([25, 45]);
    expect(places(0.02)).toEqual([25]);
    expect(places(0.1)).toEqual([]);
    expect(() => places(-0.01)).toThrow(RangeError);
    expect(() => places(Number.NaN)).toThrow(RangeError);
  });

  it('are told after eight points where they lie far apart, and later by six of the new level', () => {
    const far = stepping(createRandom('far'), 8, { 4: 1.1 });
    expect(seriesLevels(far).changes.map(({ at }) => at)).toEqual([4]);
    const recent = stepping(createRandom('recent'), 66, { 60: 1.05 });
    expect(seriesLevels(recent).changes.map(({ at }) => at)).toEqual([60]);
    expect(seriesLevels(recent.slice(0, 62)).changes).toEqual([]);
  });

  it('are one where there is little to see or nothing moves', () => {
    expect(seriesLevels([])).toEqual({ quantity: 'time', values: [], levels: [], changes: [] });
    expect(seriesLevels([point(0, {})]).levels).toEqual([1]);
    expect(seriesLevels(Array.from({ length: 30 }, (_, at) => point(at, {}))).changes).toEqual([]);
    expect(seriesLevels(Array.from({ length: 5 }, (_, at) => point(at, { ratio: at < 3 ? 1 : 2 }))).changes).toEqual(
      [],
    );
  });

  it('of equal values but for a step are two', () => {
    const { changes } = seriesLevels(Array.from({ length: 30 }, (_, at) => point(at, { ratio: at < 20 ? 1 : 1.5 })));
    expect(changes.map(({ at }) => at)).toEqual([20]);
  });

  it.each([8, 20, 60, 200])('are seldom cut where nothing changed: %i points', (length) => {
    const random = createRandom(`false alarms ${length}`);
    const series = 300;
    let cut = 0;
    for (let k = 0; k < series; k += 1) if (seriesLevels(stepping(random, length, {})).changes.length > 0) cut += 1;
    expect(cut / series).toBeLessThanOrEqual(0.05);
  });

  it.each(Object.keys(noises))('are seldom cut where nothing but the noise moves: %s', (noise) => {
    const series = 100;
    let cut = 0;
    for (let k = 0; k < series; k += 1) {
      const random = createRandom(`${noise} ${k}`);
      if (seriesLevels(shifted(random, { noise, length: 150 })).changes.length > 0) cut += 1;
    }
    expect(cut / series).toBeLessThanOrEqual(0.05);
  });

  it.each(Object.keys(noises))('are seldom cut at any time where they are looked at after every point: %s', (noise) => {
    const series = 40;
    let cut = 0;
    for (let k = 0; k < series; k += 1) {
      const points = shifted(createRandom(`looks ${noise} ${k}`), { noise, length: 70 });
      if (points.some((_, at) => seriesLevels(points.slice(0, at + 1)).changes.length > 0)) cut += 1;
    }
    expect(cut / series).toBeLessThanOrEqual(0.05);
  });

  it.each(Object.keys(noises))('show a step of 5 %% in noise of 1 %%: %s', (noise) => {
    const series = 40;
    let found = 0;
    for (let k = 0; k < series; k += 1) {
      const { changes } = seriesLevels(shifted(createRandom(`step ${noise} ${k}`), { noise, length: 120, at: 60 }));
      if (changes.some(({ at }) => Math.abs(at - 60) <= 5)) found += 1;
    }
    expect(found / series).toBeGreaterThanOrEqual(0.8);
  });

  it('show a step of two noises among sixty points nearly always', () => {
    const random = createRandom('power');
    const series = 200;
    let found = 0;
    for (let k = 0; k < series; k += 1) {
      const { changes } = seriesLevels(stepping(random, 60, { 30: 1.01 }));
      if (changes.some(({ at }) => Math.abs(at - 30) <= 3)) found += 1;
    }
    expect(found / series).toBeGreaterThanOrEqual(0.9);
  });

  it('has an interval that holds the true change about as often as its level says', () => {
    const random = createRandom('interval of a change');
    let found = 0;
    let held = 0;
    for (let series = 0; series < 300; series += 1) {
      for (const { ratio, low, high, confidence } of seriesLevels(stepping(random, 60, { 30: 1.03 })).changes) {
        found += 1;
        expect(confidence).toBe(0.99);
        expect(low).toBeLessThan(ratio);
        if (low <= 1.03 && 1.03 <= high) held += 1;
      }
    }
    expect(found).toBeGreaterThanOrEqual(300);
    // The place of the change is estimated as well, and the level is conditional on it.
    expect(held / found).toBeGreaterThan(0.97);
  });
});
