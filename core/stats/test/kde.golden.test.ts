import { describe, expect, test } from 'vitest';
import {
  gaussianKde,
  normalReferenceBandwidth,
  sheatherJonesBandwidth,
  silvermanBandwidth,
  ucvBandwidth,
  ucvCriterion,
} from '../src/index.ts';
import { close, golden } from './golden.ts';

describe('06: kernel density and bandwidths', () => {
  for (const c of golden('06-kde').cases) {
    const { x, grid } = c.input;
    const b = c.expected_bandwidths;
    test(`${c.id}: rules of thumb`, () => {
      close(silvermanBandwidth(x), b.nrd0, 1e-12, 0, 'nrd0');
      if (b.nrd !== undefined) close(normalReferenceBandwidth(x), b.nrd, 1e-12, 0, 'nrd');
    });
    test(`${c.id}: cross-validation`, () => {
      for (const [h, value] of b.ucv_criterion) {
        close(ucvCriterion(x, h), value, 1e-9, 1e-12 / h, `criterion at ${h}`);
      }
      const h = ucvBandwidth(x);
      const accepted = b.ucv_accept.some(([low, high]: [number, number]) => h >= low && h <= high);
      expect(accepted, `${h} is in none of ${JSON.stringify(b.ucv_accept)}`).toBe(true);
      // The file's exact global minimum: same criterion.
      close(ucvCriterion(x, h), b.ucv_exact.criterion, 1e-3, 0, 'criterion at the minimum');
    });
    test(`${c.id}: Sheather and Jones`, () => {
      if (b.sj_ste_R_nb1e5?.bw != null) close(sheatherJonesBandwidth(x), b.sj_ste_R_nb1e5.bw, 0.01, 0, 'ste');
      if (b.sj_dpi_R_nb1e5?.bw != null) {
        close(sheatherJonesBandwidth(x, { method: 'dpi' }), b.sj_dpi_R_nb1e5.bw, 0.01, 0, 'dpi');
      }
    });
    for (const [name, e] of Object.entries<{ bandwidth: number; density: number[] }>(c.expected_density)) {
      test(`${c.id}: density with bandwidth ${name}`, () => {
        const density = gaussianKde(x, grid, { bandwidth: e.bandwidth });
        density.forEach((value, i) => close(value, e.density[i]!, 1e-10, 1e-13 / e.bandwidth, `at ${grid[i]}`));
      });
    }
  }
});
