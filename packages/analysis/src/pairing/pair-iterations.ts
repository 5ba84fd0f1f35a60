import type { Iteration, Method } from '@deadheat/model';
import { overlaps } from './overlaps.ts';

/** Positions of two iterations that belong together, A's and B's. */
export interface IterationPair {
  readonly a: number;
  readonly b: number;
}

/**
 * The pairs of one run: by iteration index where the sides started together, by overlap where each went on by itself, none
 * where they never ran at the same time.
 *
 * @throws AnalysisError as `overlaps`.
 */
export const pairIterations = (
  iterations: { readonly A: readonly Iteration[]; readonly B: readonly Iteration[] },
  options: { readonly method: Method; readonly minimumOverlapRate: number },
): IterationPair[] => {
  const { A, B } = iterations;
  if (options.method === 'sequential') return [];
  if (options.method === 'async-duet') {
    return overlaps(A, B, { minimumRate: options.minimumOverlapRate }).map(({ a, b }) => ({ a, b }));
  }
  const positions = new Map(B.map((iteration, position) => [iteration.i, position]));
  return A.flatMap((iteration, a) => {
    const b = positions.get(iteration.i);
    return b === undefined ? [] : [{ a, b }];
  });
};
