import type { TimeSpan } from '../../src/pairing/overlaps.ts';
import { readGolden } from './golden.ts';

/** Start and end of iterations. */
type Spans = readonly (readonly [number, number])[];

/** A run as the file has it. */
interface Run {
  readonly A: Spans;
  readonly B: Spans;
}

/** What is read of the file about overlaps. */
interface GoldenOverlaps {
  readonly overlaps: {
    readonly id: string;
    readonly input: Run;
    readonly expected: {
      /** Rows: a, b, time, rate of A, rate of B, rate. */
      readonly overlaps: readonly (readonly number[])[];
      readonly filtered_pairs: Readonly<Record<string, readonly (readonly number[])[]>>;
      readonly relative_overlap_time: Readonly<Record<string, number>>;
    };
  }[];
  readonly overlaps_pooled: {
    readonly runs: readonly string[];
    readonly relative_overlap_time: Readonly<Record<string, number>>;
  };
  /** B slowed down by s. */
  readonly mds_shift: {
    readonly id: string;
    readonly s: number;
    readonly input: Run;
    readonly expected: {
      readonly B_shifted: Spans;
      readonly 'pairs_at_0.4': readonly (readonly number[])[];
      readonly 'relative_overlap_time_0.4': number;
    };
  }[];
}

export const goldenOverlaps = readGolden('12-filters-overlaps.json') as GoldenOverlaps;

export const spans = (rows: Spans): TimeSpan[] => rows.map(([s, e]) => ({ s, e }));
