import type { Iteration, Side, Trial } from '@deadheat/model';
import type { IterationPair } from './pair-iterations.ts';

/** A run that counts: finished without failure, with measured iterations on both sides and, in a duet, with pairs. */
export interface UsableRun {
  readonly trial: Trial;
  /** The iterations that are judged: warm-up left out. */
  readonly iterations: Readonly<Record<Side, readonly Iteration[]>>;
  /** Empty for `sequential`. */
  readonly pairs: readonly IterationPair[];
}
