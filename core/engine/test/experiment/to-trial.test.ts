import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { toTrial } from '../../src/experiment/to-trial.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameShape = runInNewContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;

describe('a trial', () => {
  function trialOf(run: number): ReturnType<typeof toTrial> {
    const execution = {
      startNs: 1e9 * run,
      endNs: 1e9 * run + 1e6,
      userNs: 1000,
      systemNs: 10,
      runDelayNs: 5,
      maxRssBytes: null,
      voluntarySwitches: 1,
      involuntarySwitches: 0,
      exitCode: 0,
      signal: null,
    };
    const side = { executions: [execution], strays: 0, stderrBytes: 0, stopped: false, observed: null };
    return toTrial({
      trial: run,
      host: null,
      layout: null,
      planned: {
        benchmark: 0,
        method: 'sync-duet',
        run,
        phase: 'measure',
        order: 'AB',
        cpus: { A: [0], B: [1] },
        padBytes: { A: run, B: 7 },
      },
      outcome: { sides: { A: side, B: side }, failures: [] },
      records: { A: null, B: null },
      selfTimed: false,
      counting: false,
      noise: { stealNs: 0, throttledNs: 0, contextSwitches: 1 },
      wallNs: 1e6,
    });
  }

  it('has the shape of every other one, so that a thousand of them take the memory of their numbers', () => {
    // The first ones share a shape however they are made.
    const trials = Array.from({ length: 100 }, (_, run) => trialOf(run));
    const [first = trialOf(0), second = trialOf(1)] = trials.slice(-2);
    expect(haveSameShape(first, second)).toBe(true);
    for (const side of ['A', 'B'] as const) {
      expect(haveSameShape(first.sides[side], second.sides[side])).toBe(true);
      const [a, b] = [first.sides[side].iterations[0], second.sides[side].iterations[0]];
      expect(haveSameShape(a ?? {}, b ?? {})).toBe(true);
    }
  });
});
