import { describe, expect, test } from 'vitest';
import { createRandom, hierarchicalBootstrap, kldSimilarity, mean, median, quantiles } from '../src/index.ts';
import { close, golden } from './golden.ts';

const file = golden('10-stability');

/** The reference's filter: each iteration (or fork) keeps values within a factor of ten of its median. */
function kept(values: number[]): number[] {
  const middle = median(values);
  return values.filter((v) => v >= middle / 10 && v <= 10 * middle);
}

function checkVector(groups: number[][], e: { p: (number | null)[]; p_with_log2?: (number | null)[] }): void {
  e.p.forEach((p, i) => {
    const before = groups.slice(0, i).flat();
    const after = groups.slice(0, i + 1).flat();
    if (p === null) return;
    close(kldSimilarity(after, before).similarity, p, 1e-8, 1e-300, `p(${i + 1})`);
    const bits = e.p_with_log2?.[i];
    if (bits != null) close(kldSimilarity(after, before, { base: 2 }).similarity, bits, 1e-8, 1e-300, `bits ${i + 1}`);
  });
}

describe('10: similarity by Kullback-Leibler divergence', () => {
  for (const c of file.iterations) {
    test(`${c.id}: iterations`, () => {
      const groups: number[][] = c.input.iterations.map(kept);
      expect(groups.map((g) => g.length)).toEqual(c.expected.kept_per_iteration);
      checkVector(groups, c.expected.kld_code);
      const d = c.expected.kld_code.details_last;
      if (d) {
        const ours = kldSimilarity(groups.flat(), groups.slice(0, -1).flat());
        close(ours.divergences[0], d.kl_after_before, 1e-8, 1e-12, 'KL after, before');
        close(ours.divergences[1], d.kl_before_after, 1e-8, 1e-12, 'KL before, after');
        ours.range.forEach((end, i) => close(end, d.range[i], 1e-12, 1e-12, 'range'));
      }
    });
    const vector = c.expected.rciw?.vector ?? [];
    const widthTest = vector.length > 0 ? [c.id] : [];
    for (const id of widthTest) {
      test(`${id}: relative width of the bootstrap interval`, () => {
        const { B, significance } = c.expected.rciw;
        const random = createRandom(c.id);
        for (const entry of vector) {
          const sample: number[][] = c.input.iterations.map(kept).slice(0, entry.iterations);
          const means = hierarchicalBootstrap(sample, { replicates: B, random, weights: 'pooled' });
          // Order statistics with 0-based index ceil(B a/2) and floor(B (1 - a/2)): type 7 at index/(B - 1).
          const [low, high] = quantiles(means, [
            Math.ceil((B * significance) / 2) / (B - 1),
            Math.min(B - 1, Math.floor(B * (1 - significance / 2))) / (B - 1),
          ]);
          close((high! - low!) / mean(sample.flat()), entry.rciw_mean, 0, entry.tol, `after ${entry.iterations}`);
        }
      });
    }
  }
  for (const c of file.forks) {
    test(`${c.id}: forks`, () => {
      checkVector(
        c.input.forks.map((fork: number[][]) => fork.flatMap(kept)),
        c.expected.kld_code,
      );
    });
  }
});
