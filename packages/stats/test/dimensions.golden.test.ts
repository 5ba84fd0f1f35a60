import { describe, expect, test } from 'vitest';
import { levelRepetitions } from '../src/index.ts';
import { golden, number } from './golden.ts';

describe('14: repetitions of each level', () => {
  for (const c of golden('14-dimensions').cases) {
    test(c.id, () => {
      const levels = c.input.cost.map((cost: number, i: number) => ({ cost, variance: c.input.variance[i] }));
      const expected = c.expected.map((e: { nr: number | string | null }) => (e.nr === null ? null : number(e.nr)));
      expect(levelRepetitions(levels)).toEqual(expected);
    });
  }
});
