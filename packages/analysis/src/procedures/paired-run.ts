/** Positions of two iterations that belong together, A's and B's. */
export interface IterationPair {
  readonly a: number;
  readonly b: number;
}

/**
 * One run as a test for a change sees it: the times of both sides' iterations, and which of them belong together. Tests remember
 * what they made of a run, so its arrays must not change afterwards.
 */
export interface PairedRun {
  /** Times in any one unit, above 0. */
  readonly A: ArrayLike<number>;
  readonly B: ArrayLike<number>;
  /** Places in `A` and `B`; an iteration may be in several pairs, or in none. */
  readonly pairs: readonly IterationPair[];
}
