import { describe, expect, test } from 'vitest';
import { winsorizeRun } from '../src/index.ts';
import { golden } from './golden.ts';

describe('12: winsorisation', () => {
  for (const c of golden('12-filters-overlaps').winsorize) {
    test(c.id, () => {
      const { values, replaced } = winsorizeRun(c.input.x);
      expect([...values]).toEqual(c.expected.y);
      const expected = c.expected.replaced;
      expect(replaced).toEqual(expected && { index: expected.index, from: expected.from, to: expected.to });
    });
  }
});
