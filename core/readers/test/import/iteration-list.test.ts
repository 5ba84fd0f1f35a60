import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { BenchmarkSet } from '../../src/import/benchmark-set.ts';
import { bytesSource } from '../../src/import/import-source.ts';
import { importFile } from '../../src/import/import-file.ts';
import { IterationList } from '../../src/import/iteration-list.ts';

describe('a list of iterations', () => {
  it('has a thousand times as many invocations where a time is short', () => {
    const list = new IterationList();
    list.push({ durationNs: 5, invocations: 2 });
    list.setMetric('c', 4);
    list.push({ durationNs: 3000 });
    list.setMetric('c', 2000);
    list.setMetric('B/op', 16);
    expect(list.durationsNs).toEqual(Float64Array.of(5000, 3_000_000));
    expect(list.metric('n')).toEqual(Float64Array.of(2000, 1000));
    expect(list.metric('c')).toEqual(Float64Array.of(4000, 2_000_000));
    expect(list.metric('B/op')).toEqual(Float64Array.of(Number.NaN, 16));
  });

  it('adds up times, invocations and CPU time of neighbours, and keeps the means of other numbers', () => {
    const list = new IterationList();
    for (const k of [1, 2, 3, 4, 5]) {
      list.push({ durationNs: k * 1e6, invocations: k });
      list.setMetric('c', k * 1e5);
      list.setMetric('B/op', 10 * k);
      if (k === 1) list.setMetric('rare', 1);
    }
    list.halve();
    list.push({ durationNs: 6e6, invocations: 6 });
    list.setMetric('c', 6e5);
    list.setMetric('B/op', 60);
    list.push({ durationNs: 7e6, invocations: 7 });
    list.setMetric('c', 7e5);
    list.setMetric('B/op', 70);
    expect([list.group, list.length]).toEqual([2, 4]);
    expect(list.durationsNs).toEqual(Float64Array.of(3e6, 7e6, 11e6, 7e6));
    expect(list.metric('n')).toEqual(Float64Array.of(3, 7, 11, 7));
    expect(list.metric('c')).toEqual(Float64Array.of(3e5, 7e5, 11e5, 7e5));
    // By invocations: (10 · 1 + 20 · 2) / 3 and so on.
    expect(list.metric('B/op')).toEqual(Float64Array.of(50 / 3, 250 / 7, 610 / 11, 70));
    expect(list.metric('rare')).toEqual(Float64Array.of(Number.NaN, Number.NaN, Number.NaN, Number.NaN));
  });

  it('is not merged where its iterations have starts or phases', () => {
    const timed = new IterationList(4);
    timed.push({ durationNs: 1e6, startNs: 0 });
    timed.push({ durationNs: 1e6, startNs: 2e6 });
    timed.halve();
    expect([timed.group, timed.length, timed.mergeableBytes]).toEqual([1, 2, 0]);
    const phased = new IterationList();
    phased.push({ durationNs: 1e6, warmup: true });
    phased.push({ durationNs: 1e6 });
    phased.halve();
    expect([phased.group, phased.measured]).toEqual([1, 1]);
  });
});

