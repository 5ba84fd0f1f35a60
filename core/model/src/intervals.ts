import { z } from 'zod';

/**
 * Estimates and intervals that can be asked for. `rank`: the Hodges-Lehmann estimate with the interval of its rank test. The others are of
 * the mean (log) ratio: by the bootstrap, where `expanded` is Hesterberg's correction of the percentile interval, or by Student's t.
 */
export const askedIntervalSchema = z.enum(['rank', 'expanded', 'percentile', 'bca', 't']);
export type AskedInterval = z.infer<typeof askedIntervalSchema>;

/**
 * Procedures of estimate and interval. Of ranks: `signed-rank`, over the units; `side-and-core`, over the two assignments of the cores;
 * `rank-sum`, over two independent samples; `cosine-t`, one of these where neighbouring runs resemble each other: its estimate, with Student's t and
 * a long-run variance by equal-weighted cosines; `placement-t`, `rank-sum` where one sample scatters more than the other: its estimate, with Student's t and Brunner and
 * Munzel's variance. Of iterations where a side has a single run: `run-medians`, the ratio of the medians, with an interval that reaches to that of the fastest
 * iterations and holds what runs of a program differ by. Of the mean: the bootstrap intervals, `t`, and `anytime-t`, the t mixture martingale widened for
 * skewness, which keeps its level over all interim analyses together; its estimate is the mean of both assignments where cores were traded, and
 * the geometric mean ratio of sequential runs.
 */
export const intervalKindSchema = z.enum([
  'signed-rank',
  'side-and-core',
  'rank-sum',
  'cosine-t',
  'placement-t',
  'run-medians',
  'expanded-percentile',
  'percentile',
  'bca',
  't',
  'anytime-t',
]);
export type IntervalKind = z.infer<typeof intervalKindSchema>;

/** An estimate of a ratio B / A with its interval. */
export const estimateSchema = z.object({
  /** Estimated ratio B / A. */
  estimate: z.number().positive(),
  /** Lower end of the interval; 0 where there is too little for an interval. */
  low: z.number().nonnegative(),
  /** Upper end of the interval; the largest double where there is too little for an interval. */
  high: z.number().nonnegative(),
  /** Confidence level of the interval: 0.99 = 99 %. */
  level: z.number(),
});

/** A ratio B / A with the procedure of its interval. */
export const intervalSchema = estimateSchema.extend({
  /** Procedure of estimate and interval. */
  kind: intervalKindSchema,
  /** Bootstrap replicates; 0 for an interval without resampling. */
  replicates: z.int().nonnegative(),
});
export type Interval = z.infer<typeof intervalSchema>;

/** Properties of a procedure: all that the rest of deadheat asks of it. */
interface IntervalFacts {
  /** Name in texts. */
  readonly name: string;
  /** The estimate is that of a typical run, by ranks; otherwise of the mean. */
  readonly ofRanks: boolean;
  /**
   * Power of the variance inflation by which an interval is wider in a family whose runs correlate: 0.5, less where its own runs have widened it, 0 where
   * it is made for correlation.
   */
  readonly familyWidening: number;
}

export const intervalFacts: Readonly<Record<IntervalKind, IntervalFacts>> = {
  'signed-rank': { name: 'Hodges-Lehmann by signed ranks', ofRanks: true, familyWidening: 0.5 },
  'side-and-core': { name: 'Hodges-Lehmann over side and core', ofRanks: true, familyWidening: 0.5 },
  'rank-sum': { name: 'Hodges-Lehmann by rank sums', ofRanks: true, familyWidening: 0.5 },
  'cosine-t': { name: 'Hodges-Lehmann, t by cosines', ofRanks: true, familyWidening: 0.25 },
  'placement-t': { name: 'Hodges-Lehmann, t by placements', ofRanks: true, familyWidening: 0.5 },
  'run-medians': { name: 'medians and fastest iterations of a run', ofRanks: true, familyWidening: 0.5 },
  'expanded-percentile': { name: 'expanded percentile bootstrap', ofRanks: false, familyWidening: 0.5 },
  percentile: { name: 'percentile bootstrap', ofRanks: false, familyWidening: 0.5 },
  bca: { name: 'BCa bootstrap', ofRanks: false, familyWidening: 0.5 },
  t: { name: "Student's t", ofRanks: false, familyWidening: 0.5 },
  'anytime-t': { name: 'anytime-valid t', ofRanks: false, familyWidening: 0 },
};

/** Name in texts of what can be asked for, and the procedures that it stands for; another one stands in where the units are too few. */
export const askedIntervalFacts: Readonly<
  Record<AskedInterval, { readonly name: string; readonly kinds: readonly IntervalKind[] }>
> = {
  rank: { name: 'rank', kinds: ['signed-rank', 'side-and-core', 'rank-sum', 'cosine-t', 'placement-t', 'run-medians'] },
  expanded: { name: 'expanded-percentile', kinds: ['expanded-percentile'] },
  percentile: { name: 'percentile', kinds: ['percentile'] },
  bca: { name: 'bca', kinds: ['bca'] },
  t: { name: 't', kinds: ['t'] },
};

/** True for intervals of the mean; ranks decide by the others, where there are enough of them. */
export function isOfMean(asked: AskedInterval): asked is Exclude<AskedInterval, 'rank'> {
  return askedIntervalFacts[asked].kinds.every((kind) => !intervalFacts[kind].ofRanks);
}
