import { describe, expect, test } from 'vitest';
import {
  normalCdf,
  normalLogCdf,
  normalLogSf,
  normalQuantile,
  normalSf,
  studentTCdf,
  studentTLogCdf,
  studentTLogSf,
  studentTQuantile,
  studentTSf,
} from '../src/index.ts';
import { close, golden, number } from './golden.ts';

describe('04: tails and quantiles of normal and t', () => {
  const file = golden('04-distributions');

  function tolerance(df: number): number {
    return df >= 0.5 && df <= 1e6 ? 1e-10 : 1e-8;
  }

  test('upper tails of t', () => {
    expect(file.t_tail.length).toBeGreaterThan(0);
    for (const row of file.t_tail) {
      const [df, t, tail] = row.map(number);
      close(studentTSf(t, df), tail, tolerance(df), 0, `sf(${t}, ${df})`);
      close(studentTCdf(-t, df), tail, tolerance(df), 0, `cdf(${-t}, ${df})`);
      close(studentTCdf(t, df), 1 - tail, 1e-10, 0, `cdf(${t}, ${df})`);
      close(studentTLogSf(t, df), Math.log(tail), 1e-10, tolerance(df), `log sf(${t}, ${df})`);
      close(studentTLogCdf(t, df), Math.log1p(-tail), tolerance(df), 0, `log cdf(${t}, ${df})`);
    }
  });

  test('quantiles of t', () => {
    expect(file.t_isf.length).toBeGreaterThan(0);
    for (const row of file.t_isf) {
      const [df, q, x] = row.map(number);
      // With one degree of freedom the quantile is 1/tan(pi q). Values from a tangent with 60 digits stop at 1.75e61 whatever q;
      // in place of such a value only the closed form is asked for.
      if (df === 1)
        close(-studentTQuantile(q, 1), 1 / Math.tan(Math.PI * q), 1e-10, 1e-14, `quantile(${q}, 1), closed form`);
      if (df === 1 && q < 1e-62 && Math.abs(x) < 1e62) continue;
      close(-studentTQuantile(q, df), x, tolerance(df), 0, `quantile(${q}, ${df})`);
    }
  });

  test('normal tails', () => {
    expect(file.normal_tail.length).toBeGreaterThan(0);
    for (const row of file.normal_tail) {
      const [x, upper, lower] = row.map(number);
      close(normalSf(x), upper, 1e-13, 0, `sf(${x})`);
      close(normalCdf(x), lower, 1e-13, 0, `cdf(${x})`);
      // A tail below 1e-300 has lost digits that its logarithm would show.
      if (upper > 1e-300) close(normalLogSf(x), x > 0 ? Math.log(upper) : Math.log1p(-lower), 2e-13, 0, `log sf(${x})`);
      if (lower > 1e-300)
        close(normalLogCdf(x), x < 0 ? Math.log(lower) : Math.log1p(-upper), 2e-13, 0, `log cdf(${x})`);
    }
  });

  test('normal quantiles', () => {
    expect(file.normal_isf.length).toBeGreaterThan(0);
    for (const row of file.normal_isf) {
      const [q, x] = row.map(number);
      close(-normalQuantile(q), x, 1e-13, 0, `quantile(${q})`);
    }
  });
});
