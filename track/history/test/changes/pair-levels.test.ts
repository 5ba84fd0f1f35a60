import { createRandom, type Random, studentTQuantile } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import type { HistoryPoint } from '../../src/history.ts';
import { inOrder, seriesLevels } from '../../src/index.ts';

const runs = 20;
const confidence = 0.99;

interface Pair {
  readonly a: number;
  readonly b: number;
  /** Log ratio, and what a run scatters by. */
  readonly log: number;
  readonly spread?: number;
  /** B's time in ns, machine included. */
  readonly timeNs?: number;
  readonly made?: number;
}

/** A comparison of two commits as one of so many runs finds it: an estimate and a t interval of what was drawn. */
function pairOf(random: Random, { a, b, log, spread = 0.03, timeNs = 1e6, made = b }: Pair): HistoryPoint {
  const ratios = Array.from({ length: runs }, () => log + spread * random.normal());
  const estimate = ratios.reduce((sum, value) => sum + value, 0) / runs;
  const variance = ratios.reduce((sum, value) => sum + (value - estimate) ** 2, 0) / (runs - 1);
  const reach = studentTQuantile((1 + confidence) / 2, runs - 1) * Math.sqrt(variance / runs);
  const [low, high] = [Math.exp(estimate - reach), Math.exp(estimate + reach)];
  return {
    project: 'p',
    benchmark: 'b',
    params: {},
    method: 'tandem',
    experiment: `${a}-${b}-${made}`,
    startedAt: new Date(Date.UTC(2026, 2, 1) + made * 3_600_000).toISOString(),
    commits: { A: refOf(a), B: refOf(b) },
    hostname: null,
    metric: 'cpu',
    ratio: { estimate: Math.exp(estimate), low, high, confidence },
    verdict: low > 1 ? 'slower' : high < 1 ? 'faster' : high - low < 0.02 ? 'dead-heat' : 'undecided',
    margin: 0,
    minimalDetectableSlowdown: 0.03,
    runs,
    meanNs: { A: timeNs, B: timeNs },
  };
}

const refOf = (id: number) => ({
  id: `c${id}`,
  label: `c${id}`,
  committedAt: new Date(Date.UTC(2026, 2, 1) + id * 3_600_000).toISOString(),
});

/** Each commit against the one before; the machine wanders by an autoregression of 0.9 and bursts, which hits both sides of a pair. */
function chain(random: Random, length: number, steps: Readonly<Record<number, number>>): readonly HistoryPoint[] {
  let machine = 0;
  return Array.from({ length }, (_, k) => {
    machine = 0.9 * machine + 0.02 * random.normal();
    const burst = random.next() < 0.05 ? 0.2 : 0;
    return pairOf(random, { a: k, b: k + 1, log: steps[k + 1] ?? 0, timeNs: 1e6 * Math.exp(machine + burst) });
  });
}

