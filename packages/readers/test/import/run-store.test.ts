import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { checkRuns, RunStore } from '../../src/import/run-store.ts';

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
