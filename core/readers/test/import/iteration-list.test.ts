import { describe, expect, it } from 'vitest';
import { BenchmarkSet } from '../../src/import/benchmark-set.ts';
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
});

describe('a set of benchmarks', () => {
  it('refuses more runs than it can hold by a named error', () => {
    const set = new BenchmarkSet('runs.csv', { mostRuns: 3 });
    for (const label of ['1', '2', '3', '1']) set.run({ name: 'x' }, label).push({ durationNs: 1 });
    expect(() => set.run({ name: 'x' }, '4')).toThrow(
      expect.objectContaining({
        code: 'TOO_LARGE',
        message: expect.stringContaining('runs.csv holds more than 3 runs'),
      }),
    );
  });

  it('keeps times and other numbers by a clock that begins with its first iteration', () => {
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
