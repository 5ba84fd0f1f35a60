import { z } from 'zod';

/**
 * Estimates and intervals that can be asked for. `rank`: the Hodges-Lehmann estimate with the interval of its rank test. The others are of
 * the mean (log) ratio: by the bootstrap, where `expanded` is Hesterberg's correction of the percentile interval, or by Student's t.
 */
export const askedIntervalSchema = z.enum(['rank', 'expanded', 'percentile', 'bca', 't']);
export type AskedInterval = z.infer<typeof askedIntervalSchema>;

/**
 * Procedures of estimate and interval. Of ranks: `signed-rank`, over the units; `side-and-core`, over the two assignments of the cores;
 * `rank-sum`, over two independent samples. Of the mean: the bootstrap intervals, `t`, and `anytime-t`, the t mixture martingale widened for
 * skewness, which keeps its level over all interim analyses together; its estimate is the mean of both assignments where cores were traded, and
 * the geometric mean ratio of sequential runs.
 */
export const intervalKindSchema = z.enum([
  'signed-rank',
  'side-and-core',
  'rank-sum',
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
  /** The half-width is a quantile of Student's t times a standard error, so that it varies as a standard deviation does. */
  readonly byStandardError: boolean;
}

export const intervalFacts: Readonly<Record<IntervalKind, IntervalFacts>> = {
  'signed-rank': { name: 'Hodges-Lehmann by signed ranks', ofRanks: true, byStandardError: false },
  'side-and-core': { name: 'Hodges-Lehmann over side and core', ofRanks: true, byStandardError: false },
  'rank-sum': { name: 'Hodges-Lehmann by rank sums', ofRanks: true, byStandardError: false },
  'expanded-percentile': { name: 'expanded percentile bootstrap', ofRanks: false, byStandardError: false },
  percentile: { name: 'percentile bootstrap', ofRanks: false, byStandardError: false },
  bca: { name: 'BCa bootstrap', ofRanks: false, byStandardError: false },
  t: { name: "Student's t", ofRanks: false, byStandardError: true },
  'anytime-t': { name: 'anytime-valid t', ofRanks: false, byStandardError: false },
};

/** Name in texts of what can be asked for, and the procedures that it stands for; another one stands in where the units are too few. */
export const askedIntervalFacts: Readonly<
  Record<AskedInterval, { readonly name: string; readonly kinds: readonly IntervalKind[] }>
> = {
  rank: { name: 'rank', kinds: ['signed-rank', 'side-and-core', 'rank-sum'] },
  expanded: { name: 'expanded-percentile', kinds: ['expanded-percentile'] },
  percentile: { name: 'percentile', kinds: ['percentile'] },
  bca: { name: 'bca', kinds: ['bca'] },
  t: { name: 't', kinds: ['t'] },
};

/** True for intervals of the mean; ranks decide by the others, where there are enough of them. */
export function isOfMean(asked: AskedInterval): asked is Exclude<AskedInterval, 'rank'> {
  return askedIntervalFacts[asked].kinds.every((kind) => !intervalFacts[kind].ofRanks);
}
