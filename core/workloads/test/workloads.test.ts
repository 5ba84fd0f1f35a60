import { describe, expect, it } from 'vitest';
import {
  cacheWork,
  createCacheData,
  floatWork,
  integerWork,
  createMemoryData,
  memoryWork,
  stepsPerUnit,
  workloadNames,
  workloads,
} from '../src/javascript/workloads.ts';
import { runAlone, workloadCommand } from '@deadheat/workloads';
import { noCompiler } from './support.ts';

/** Counts the loads of a walk, and where they went. */
function watched(data: Uint32Array): { readonly data: Uint32Array; readonly loads: number[] } {
  const loads: number[] = [];

  function get(target: Uint32Array, key: string | symbol): unknown {
    loads.push(Number(key));
    return Reflect.get(target, key) as unknown;
  }

  return { data: new Proxy(data, { get }), loads };
}

/** Results of 0, 1, 7 and 1000 units; they change when a step or the number of steps does. */
const golden: Readonly<Record<(typeof workloadNames)[number], readonly number[]>> = {
  integer: [2463534242, 3960918577, 1115705275, 196514455],
  float: [0.5, 0.3158044623339584, 0.756752781940089, 0.9203768694495417],
  cache: [0, 1253066592, 1021423828, 1030938672],
  memory: [0, 14608148, 13065164, 12463392],
};
const amounts = [0, 1, 7, 1000];

describe('an artificial workload', () => {
  it.each(workloadNames)('%s computes the same from the same amount, whenever and wherever', (name) => {
    const work = workloads[name].prepare();
    expect(amounts.map(work)).toEqual(golden[name]);
    expect(amounts.map(workloads[name].prepare())).toEqual(golden[name]);
  });

  it.skipIf(noCompiler !== null).each(workloadNames)('%s computes the same as a program in C', (workload) => {
    const runs = amounts.map((amount) => runAlone({ workload, amount, iterations: 2 }, 'c'));
    expect(runs.map(({ result }) => result)).toEqual(golden[workload]);
    expect(runs.map(({ iterations }) => iterations.length)).toEqual([2, 2, 2, 2]);
  });

  it('computes the same as a program in JavaScript', () => {
    const { iterations, result } = runAlone({ workload: 'cache', amount: 7, iterations: 3 }, 'js');
    expect(result).toBe(golden.cache[2]);
    expect(iterations).toHaveLength(3);
    expect(iterations.every(({ startNs, endNs }) => endNs > startNs)).toBe(true);
  });

  it('walks over another working set when told to, in JavaScript as in C', () => {
    const order = { amount: 1000, iterations: 1, workingSetBytes: 32 * 1024 };
    for (const workload of ['cache', 'memory'] as const) {
      const result = workloads[workload].prepare(order.workingSetBytes)(order.amount);
      expect(result).not.toBe(golden[workload][3]);
      expect(runAlone({ ...order, workload }, 'js').result).toBe(result);
      if (noCompiler === null) expect(runAlone({ ...order, workload }, 'c').result).toBe(result);
    }
    expect(() => workloadCommand({ ...order, workload: 'integer' }, 'js')).toThrow('integer has no working set');
    expect(() => workloadCommand({ ...order, workload: 'cache', workingSetBytes: 5000 }, 'js')).toThrow(RangeError);
  });

  it('integer does as many steps as its amount says', () => {
    const mask = 0xffffffffn;
    let x = 2463534242n;
    for (let step = 0; step < 7 * stepsPerUnit; step++) {
      x ^= (x << 13n) & mask;
      x ^= x >> 17n;
      x ^= (x << 5n) & mask;
    }
    expect(integerWork(7)).toBe(Number(x));
  });

  it('float does as many steps as its amount says, in the range of the map', () => {
    const orbit = [0.5];
    for (let step = 0; step < 7 * stepsPerUnit; step++) orbit.push(3.7 * orbit[step]! * (1 - orbit[step]!));
    expect(floatWork(7)).toBe(orbit.at(-1));
    // 3.7 x (1 - x) is largest at 0.5, and that largest value is mapped to the smallest.
    expect(Math.max(...orbit)).toBeLessThanOrEqual(0.925);
    expect(Math.min(...orbit)).toBeGreaterThanOrEqual(3.7 * 0.925 * 0.075 - 1e-12);
  });

  it('cache loads from each cache line of 4 MiB in turn', () => {
    const { data, loads } = watched(createCacheData());
    expect(cacheWork(700, data)).toBe(cacheWork(700, createCacheData()));
    expect(createCacheData().byteLength).toBe(4 * 2 ** 20);
    const walk = loads.filter((at) => Number.isInteger(at));
    expect(walk.length).toBe(700 * stepsPerUnit);
    // 4 MiB are 65 536 lines of 16 words; after the last the first comes again.
    expect(walk.every((at, step) => at === (16 * step) % 2 ** 20)).toBe(true);
  });

  it('memory loads from places that only the load before names, and from all of 64 MiB in a round', () => {
    const next = createMemoryData();
    expect(next.byteLength).toBe(64 * 2 ** 20);
    const { data, loads } = watched(next);
    expect(memoryWork(20, data)).toBe(memoryWork(20, next));
    expect(loads.length).toBe(20 * stepsPerUnit);
    expect(new Set(loads).size).toBe(loads.length);
    // Going on where the last walk ended is the same walk.
    expect(memoryWork(13, next, memoryWork(7, next))).toBe(memoryWork(20, next));
    const seen = new Uint8Array(next.length);
    for (const slot of next) seen[slot] = 1;
    expect(seen.every((visited) => visited === 1)).toBe(true);
  });
});
