import { describe, expect, test } from 'vitest';
import { expandedPercentileInterval, expandedTail, quantiles } from '../src/index.ts';
import { valuesOfFormula } from './formula.ts';
import { close, golden } from './golden.ts';

describe('09: expanded percentile interval', () => {
  const file = golden('09-expanded-percentile');

  test('table of tail probabilities', () => {
    expect(file.table.length).toBeGreaterThan(0);
    // The exponent of a far tail multiplies the quantile's last digit: 1e-9 down to 1e-300.
    for (const [n, alpha, tail] of file.table)
      close(expandedTail(1 - alpha, n), tail, 1e-9, 1e-300, `n ${n}, alpha ${alpha}`);
  });

  for (const c of file.examples) {
    test(`example with n = ${c.n}, level ${c.level}`, () => {
      const replicates: number[] = c.replicates ?? valuesOfFormula(c.replicates_formula);
      expect(replicates).toHaveLength(c.B);
      const tail = expandedTail(c.level, c.n);
      close(tail, c.probabilities[0], 1e-9);
      const [low, high] = quantiles(replicates, [tail, 1 - tail], { type: 6 });
      close(low!, c.interval_type6[0], 1e-9);
      close(high!, c.interval_type6[1], 1e-9);
      const interval = expandedPercentileInterval(replicates, c.level, c.n);
      close(interval.low, c.interval_type7[0], 1e-9);
      close(interval.high, c.interval_type7[1], 1e-9);
    });
  }
});
