import { describe, expect, it } from 'vitest';
import { overlapStudy } from '../../src/study/overlap-study.ts';
import { readGolden } from '../helpers/golden.ts';
import { column, spansOf, studied } from './study-support.ts';

type Spans = readonly (readonly [number, number])[];

interface Golden {
  readonly mds_shift: {
    readonly id: string;
    readonly s: number;
    readonly input: { readonly A: Spans };
    readonly expected: {
      readonly B_shifted: Spans;
      readonly 'pairs_at_0.4': readonly (readonly number[])[];
      readonly 'relative_overlap_time_0.4': number;
    };
  }[];
}

const cases = (readGolden('12-filters-overlaps.json') as Golden).mds_shift;

describe('the study of overlaps agrees with the reference', () => {
  it.each(cases)('in $id by $s', ({ input, expected }) => {
    const run = [input.A, expected.B_shifted] as const;
    const [pairs, rates] = overlapStudy([studied('async-duet', spansOf([run, run]))]).tables;
    expect(column(pairs, 'pairs')).toEqual([2 * expected['pairs_at_0.4'].length]);
    expect(column(pairs, 'relative overlap time')[0]).toBeCloseTo(expected['relative_overlap_time_0.4'], 12);
    expect(column(rates, 'above 0.4')[0]).toBeCloseTo(expected['relative_overlap_time_0.4'], 12);
  });
});
