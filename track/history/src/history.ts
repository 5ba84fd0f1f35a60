import {
  type Commits,
  type Method,
  methodSchema,
  type Params,
  paramsSchema,
  type Side,
  type Verdict,
} from '@deadheat/model';
import { z } from 'zod';

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

/** Number of comparisons for each verdict. */
export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** Facts that a history holds about a recording as a whole. */
export interface StoredRecording {
  /** Id of the experiment. */
  readonly id: string;
  readonly project: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly commits: Commits;
  readonly hostname: string;
  readonly toolVersion: string;
  /** Comparisons in its report, without controls. */
  readonly comparisons: number;
}

/** A recording to be put. */
export interface PutRequest {
  /** Its folder; finished, with `iterations.parquet` and `report.json`. */
  readonly directory: string;
  /** Commits of the sides that the caller knows; they replace those in the recording. */
  readonly commits?: Partial<Commits>;
  /** `null` = the name of the experiment. */
  readonly project?: string | null;
}

/** Selects points of a history; an absent field does not restrict. */
export interface PointFilter {
  readonly project?: string;
  readonly benchmark?: string;
  readonly params?: Params;
  readonly method?: Method;
  /** Ids of experiments. */
  readonly experiments?: readonly string[];
  /**
   * Only comparisons that hold this metric, each with the ratio, the verdict and the means of it; without it they are
   * those of the metric that decided.
   */
  readonly metric?: string;
}

/** A metric that comparisons hold. */
export type MetricName = Pick<PointMetric, 'name' | 'unit'>;

/**
 * A store of many recordings. A recording is stored completely or not at all, and only once however often it is put.
 * Every method throws `HistoryError`.
 */
export interface History {
  /** The folder or URL of the history for messages, without a password. */
  readonly place: string;
  /** Adds a finished recording; `present` = its experiment is there already, and nothing was changed. */
  put(request: PutRequest): Promise<'added' | 'present'>;
  /**
   * A value that changes whenever a recording is added or removed. Reading it is much cheaper than reading the
   * content.
   */
  revision(): Promise<string>;
  /** Reads what is in no index yet, which may take minutes and ends with the signal that it was opened with; absent for databases. */
  prepare?(): Promise<void>;
  /**
   * Every recording, in the order in which the experiments began. As long as the history is open, a recording that did
   * not change is the same object each time.
   */
  list(): Promise<readonly StoredRecording[]>;
  /** The newest point of every series that fits, by project, benchmark, parameters and method. */
  latest(filter?: PointFilter): Promise<readonly HistoryPoint[]>;
  /** Every point that fits, in the order of B's commits where their times are known, else of the experiments. */
  series(filter: PointFilter): Promise<readonly HistoryPoint[]>;
  /** The points of each of these series, as `series` gives those of one; in a folder many at a time are read in little more time than one. */
  seriesOf(names: readonly SeriesName[]): Promise<Iterable<readonly HistoryPoint[]>>;
  /** The metrics that comparisons hold which fit, by name; recordings that an older deadheat pushed hold the one that decided. */
  metrics(filter: PointFilter): Promise<readonly MetricName[]>;
  /**
   * Number of comparisons for each verdict in each of these experiments. An experiment without comparisons is absent.
   */
  verdicts(experiments: readonly string[]): Promise<ReadonlyMap<string, VerdictCounts>>;
  /** The text of an experiment's `report.json`. */
  report(experiment: string): Promise<string>;
  /** The text of an experiment's `explanation.json`; `null` = it was not explained. */
  explanation(experiment: string): Promise<string | null>;
  /** Writes an experiment's recording into a new folder, byte for byte as it was put. */
  pull(experiment: string, directory: string): Promise<void>;
  /** The decisions about changes of level, in the order in which they were made; of one change the last entry counts. */
  triage(): Promise<readonly ChangeTriage[]>;
  addTriage(entry: ChangeTriage): Promise<void>;
  /**
   * Every note of a topic, in the order in which they were added, which is the same for everybody: a note that was seen is never seen behind
   * one that was not. So processes that add their notes first and then read all of them agree on who was the first.
   */
  notes(topic: string): Promise<readonly HistoryNote[]>;
  /** Adds a note. `topic` has small letters and hyphens, such as `watch`. */
  addNote(topic: string, note: HistoryNote): Promise<void>;
  /** The holders of all leases that are not over, by name. */
  leases(): Promise<ReadonlyMap<string, string>>;
  /**
   * Takes, renews or ends a lease. A lease can be taken that is free, over or one's own; it can be renewed, also after its end, while
   * nobody else has taken it. The clock is that of the database; in a folder that of each machine, which have to agree to a part of `ms`.
   *
   * @returns whether `holder` holds it, or held it until now
   */
  lease(request: LeaseRequest): Promise<boolean>;
  /**
   * Removes every recording whose experiment began before a time (ISO 8601), each of them completely.
   *
   * @returns those that were removed, or with `dryRun` would be, in the order in which the experiments began
   */
  prune(before: string, options: { readonly dryRun: boolean }): Promise<readonly StoredRecording[]>;
  close(): Promise<void>;
}

export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  /** From now on; 0 = it ends. */
  readonly ms: number;
  /** True = it is not taken from anybody. */
  readonly renews: boolean;
}

/** Options of opening a history. */
export interface OpenOptions {
  /** True when the history may be created. */
  readonly forWriting: boolean;
  /**
   * True when lists, points and verdicts may be those that were there when `revision` was last called; for callers that
   * call it before they ask. Without it every method looks through a folder for what is new.
   */
  readonly mayLag?: boolean;
  /** Variables of the environment: PGPASSWORD, PGPASSFILE and those that PostgreSQL's own programs read. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Cuts the connection to a database, or ends the reading of a folder, whatever is under way. */
  readonly signal?: AbortSignal;
}

/**
 * The decision about a change of level: `new` = nothing yet, `acknowledged` = somebody looks after it, `expected` = it was wanted or is
 * accepted, `ticket` = it is followed elsewhere.
 */
export const triageStateSchema = z.enum(['new', 'acknowledged', 'expected', 'ticket']);

/** Longest texts of an entry, characters. */
export const mostTriageText = { ticket: 500, note: 2000, by: 100 } as const;

/** A decision about one change of level of a series: who made it, and when. */
export const changeTriageSchema = z.object({
  project: z.string(),
  benchmark: z.string(),
  params: paramsSchema,
  method: methodSchema,
  /** Id of the experiment that holds the first comparison of the new level. */
  experiment: z.string(),
  direction: z.enum(['slower', 'faster']),
  state: triageStateSchema,
  /** Address or number of the ticket; `null` = none. */
  ticket: z.string().max(mostTriageText.ticket).nullable(),
  note: z.string().max(mostTriageText.note),
  by: z.string().max(mostTriageText.by),
  /** ISO 8601. */
  at: z.string(),
});
export type ChangeTriage = Readonly<z.infer<typeof changeTriageSchema>>;
