import type { Random } from '../random/random.ts';

/** How often to resample, and from which stream. */
export interface BootstrapOptions {
  /** Number of replicates, >= 1. */
  readonly replicates: number;
  /** The stream to draw from; it moves on. */
  readonly random: Random;
}
