import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/import/import-source.ts';
import { HistogramStore } from '../../src/import/histogram-store.ts';
import { importFile } from '../../src/import/import-file.ts';
import { checkRuns, RunStore, SingleRuns } from '../../src/import/run-store.ts';

const entries = (store: RunStore, run: number): readonly (readonly [ns: number, invocations: number])[] => {
  const list = store.iterationsOf(run);
  const held = list.metric('n');
  return Array.from(list.durationsNs, (ns, row) => [ns, held?.[row] ?? 1] as const);
};

describe('a store of runs', () => {
  it('gives back what was put in, whatever the order of the runs', () => {
    const store = new RunStore();
    const expected = new Map<number, number[]>();
    const random = createRandom('runs in any order');
    for (let k = 0; k < 5000; k++) {
      const run = random.int(40);
      while (store.runs <= run) expected.set(store.addRun(), []);
      store.push(run, 1000 + k, 1);
      expected.get(run)?.push(1000 + k);
    }
    for (const [run, times] of expected) {
      expect(entries(store, run)).toEqual(times.map((ns) => [ns, 1]));
      expect(store.iterationsOf(run).metric('n')).toBeNull();
    }
    expect(store.group).toBe(1);
  });

  it('makes one of neighbours when it is full, and keeps the time and the invocations of every run', () => {
    for (const holdsSeveral of [false, true]) {
      const store = new RunStore({ mostBytes: 64 * 16 });
      const random = createRandom('a full store');
      const sums = new Map<number, { ns: number; held: number; count: number }>();
      for (let k = 0; k < 20_000; k++) {
        const run = random.int(7);
        while (store.runs <= run) sums.set(store.addRun(), { ns: 0, held: 0, count: 0 });
        const held = holdsSeveral && k > 50 ? 1 + random.int(3) : 1;
        store.push(run, 1000 * (k + 1), held);
        const sum = sums.get(run);
        if (sum !== undefined)
          Object.assign(sum, { ns: sum.ns + 1000 * (k + 1), held: sum.held + held, count: sum.count + 1 });
      }
      // 20 000 iterations in 128 places at the most: 160 in each, which is between two powers of two.
      expect(store.group).toBeGreaterThanOrEqual(256 / (holdsSeveral ? 1 : 2));
      for (const [run, sum] of sums) {
        const found = entries(store, run);
        expect(found).toHaveLength(Math.ceil(sum.count / store.group));
        expect(found.reduce((total, [ns]) => total + ns, 0)).toBe(sum.ns);
        expect(found.reduce((total, [, held]) => total + held, 0)).toBe(sum.held);
        if (!holdsSeveral) expect(found.slice(0, -1).every(([, held]) => held === store.group)).toBe(true);
      }
    }
  });

  it('merges iterations that followed each other', () => {
    const store = new RunStore({ mostBytes: 8 * 4 });
    const run = store.addRun();
    for (const ms of [1, 2, 3, 4, 5, 6, 7]) store.push(run, ms * 1e6, 1);
    // The fifth made one of each two: 1 + 2, 3 + 4, and 5 waits for 6.
    expect(entries(store, run)).toEqual([
      [3e6, 2],
      [7e6, 2],
      [11e6, 2],
      [7e6, 1],
    ]);
  });

  it('refuses more runs than it can hold by a named error', () => {
    expect(() => checkRuns({ runs: 2 ** 20 } as RunStore, 'large.json')).toThrow(
      expect.objectContaining({
        code: 'TOO_LARGE',
        message: expect.stringMatching(/^large\.json holds more than.*Split it/),
      }),
    );
    expect(() => checkRuns(new RunStore(), 'small.json')).not.toThrow();
  });
});