describe('a set of benchmarks', () => {
  it('merges neighbours when it is full, and keeps time and invocations of every run', () => {
    const set = new BenchmarkSet('x', { mostBytes: 64 * 1024, rowsUntilCount: 100, mostRuns: 100 });
    const random = createRandom('a full set');
    const sums = new Map<string, { ns: number; held: number; count: number }>();
    for (let k = 0; k < 100_000; k++) {
      const label = String(random.int(k < 50_000 ? 3 : 7));
      const invocations = 1 + random.int(3);
      const durationNs = 1000 * (k + 1);
      set.run({ name: 'x' }, label).push({ durationNs, invocations });
      const { ns, held, count } = sums.get(label) ?? { ns: 0, held: 0, count: 0 };
      sums.set(label, { ns: ns + durationNs, held: held + invocations, count: count + 1 });
    }
    const [{ runs } = { runs: [] }] = set.benchmarks();
    expect(runs.map(({ label }) => label).toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    for (const { label, iterations } of runs) {
      const { ns = 0, held = 0, count = 0 } = sums.get(label) ?? {};
      // 100 000 iterations of 8 to 16 bytes in 64 KiB.
      expect(iterations.group).toBeGreaterThanOrEqual(16);
      expect(iterations).toHaveLength(Math.ceil(count / iterations.group));
      expect(iterations.durationsNs.reduce((sum, value) => sum + value, 0)).toBe(ns);
      expect(iterations.metric('n')?.reduce((sum, value) => sum + value, 0)).toBe(held);
    }
  });

  it('refuses more runs than it can hold by a named error', () => {
    const set = new BenchmarkSet('runs.csv', { mostBytes: 1e6, rowsUntilCount: 100, mostRuns: 3 });
    for (const label of ['1', '2', '3', '1']) set.run({ name: 'x' }, label).push({ durationNs: 1 });
    expect(() => set.run({ name: 'x' }, '4')).toThrow(
      expect.objectContaining({
        code: 'TOO_LARGE',
        message: expect.stringContaining('runs.csv holds more than 3 runs'),
      }),
    );
  });

  it('of a file of more iterations than fit is told', async () => {
    // 9 Mi iterations, each of 8 bytes, since they are no whole ns.
    const rows = Buffer.from('1.5\n2.5\n'.repeat(2 ** 18));
    const source = {
      path: 'large.csv',
      chunks: async function* (): AsyncGenerator<Buffer> {
        yield Buffer.from('ns\n');
        for (let piece = 0; piece < 18; piece++) yield rows;
      },
    };
    const options = { format: 'csv', columns: { time: 'ns' }, unit: 'ns' } as const;
    const { benchmarks, limits } = await importFile(source, options);
    const list = benchmarks[0]?.runs[0]?.iterations;
    expect(list).toHaveLength((18 * 2 ** 19) / 2);
    expect(new Set(list?.durationsNs)).toEqual(new Set([4000]));
    expect(limits.map(({ code }) => code)).toContain('ITERATIONS_MERGED');
    const few = await importFile(bytesSource(Buffer.from('ns\n1.5\n2.5\n'), 'few.csv'), options);
    expect(few.limits.map(({ code }) => code)).not.toContain('ITERATIONS_MERGED');
  });

  it('has the same starts and ends after those of many long lists were asked for', () => {
    const lists = Array.from({ length: 40 }, (_, l) => IterationList.of(new Float64Array(150_000).fill(1e6 + l), null));
    const ends = lists.map(({ endsNs }) => [endsNs[0], endsNs.at(-1)]);
    expect(ends[39]).toEqual([1e6 + 39, 150_000 * (1e6 + 39)]);
    expect(lists.map(({ startsNs, endsNs }) => [startsNs[1], endsNs.at(-1)])).toEqual(ends);
    expect(lists[0]?.indices.subarray(0, 3)).toEqual(Float64Array.of(0, 1, 2));
  });

  it('has the same times and other numbers after those of many long lists were asked for', () => {
    const length = 60_000;
    const lists = Array.from({ length: 40 }, (_, l) => {
      const list = new IterationList();
      for (let k = 0; k < length; k++) {
        list.push({ durationNs: 500 + l + (k % 7), startNs: 1e18 + k * 2048 });
        list.setMetric('c', 300 + l + (k % 5));
      }
      list.beginClockAt(1e18);
      return list;
    });
    const seen = (list: IterationList): readonly unknown[] => [
      list.length,
      list.durationsNs[6],
      list.metric('c')?.at(-1),
      list.startsNs[1],
      list.endsNs[1],
      list.metrics,
    ];
    const first = lists.map(seen);
    expect(first[39]).toEqual([length, 545, 300 + 39 + ((length - 1) % 5), 2048, 2048 + 540, ['c']]);
    expect(lists.map(seen)).toEqual(first);
    expect(() => lists[0]?.push({ durationNs: 1, startNs: 2e18 })).toThrow('behind those that were asked for');
  });
});
