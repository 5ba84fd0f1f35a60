import type { BenchmarkPoints, Comparison } from '@deadheat/model';

/** One benchmark as it is drawn. */
export interface BenchmarkView {
  readonly comparison: Comparison;
  readonly points: BenchmarkPoints;
  /** Marks that a series of one picture may have. */
  readonly mostMarks: number;
}