describe('the levels of a series of pairs', () => {
  it('change at the commits where pairs are certain, at once and whatever the machine does', () => {
    const steps = { 8: 0.051, 15: 0.14, 22: 0.115, 30: -0.118, 42: 0.182 };
    const points = chain(createRandom('43 commits'), 42, steps);
    const { quantity, changes } = seriesLevels(points);
    expect(quantity).toBe('pairs');
    expect(changes.map(({ at, until, basis }) => [at, until?.id, basis])).toEqual(
      Object.keys(steps).map((commit) => [Number(commit) - 1, `c${commit}`, 'pair']),
    );
    expect(changes.at(-1)?.ratio).toBeCloseTo(1.2, 1);
    expect(seriesLevels(points, { quantity: 'time' }).changes.length).toBeLessThan(5);
  });

  it.each([
    ['where each was compared with the one before', ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']],
    ['where one was not', null],
  ])(
    'are those of the commits as they follow each other also where all were made in one second, as by a rebase, %s',
    (_, order) => {
      const random = createRandom('one second');
      const second = '2026-03-01T00:00:00.000Z';
      // The newest is measured first, gaps later, and the commit that changed is confirmed.
      const asked = [
        { a: 3, b: 3, log: 0, made: 1 },
        { a: 1, b: 1, log: 0, made: 2 },
        { a: 1, b: 3, log: 0, made: 3 },
        { a: 1, b: 2, log: 0, made: 4 },
        ...(order === null ? [] : [{ a: 2, b: 3, log: 0, made: 5 }]),
        { a: 3, b: 4, log: 0.3, made: 6 },
        { a: 4, b: 5, log: 0, made: 7 },
        { a: 5, b: 6, log: 0, made: 8 },
        { a: 3, b: 4, log: 0.3, made: 9 },
      ];
      const points = asked.map((pair): HistoryPoint => {
        const point = pairOf(random, pair);
        const [A, B] = [point.commits.A, point.commits.B].map((one) => ({ ...refOf(0), ...one, committedAt: second }));
        return { ...point, commits: { A: A ?? null, B: B ?? null } };
      });
      const ordered = inOrder(points);
      if (order !== null) expect([...new Set(ordered.map(({ commits: { B } }) => B?.id))]).toEqual(order);
      expect(seriesLevels(ordered).changes.map(({ until, basis }) => [until?.id, basis])).toEqual([
        ['c4', 'confirmed'],
      ]);
    },
  );

  it('follow pairs also where a commit was compared with itself, as the first of a branch is', () => {
    const random = createRandom('first');
    const itself = pairOf(random, { a: 1, b: 1, log: 0 });
    const pairs = [pairOf(random, { a: 1, b: 2, log: 0.2 }), pairOf(random, { a: 2, b: 3, log: 0 })];
    const { quantity, values, changes } = seriesLevels([itself, ...pairs]);
    expect([quantity, values.length, changes.map(({ at }) => at)]).toEqual(['pairs', 3, [1]]);
    expect(values[0]).toBeCloseTo(1, 6);
  });

  it('are drawn as the product of the ratios, weighted where two commits were compared several times', () => {
    const exact = (one: Pair): HistoryPoint => pairOf(createRandom('exact'), { spread: 1e-9, ...one });
    const points = [
      exact({ a: 0, b: 1, log: 0.1 }),
      exact({ a: 1, b: 2, log: 0 }),
      exact({ a: 1, b: 2, log: 0.02, made: 3 }),
    ];
    const { values, levels } = seriesLevels(points);
    expect(values.map((value) => Math.log(value))).toEqual(
      [0.1, 0.11, 0.11].map((log) => expect.closeTo(log, 6) as number),
    );
    expect(levels).toHaveLength(3);
  });

  it('show no change that a repetition does not bear out, and of one that it does the size of the repetition', () => {
    const random = createRandom('repeated');
    const before = pairOf(random, { a: 0, b: 1, log: 0 });
    const slower = { a: 1, b: 2, log: 0.022, spread: 0.03 };
    const [first, again] = [pairOf(random, slower), pairOf(random, { ...slower, made: 5 })];
    expect([first.verdict, again.verdict]).toEqual(['slower', 'slower']);
    expect(seriesLevels([before, first]).changes).toEqual([]);
    expect(seriesLevels([before, first, again]).changes).toMatchObject([
      { basis: 'confirmed', ratio: again.ratio.estimate },
    ]);
    const certain = pairOf(random, { a: 1, b: 2, log: 0.2 });
    const none = pairOf(random, { a: 1, b: 2, log: 0, spread: 0.005, made: 6 });
    expect(none.verdict).toBe('dead-heat');
    expect(seriesLevels([before, certain]).changes).toHaveLength(1);
    expect(seriesLevels([before, certain, none]).changes).toEqual([]);
  });

  it('change between neighbours, once those between the ends of a longer step are measured', () => {
    const random = createRandom('gap');
    const before = pairOf(random, { a: -1, b: 0, log: 0 });
    const long = pairOf(random, { a: 0, b: 9, log: 0.2 });
    expect(seriesLevels([before, long]).changes).toMatchObject([{ after: { id: 'c0' }, until: { id: 'c9' } }]);
    const [first, second] = [
      pairOf(random, { a: 0, b: 5, log: 0.2, made: 10 }),
      pairOf(random, { a: 5, b: 9, log: 0, made: 11 }),
    ];
    expect(seriesLevels([before, first, long, second]).changes).toMatchObject([
      { at: 1, after: { id: 'c0' }, until: { id: 'c5' } },
    ]);
  });

  it('are no pairs where the baseline is a release that moves: one change is not shown again and again', () => {
    const random = createRandom('releases');
    const points = Array.from({ length: 15 }, (_, k) => k + 1).map((b) =>
      pairOf(random, { a: b <= 10 ? 0 : 10, b, log: b >= 3 && b <= 10 ? 0.1 : 0, spread: 0.005 }),
    );
    expect(seriesLevels(points).quantity).toBe('time');
  });

  it('take what most pairs of two commits say', () => {
    const random = createRandom('most');
    const before = pairOf(random, { a: 0, b: 1, log: 0 });
    const pairs = (logs: readonly number[]): readonly HistoryPoint[] =>
      logs.map((log, k) => pairOf(random, { a: 1, b: 2, log, spread: 0.004, made: 10 + k }));
    expect(seriesLevels([before, ...pairs([0.1, -0.1, -0.1, -0.1, -0.1])]).changes).toMatchObject([
      { basis: 'confirmed' },
    ]);
    expect(seriesLevels([before, ...pairs([0, 0, 0, 0.1, 0.1])]).changes).toEqual([]);
  });

  it('show all of seven steps of 5 % in 200 commits, and hardly one that is none', () => {
    const random = createRandom('200 commits');
    const steps: Record<number, Readonly<Record<number, number>>> = {
      0: { 20: 0.05, 120: -0.05 },
      2: { 60: 0.08 },
      3: { 100: 0.05, 180: 0.1 },
      6: { 10: -0.1, 150: 0.06 },
    };
    let found = 0;
    let others = 0;
    for (let series = 0; series < 8; series += 1) {
      const own = steps[series] ?? {};
      for (const { until } of seriesLevels(chain(random, 200, own)).changes) {
        if (own[Number(until?.id.slice(1))] === undefined) others += 1;
        else found += 1;
      }
    }
    expect(found).toBe(7);
    expect(others).toBeLessThanOrEqual(1);
  });

  it('show at most one change in 20 series of 300 commits in which nothing changes, also where what is doubted is repeated', () => {
    const random = createRandom('nothing changes');
    let shown = 0;
    for (let series = 0; series < 20; series += 1) {
      const points = chain(random, 300, {}).flatMap((point, k) =>
        point.verdict === 'slower' || point.verdict === 'faster'
          ? [point, pairOf(random, { a: k, b: k + 1, log: 0, made: 1000 })]
          : [point],
      );
      shown += seriesLevels(points).changes.length;
    }
    expect(shown).toBeLessThanOrEqual(1);
  });
});
