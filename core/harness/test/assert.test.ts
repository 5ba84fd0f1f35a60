import { AssertionError } from 'node:assert';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { judgeTogether, type Judgement } from '../src/assert/assert.ts';
import { matchers, notSlower } from '../src/assert/index.ts';
import { measuredResults } from '../src/assert/matchers.ts';
import type { Contestant } from '../src/assert/measure-together.ts';

/** A machine whose clock its functions move: a slot costs 20 µs beside its invocations, and other work takes a fifth of the slots off the core, for 4 ms. */
function machine(seed: string) {
  const random = createRandom(seed);
  let wall = 0n;
  let cpu = 0;

  function takingNs(ns: number, { waits = 0 } = {}): Contestant {
    return {
      worker: ({ invocations, times }) => {
        times[0] = wall;
        const work = 2e4 + ns * invocations * Math.exp(0.03 * random.normal());
        cpu += work;
        wall += BigInt(Math.round(work + waits * invocations + (random.next() < 0.2 ? 4e6 : 0)));
        times[1] = wall;
        return undefined;
      },
    };
  }

  return { takingNs, clock: { wall: () => wall, cpu: () => cpu }, usedMs: () => Number(wall) / 1e6 };
}

function judged(seed: string, ratio: number, options: { readonly waits?: number; readonly budget?: number } = {}) {
  const { takingNs, clock, usedMs } = machine(seed);
  const { waits = 0, budget = 400 } = options;
  const both = [takingNs(2000 * ratio, { waits: waits * ratio }), takingNs(2000, { waits })] as const;
  return { ...(judgeTogether(both, 'slower', { by: '5%', budget, clock }) as Judgement), usedMs: usedMs() };
}

describe('two functions in one process', () => {
  it('are not slower by 5 % where they are the same, and are where they are slower by 5 %, at the level', () => {
    const n = draws(1000);
    const outcomes = [1, 1.05].map((ratio) =>
      Array.from({ length: n }, (_, i) => judged(`${ratio} ${i}`, ratio).outcome),
    );
    const [same = 0, slower = 0] = outcomes.map((all) => all.filter((one) => one === 'within').length / n);
    // Four standard errors of a share of 2.5 %.
    const slack = 4 * Math.sqrt((0.025 * 0.975) / n);
    expect(same).toBeGreaterThan(0.97);
    expect(slower).toBeLessThan(0.025 + slack);
  });

  it('keep to the budget, and say what it leaves undecided', () => {
    // At the limit one in twenty is decided all the same, by the order that is drawn.
    const attempts = Array.from({ length: 8 }, (_, i) => judged(`budget ${i}`, 1.05, { budget: 200 }));
    const open = attempts.find(({ outcome }) => outcome === 'undecided');
    const { usedMs, sentence } = open ?? { usedMs: Number.NaN, sentence: '' };
    // A block more, of 4 slots of 1 ms that may all be interrupted.
    expect(usedMs).toBeLessThan(200 + 4 * 5.5);
    expect(sentence).toMatch(/after 200 ms: the interval holds the limit; give it more time/);
    expect(judged('none', 1.5, { budget: 0.1 }).sentence).toMatch(/^not even one round of both fits into 0.1 ms/);
  });

  it('are compared by CPU time unless they wait', () => {
    expect(judged('works', 1.2).ratio.metric).toBe('cpu');
    const { outcome, ratio } = judged('waits', 1.5, { waits: 1e5, budget: 8000 });
    expect({ outcome, metric: ratio.metric }).toEqual({ outcome: 'beyond', metric: 'wall' });
  });
});

function sum(n: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) total += Math.sqrt(i);
  return total;
}

function short(): number {
  return sum(1000);
}

function long(): number {
  return sum(4000);
}

describe('an assertion', () => {
  expect.extend(matchers);

  it('fails with the ratio, its interval and how it was measured', () => {
    expect(() => notSlower({}, long, short, { budget: 1000 })).toThrow(AssertionError);
    const message = /^Expected not to be slower by more than 5 %, .*\d %.* in one process\)/;
    expect(() => notSlower({}, long, short, { budget: 1000 })).toThrow(message);
    expect(() => expect(long).not.toBeSlowerThan(short, { by: 0.05, budget: 1000 })).toThrow(message);
    expect(() => expect(long).toBeFasterThan(short, { by: '0%', budget: 1000 })).toThrow(/^Expected to be faster, /);
  });

  it('of functions that return promises is a promise', async () => {
    await expect(notSlower({}, async () => long(), short, { budget: 1000 })).rejects.toThrow(
      /Expected not to be slower/,
    );
  });

  it('throws what a function throws, and refuses limits and budgets that are none', () => {
    function fails(): never {
      throw new Error('on purpose');
    }

    expect(() => notSlower({}, short, fails)).toThrow('on purpose');
    expect(() => notSlower({}, short, short, { by: 5 })).toThrow(/share in \[0, 1\) or a text such as '5%', got 5/);
    expect(() => notSlower({}, short, short, { budget: 0 })).toThrow(/budget must be a time above 0 ms, got 0/);
    expect(() => expect(1).toBeSlowerThan(2)).toThrow(/two functions, or two results/);
  });

  it('of results judges the interval where they were measured together, and the means where they were not', () => {
    const [one, other, alone] = [
      { latency: { mean: 99 } },
      { latency: { mean: 100 } },
      { latency: { mean: 80 } },
    ] as const;
    const ratio = { estimate: 1.3, low: 1.2, high: 1.4, blocks: 10, metric: 'cpu' } as const;
    const measured = { ratio: () => ratio, how: () => 'as measured' };
    measuredResults.set(one, { measured, index: 0 });
    measuredResults.set(other, { measured, index: 1 });
    expect(() => expect(one).toBeFasterThan(other)).toThrow('but was: +30.0 % [+20.0 %, +40.0 %] (as measured)');
    expect(alone).toBeFasterThan(other, { delta: 0.1 });
    expect(() => expect(other).toBeFasterThan(alone)).toThrow(
      /\+25\.0 % by the means alone: .* not measured by one bench/,
    );
  });
});
