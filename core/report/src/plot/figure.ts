import type { BenchmarkPoints, Comparison } from '@deadheat/model';

/** Data from which the figures of a benchmark are drawn. */
export interface BenchmarkView {
  readonly comparison: Comparison;
  readonly points: BenchmarkPoints;
  /** Marks that a series of one picture may have. */
  readonly mostMarks: number;
}

/** Pictures that belong together, with what they show in words. */
export interface Figure {
  /** Name of the figure among those of its benchmark, such as `times`. */
  readonly name: string;
  readonly title: string;
  /** SVG elements, from top to bottom. */
  readonly pictures: readonly string[];
  readonly caption: string;
  /** Whether the legend for the colours of A and B is shown. */
  readonly hasSides: boolean;
  /** Whether it needs the whole width of a page. */
  readonly wide: boolean;
}
