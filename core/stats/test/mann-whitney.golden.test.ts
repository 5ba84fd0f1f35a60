import { describe, expect, test } from 'vitest';
import { mannWhitneyU } from '../src/index.ts';
import { close, golden } from './golden.ts';

describe('03: Mann-Whitney U', () => {
  for (const c of golden('03-mann-whitney').cases) {
    test(c.id, () => {
      const { x, y } = c.input;
      const e = c.expected;
      const auto = mannWhitneyU(x, y);
      expect([auto.u1, auto.u2, auto.ties]).toEqual([e.U1, e.U2, e.ties]);
      if (e.auto_method !== undefined) expect(auto.method).toBe(e.auto_method);
      close(auto.p, e.p_auto, 1e-9, 0, 'p');
      close(mannWhitneyU(x, y, { method: 'asymptotic' }).p, e.p_asymptotic_cc, 1e-9, 0, 'asymptotic');
      close(
        mannWhitneyU(x, y, { method: 'asymptotic', continuity: false }).p,
        // With all values equal scipy's p without correction is NaN; ours is 1, no evidence of a difference.
        e.p_asymptotic_nocc === 'NaN' ? 1 : e.p_asymptotic_nocc,
        1e-9,
        0,
        'asymptotic without correction',
      );
      if (e.p_exact !== undefined && e.p_exact !== null) {
        close(mannWhitneyU(x, y, { method: 'exact' }).p, e.p_exact, 1e-9, 0, 'exact');
      }
    });
  }
});
