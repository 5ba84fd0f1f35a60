import type { Commits } from './recording.ts';
import type { Method, Metric, Params, Side, Verdict } from './vocabulary.ts';

/** What tells one series of comparisons apart from all others. */
export interface SeriesName {
  /** Name of the experiment, or what it was pushed as. */
  readonly project: string;
  readonly benchmark: string;
  readonly params: Params;
  readonly method: Method;
}

/** One comparison of a history: what a report said of one benchmark, and of which commits. */
export interface HistoryPoint extends SeriesName {
  /** Id of the experiment. */
  readonly experiment: string;
  /** When the experiment began, ISO 8601. */
  readonly startedAt: string;
  readonly commits: Commits;
  /** Where it was measured; `null` = not told. */
  readonly hostname: string | null;
  readonly metric: Metric;
  /** B / A of time, by the interval that the verdict is from. */
  readonly ratio: {
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
    readonly confidence: number;
  };
  readonly verdict: Verdict;
  readonly margin: number;
  readonly minimalDetectableSlowdown: number;
  readonly runs: number;
  /** Mean time of an execution of each side, ns. */
  readonly meanNs: Readonly<Record<Side, number>>;
}
