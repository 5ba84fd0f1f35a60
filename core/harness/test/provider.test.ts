import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { matchers } from '../src/assert/index.ts';
import {
  createProvider,
  type BenchmarkGroup,
  type CallResults,
  type MeasuredApart,
  type TriedCalls,
} from '../src/vitest/provider.ts';

function group(names: readonly string[], test: Partial<BenchmarkGroup['test']> = {}): BenchmarkGroup {
  return {
    test: {
      id: '1_0',
      fullTestName: 'sorting',
      file: { name: 'sort.bench.ts', filepath: '/sort.bench.ts' },
      timeout: 0,
      context: { signal: new AbortController().signal, skip: () => expect.fail('skipped') },
      ...test,
    },
    config: { retainSamples: false },
    registrations: names.map((name) => ({ name, fn: sum })),
    options: { time: 5 },
  };
}

function sum(): number {
  let total = 0;
  for (let i = 0; i < 1000; i++) total += Math.sqrt(i);
  return total;
}

const sure = { blocks: 6, metric: 'cpu' } as const;
const apart: MeasuredApart = {
  timesNs: [[1e6], [2e6, 2e6], [3e6]],
  toFirst: [
    { ...sure, estimate: 1, low: 1, high: 1, blocks: Infinity },
    { ...sure, estimate: 2, low: 2 / 1.03, high: 2 * 1.03 },
    { ...sure, estimate: 3, low: 3 / 1.04, high: 3 * 1.04, blocks: 5 },
  ],
};

describe('the provider of vitest 5', () => {
  expect.extend(matchers);

  it('judges results of pairs of processes, two that are not the first through the first', async () => {
    const [first, second, third] = await createProvider(async () => Promise.resolve(apart)).run(group(['a', 'b', 'c']));
    expect([first, second, third].map((one) => one?.latency.mean)).toEqual([1, 2, 3]);
    expect(second).toBeSlowerThan(first, { delta: 0.9 });
    // The logarithms of 1.03 and 1.04 add up in squares to that of 1.0503.
    expect(() => expect(third).toBeFasterThan(second)).toThrow(
      'was: +50.0 % [+42.8 %, +57.6 %] (95 % interval, CPU time, 5 pairs of processes)',
    );
    expect(() => expect(second).toBeFasterThan(first)).toThrow('+100.0 % [+94.2 %, +106.0 %]');
  });

  it('measures in its own process where there are no others, and says why', async () => {
    const warn = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const provider = createProvider(async () => Promise.resolve('there is no room'));
    await provider.run(group(['a', 'b']));
    const [a, b] = await provider.run(group(['a', 'b']));
    expect(() => expect(a).toBeFasterThan(b, { delta: 0.99 })).toThrow(
      /blocks in one process; not in two processes: there is no room\)/,
    );
    expect(warn.mock.calls).toEqual([['deadheat: bench.compare measures in one process: there is no room\n']]);
    warn.mockRestore();
  });

  it('knows functions that wait, and how long the slowest takes', async () => {
    const found: TriedCalls[] = [];
    const provider = createProvider(async (_, { tryCalls }) => {
      found.push(await tryCalls());
      return Promise.resolve(apart);
    });
    const computing = group(['a', 'b', 'c']);
    await provider.run(computing);
    await provider.run({
      ...computing,
      registrations: [...computing.registrations, { name: 'd', fn: async () => setTimeout(100) }],
    });
    const waiting = [100, 200].map((ms) => ({ name: `waits ${ms}`, fn: async () => setTimeout(ms) }));
    await provider.run({ ...computing, registrations: waiting });
    expect(found.map(({ waits }) => waits)).toEqual([false, true, true]);
    expect(found[1]?.callMs).toBeGreaterThan(90);
    expect(found[2]?.callMs).toBeGreaterThan(190);
  });

  it('hands the results of the calls before to a process that repeats one, anew in each try of a test', async () => {
    const seen: CallResults[] = [];
    const provider = createProvider(async (_, { earlier }) => {
      seen.push(earlier);
      return Promise.resolve(apart);
    });
    const once = group(['a', 'b', 'c']);
    const alone = await provider.run({ ...once, registrations: once.registrations.slice(0, 1) });
    await provider.run(once);
    const { test } = once;
    Object.assign(test, { result: { retryCount: 1 } });
    await provider.run(once);
    expect(seen).toEqual([[alone], []]);
  });
});
