import { describe, expect, test } from 'vitest';
import { levelRepetitions } from '../src/index.ts';
import { close, golden, number } from './golden.ts';

const file = golden('14-dimensions');

describe('14: repetitions of each level', () => {
  for (const c of file.cases) {
    test(c.id, () => {
      const levels = c.input.cost.map((cost: number, i: number) => ({ cost, variance: c.input.variance[i] }));
      const expected = c.expected.map((e: { nr: number | string | null }) => (e.nr === null ? null : number(e.nr)));
      expect(levelRepetitions(levels)).toEqual(expected);
    });
  }
  test('two levels in place of three', () => {
    const { var_B, var_S, var_R, cost_measurement, cost_run } = file.substitution.input;
    for (const [name, lower, upper] of [
      ['very_short_runs', var_B, var_R + var_S],
      ['very_long_runs', var_B + var_S, var_R],
    ] as const) {
      const e = file.substitution.expected[name];
      close(lower, e.var_L1, 1e-12, 0, `${name}, lower`);
      close(upper, e.var_L2, 1e-12, 0, `${name}, upper`);
      const levels = [
        { cost: cost_measurement, variance: lower },
        { cost: cost_run, variance: upper },
      ];
      expect(levelRepetitions(levels)).toEqual([e.nr]);
    }
  });
});
