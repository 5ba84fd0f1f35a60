import { z } from 'zod';
import type { Commits } from '@deadheat/model';
import type { Method, Params, Side, Verdict } from '@deadheat/model';

/** The key of a series of comparisons. */
export interface SeriesName {
  /** Name of the experiment, or the name under which it was pushed. */
  readonly project: string;
  readonly benchmark: string;
  readonly params: Params;
  readonly method: Method;
}

/** One comparison of a history: the result of one benchmark in a report, with its commits. */
export interface HistoryPoint extends SeriesName {
  /** Id of the experiment. */
  readonly experiment: string;
  /** When the experiment began, ISO 8601. */
  readonly startedAt: string;
  readonly commits: Commits;
  /** Name of the machine; `null` = not known. */
  readonly hostname: string | null;
  /** The metric of `ratio` and `verdict`: the one that decided, or the one that was asked for. */
  readonly metric: string;
  /** B / A of the metric, by the interval that the verdict is from. */
  readonly ratio: PointRatio;
  readonly verdict: Verdict;
  readonly margin: number;
  readonly minimalDetectableSlowdown: number;
  readonly runs: number;
  /** Mean time of an execution of each side, ns. */
  readonly meanNs: Readonly<Record<Side, number>>;
  /** Where a metric was asked for: its unit, and the mean of each side in it. */
  readonly measured?: Pick<PointMetric, 'unit' | 'mean'> | undefined;
}

/** A ratio B / A with its interval. */
interface PointRatio {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** A metric of a comparison beside the time that decides it. */
export interface PointMetric {
  /** A metric such as `cpu` or `rss`, `max-rss`, or the name that a tool gave to a quantity, such as `allocs/op`. */
  readonly name: string;
  /** Unit of the means: `ns`, `bytes`, or that of the tool; `null` = a number, or none is known. */
  readonly unit: string | null;
  /** Mean of each side; `null` = not known. */
  readonly mean: Readonly<Record<Side, number>> | null;
  /** `null` = the sides were not compared in it. */
  readonly ratio: PointRatio | null;
  /** `slower` = B has more of it, `faster` = less. */
  readonly verdict: Verdict;
}

/** Project of the canaries: comparisons of an artificial workload with itself, a series for each host and workload. */
export const canaryProject = 'canary';

/** A line that a program keeps in a history for later starts of itself and of others, beside the recordings. */
export const historyNoteSchema = z.object({
  /** When it was added, by the clock of who added it; ISO 8601. */
  at: z.string(),
  /** Its content, in the form of its topic. */
  content: z.unknown(),
});
export type HistoryNote = Readonly<z.infer<typeof historyNoteSchema>>;