describe('runs of one iteration each', () => {
  const timesOf = (runs: SingleRuns): readonly (readonly [ns: number, invocations: number, cpuNs: number | null])[] =>
    runs.benchmark({ name: 'count' }).runs.map(({ iterations: one }) => {
      expect(one.length).toBe(1);
      return [one.durationsNs[0] ?? 0, one.metric('n')?.[0] ?? 1, one.metric('c')?.[0] ?? null];
    });

  it('are given back as they were put in', () => {
    const runs = new SingleRuns();
    for (let run = 0; run < 100; run++) runs.push(2000 + run, 1500 + run);
    expect(timesOf(runs)).toEqual(Array.from({ length: 100 }, (_, run) => [2000 + run, 1, 1500 + run]));
    expect(runs.benchmark({ name: 'count' }).runs.map(({ label }) => label).slice(0, 2)).toEqual(['0', '1']); // prettier-ignore
    expect(runs.group).toBe(1);
  });

  it('are put together by neighbours when there are too many, and keep the sum of their times', () => {
    for (const count of [33, 64, 100, 1000]) {
      const runs = new SingleRuns({ mostRuns: 32 });
      for (let run = 0; run < count; run++) runs.push(2000 + run, 1500 + run);
      const found = timesOf(runs);
      expect(found.length).toBeLessThanOrEqual(32);
      expect(found.length).toBe(Math.ceil(count / runs.group));
      let first = 0;
      for (const [ns, invocations, cpuNs] of found) {
        const size = Math.min(runs.group, count - first);
        const firsts = Array.from({ length: size }, (_, k) => first + k).reduce((sum, run) => sum + run, 0);
        expect([ns, invocations, cpuNs]).toEqual([2000 * size + firsts, size, 1500 * size + firsts]);
        first += size;
      }
      expect(first).toBe(count);
    }
  });

  it('of a file of hyperfine may be more than 1 Mi, with a warning', async () => {
    const count = 2 ** 20 + 5;
    const times = Array.from({ length: count }, (_, run) => (run % 2 === 0 ? '1' : '3')).join(',');
    const text = `{"results":[{"command":"count","mean":2,"times":[${times}],"exit_codes":[0]}]}`;
    const file = await importFile(bytesSource(Buffer.from(text), 'many.json'), { format: 'hyperfine' });
    const runs = file.benchmarks[0]?.runs ?? [];
    expect(runs.length).toBe(Math.ceil(count / 2));
    expect(runs[0]?.iterations.durationsNs).toEqual(Float64Array.of(4e9));
    expect(runs[0]?.iterations.metric('n')).toEqual(Float64Array.of(2));
    expect(file.limits.find(({ code }) => code === 'ITERATIONS_MERGED')?.message).toContain('each 2 that followed');
  });

  it('of a file of hyperfine are refused with their place where one is no time', async () => {
    for (const [bad, found] of [
      ['-1', 'expected a number of at least 0, found -1'],
      ['"x"', 'expected a number of at least 0, found "x"'],
      ['[1]', 'expected a number of at least 0, found an array'],
      ['{"a":[1]}', 'expected a number of at least 0, found an object'],
      ['1e300', 'expected a number of at most 10000000000000000000, found 1e+300'],
    ]) {
      const text = `{"results":[{"command":"count","mean":2,"times":[1,${bad},"y",2]}]}`;
      const reading = importFile(bytesSource(Buffer.from(text), 'bad.json'), { format: 'hyperfine' });
      await expect(reading).rejects.toMatchObject({
        code: 'MALFORMED_FILE',
        jsonPath: '$.results[0].times[1]',
        message: expect.stringContaining(found ?? ''),
      });
    }
  });
});

describe('a store of histograms', () => {
  const random = createRandom('histograms');
  /** 200 times of 1 to about 8 us, in any order, and how many invocations took each. */
  const histogram = (): number[] =>
    Array.from({ length: 200 }, () => [
      Math.round(1000 * Math.exp(2 * random.next())) / 1000,
      1 + random.int(400),
    ]).flat();
  const pairsOf = (pairs: readonly number[]): readonly (readonly [time: number, count: number])[] =>
    Array.from({ length: pairs.length / 2 }, (_, at) => [pairs[2 * at] ?? 0, pairs[2 * at + 1] ?? 0]);

  it('gives back the counts of every time, in the order of times', () => {
    const store = new HistogramStore();
    store.keep(3, [2, 1, 1, 3, 2, 300], 1000);
    store.keep(3, [], 1000);
    expect(store.of(3)?.map(({ values, counts }) => [Array.from(values), Array.from(counts)])).toEqual([
      [[1000, 2000], [3, 301]],
      [[], []],
    ]); // prettier-ignore
    expect(store.of(0)).toBeUndefined();
    expect(store.precision).toBe(0);
  });

  it('keeps number and mean of the invocations when it is full, and every time as its precision says', () => {
    const store = new HistogramStore({ mostBytes: 60_000 });
    const given = Array.from({ length: 80 }, histogram);
    for (const [index, pairs] of given.entries()) store.keep(index % 7, pairs, 1000);
    const precision = store.precision ?? Number.NaN;
    expect(precision).toBeGreaterThan(0);
    let bins = 0;
    for (const [index, pairs] of given.entries()) {
      const { values, counts } = store.of(index % 7)?.[Math.floor(index / 7)] ?? { values: [], counts: [] };
      bins += values.length;
      const total = pairsOf(pairs).reduce((sum, [, count]) => sum + count, 0);
      const time = pairsOf(pairs).reduce((sum, [one, count]) => sum + 1000 * one * count, 0);
      expect(Array.from(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(Array.from(values).reduce((sum, one, at) => sum + one * (counts[at] ?? 0), 0) / time).toBeCloseTo(1, 5);
      // What was put together at one precision was put together again at twice it.
      const nearest = (one: number): number => Math.min(...Array.from(values, (other) => Math.abs(other / one - 1)));
      for (const [one] of pairsOf(pairs)) expect(nearest(1000 * one)).toBeLessThanOrEqual(2 * precision);
    }
    expect(bins * 5 + given.length * 400).toBeLessThanOrEqual(60_000);
  });

  it('keeps none where there are too many iterations', () => {
    const store = new HistogramStore({ mostBytes: 10_000 });
    for (let k = 0; k < 100; k++) store.keep(0, histogram(), 1000);
    expect(store.precision).toBeNull();
    expect(store.of(0)).toBeUndefined();
  });
});
