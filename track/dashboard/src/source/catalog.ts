import {
  countVerdicts,
  groupBy,
  inOrder,
  newestOfEach,
  seriesKey,
  type History,
  type StoredRecording,
  firedCanaries,
  isAgainst,
  isCanary,
  seriesLevels,
  usualLeastChange,
  type CanaryAlarm,
  type LevelChange,
  type SeriesQuantity,
  canaryProject,
  type HistoryPoint,
  type SeriesName,
} from '@deadheat/history';
import { type Explanation, explanationSchema, methodSchema, type Method } from '@deadheat/model';
import { RequestError } from '../errors.ts';
import type { HistorySource } from './history-source.ts';

/** Number of comparisons for each verdict. */
export type VerdictCounts = ReturnType<typeof countVerdicts>;

/** A project in the list of projects. */
export interface ProjectSummary {
  readonly project: string;
  /** Series in it. */
  readonly benchmarks: number;
  /** The newest comparison of every series. */
  readonly verdicts: VerdictCounts;
  readonly experiments: number;
  /** When its newest experiment began, ISO 8601. */
  readonly measuredAt: string;
}

/** One series with its levels; index k of `values` and `levels` is point k. */
export interface SeriesDetail extends SeriesName {
  readonly quantity: SeriesQuantity;
  /** Smallest change of level that is shown, as a share. */
  readonly leastChange: number;
  readonly points: readonly HistoryPoint[];
  readonly values: readonly number[];
  readonly levels: readonly number[];
  readonly changes: readonly LevelChange[];
  /** The metric that was asked for; `null` = that which decided each comparison. */
  readonly metric: string | null;
  /** Metrics that comparisons of the series hold, by name. */
  readonly metrics: Awaited<ReturnType<History['metrics']>>;
  /** Machines of all comparisons of the series, also of those that the request leaves out, by name. */
  readonly hosts: readonly string[];
}

/** The request for a series. */
export interface AskedSeries extends Omit<SeriesName, 'method'> {
  /** `undefined` = that of its newest comparison. */
  readonly method?: Method | undefined;
}

export interface SeriesRequest {
  readonly name: AskedSeries;
  /** `undefined` = what the series allows. */
  readonly quantity: SeriesQuantity | undefined;
  /** Smallest change of level that is shown, as a share; default `usualLeastChange`. */
  readonly leastChange?: number;
  /** Only comparisons with this commit as A: its id, how that begins, or its label. */
  readonly against: string | undefined;
  /** Only comparisons of this machine. */
  readonly host?: string | undefined;
  /** `undefined` = the metric that decided each comparison. */
  readonly metric?: string | undefined;
}

/** A view of the history at one moment, which does not change while a request is answered. */
export class CatalogView {
  readonly revision: string;
  /** Where the history is. */
  readonly place: string;
  /** The newest comparison of every series, in the order of the series. */
  readonly latest: readonly HistoryPoint[];
  /** Every recording, the newest first. */
  readonly recordings: readonly StoredRecording[];
  readonly projects: readonly ProjectSummary[];
  /** Number of comparisons in all recordings. */
  readonly comparisonCount: number;
  readonly #source: HistorySource;
  readonly #byId: ReadonlyMap<string, StoredRecording>;
  readonly #series = new Kept<SeriesDetail>(mostPoints, ({ points }) => points.length);
  readonly #comparisons = new Kept<readonly HistoryPoint[]>(mostPoints, (points) => points.length);
  readonly #verdicts = new Kept<VerdictCounts>(mostCounts, () => 1);
  #alarms: Promise<readonly CanaryAlarm[]> | null = null;

  /** @param held its `points` are those of the recordings that the view before did not have */
  constructor(
    source: HistorySource,
    {
      points = [],
      ...held
    }: Pick<CatalogView, 'revision' | 'place' | 'latest' | 'recordings'> & {
      readonly points?: readonly HistoryPoint[];
    },
  ) {
    this.#source = source;
    this.revision = held.revision;
    this.place = held.place;
    this.latest = held.latest;
    this.recordings = held.recordings;
    this.comparisonCount = held.recordings.reduce((sum, { comparisons }) => sum + comparisons, 0);
    this.projects = projectsOf(held.latest, held.recordings);
    this.#byId = new Map(held.recordings.map((recording) => [recording.id, recording]));
    for (const experiment of new Set(points.map((point) => point.experiment))) {
      const own = points.filter((point) => point.experiment === experiment);
      this.#comparisons.set(experiment, own);
    }
  }

  /** @throws RequestError `NOT_FOUND` */
  recording(experiment: string): StoredRecording {
    const found = this.#byId.get(experiment);
    if (found !== undefined) return found;
    throw new RequestError('NOT_FOUND', `There is no experiment ${experiment} here.`);
  }

  /** The comparisons in the reports of these experiments, without controls, in the given order. */
  async comparisons(experiments: readonly string[]): Promise<readonly (readonly HistoryPoint[])[]> {
    const missing = experiments.filter((experiment) => this.#comparisons.get(experiment) === undefined);
    const found = new Map(experiments.map((experiment) => [experiment, this.#comparisons.get(experiment) ?? []]));
    if (missing.length > 0) {
      const points = await this.#source.use((history) => history.series({ experiments: missing }));
      for (const experiment of missing) {
        const own = points.filter((point) => point.experiment === experiment);
        found.set(experiment, own);
        this.#comparisons.set(experiment, own);
      }
    }
    return experiments.map((experiment) => found.get(experiment) ?? []);
  }

  /** Number of comparisons for each verdict in each of these experiments, in the given order. */
  async verdicts(experiments: readonly string[]): Promise<readonly VerdictCounts[]> {
    const missing = experiments.filter((experiment) => this.#verdicts.get(experiment) === undefined);
    const found = missing.length === 0 ? null : await this.#source.use((history) => history.verdicts(missing));
    const none = countVerdicts([]);
    for (const experiment of missing) {
      this.#verdicts.set(experiment, found?.get(experiment) ?? none);
    }
    return experiments.map((experiment) => this.#verdicts.get(experiment) ?? found?.get(experiment) ?? none);
  }

  /** @throws RequestError `NOT_FOUND` */
  async series({
    name: asked,
    quantity,
    leastChange = usualLeastChange,
    against,
    host,
    metric,
  }: SeriesRequest): Promise<SeriesDetail> {
    const name = seriesAmong(this.latest, asked);
    const key = JSON.stringify([
      seriesKey(name),
      quantity ?? null,
      leastChange,
      against ?? null,
      host ?? null,
      metric ?? null,
    ]);
    let found = this.#series.get(key);
    if (found === undefined) {
      const { project, benchmark, params, method } = name;
      const own = { project, benchmark, params, method };
      const [all, metrics] = await this.#source.use(async (history) => [
        await history.series(metric === undefined ? own : { ...own, metric }),
        await history.metrics(own),
      ]);
      const points = all
        .filter((point) => against === undefined || isAgainst(point, against))
        .filter(({ hostname }) => host === undefined || hostname === host);
      const hosts = [...new Set(all.flatMap(({ hostname }) => (hostname === null ? [] : [hostname])))].toSorted();
      const levels = seriesLevels(points, { quantity: quantity ?? null, leastChange });
      found = { ...own, points, leastChange, metric: metric ?? null, metrics, hosts, ...levels };
      this.#series.set(key, found);
    }
    if (found.points.length > 0) return found;
    const held = found.metrics.map((one) => one.name).join(', ');
    const hint = metric === undefined || held === '' ? '' : ` Its comparisons hold ${held}.`;
    throw new RequestError('NOT_FOUND', `There is no comparison of ${name.benchmark} here that fits.${hint}`);
  }

  /** The newest comparison of every canary, by host and workload. */
  get canaries(): readonly HistoryPoint[] {
    return this.latest.filter(isCanary);
  }

  /** Which canaries fired, the newest first. */
  async canaryAlarms(): Promise<readonly CanaryAlarm[]> {
    if (this.canaries.length === 0) return [];
    this.#alarms ??= this.#source.use(async (history) =>
      firedCanaries(await history.series({ project: canaryProject })),
    );
    try {
      return await this.#alarms;
    } catch (error) {
      this.#alarms = null;
      throw error;
    }
  }

  /** The text of an experiment's `report.json`. @throws RequestError `NOT_FOUND` */
  async report(experiment: string): Promise<string> {
    this.recording(experiment);
    return this.#source.use((history) => history.report(experiment));
  }

  /** The functions behind a difference of an experiment; `null` = it was not explained, or not so that it can be read. */
  async explanation(experiment: string): Promise<Explanation | null> {
    const text = await this.#source.use((history) => history.explanation(experiment));
    return text === null ? null : (explanationSchema.safeParse(JSON.parse(text)).data ?? null);
  }
}

/**
 * The requested series. Without a method it is the series of the benchmark's newest point; of several equally new
 * points, the first in the order of the methods.
 */
export function seriesAmong(points: readonly HistoryPoint[], { method, ...asked }: AskedSeries): SeriesName {
  if (method !== undefined) return { ...asked, method };
  const [first = 'tandem', ...others] = methodSchema.options;

  function startedAt(of: Method): string {
    const key = seriesKey({ ...asked, method: of });
    return points.find((point) => seriesKey(point) === key)?.startedAt ?? '';
  }

  const newest = others.reduce((best, other) => (startedAt(other) > startedAt(best) ? other : best), first);
  return { ...asked, method: newest };
}

/** A cache of the history for the pages and the JSON interface; it is valid as long as the history does not change. */
export class Catalog {
  readonly #source: HistorySource;
  #view: CatalogView | null = null;
  #looking: Promise<CatalogView> | null = null;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** The present view of the history. Requests that arrive while it is being read share the result. */
  async now(): Promise<CatalogView> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    this.#view = await this.#looking;
    return this.#view;
  }

  /** Checks whether the history answers. @throws HistoryError where it does not */
  async check(): Promise<void> {
    await this.#source.use((history) => history.revision());
  }

  #look(): Promise<CatalogView> {
    return this.#source.use(async (history) => {
      const revision = await history.revision();
      if (this.#view?.revision === revision) return this.#view;
      const recordings = (await history.list()).toReversed();
      const { place } = history;
      const added = this.#view === null ? null : addedTo(this.#view.recordings, recordings);
      if (this.#view === null || added === null) {
        return new CatalogView(this.#source, { revision, place, latest: await history.latest(), recordings });
      }
      const points = await history.series({ experiments: added });
      const latest = newestOfEach(inOrder([...this.#view.latest, ...points]));
      return new CatalogView(this.#source, { revision, place, latest, recordings, points });
    });
  }
}

/** With more new comparisons than this the newest of all series are asked for. */
const mostAdded = 5000;

/**
 * Ids of the recordings that were added to those of the view before; `null` = others were removed or changed, or they are many. A history lists a
 * recording as the same object as long as it does not change.
 */
function addedTo(before: readonly StoredRecording[], now: readonly StoredRecording[]): readonly string[] | null {
  const known = new Set(before);
  const added = now.filter((recording) => !known.has(recording));
  const count = added.reduce((sum, { comparisons }) => sum + comparisons, 0);
  return count <= mostAdded && before.length + added.length === now.length ? added.map(({ id }) => id) : null;
}

/** Points that a view keeps of what it was asked for, and experiments whose verdicts it keeps. */
const mostPoints = 10_000;
const mostCounts = 2000;

/** A small cache; the oldest values are dropped when they are too large together. */
class Kept<Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #values = new Map<string, Value>();
  #size = 0;

  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#drop(key);
    this.#values.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#most || oldest === key) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#size -= this.#sizeOf(value);
  }
}

function projectsOf(
  latest: readonly HistoryPoint[],
  recordings: readonly StoredRecording[],
): readonly ProjectSummary[] {
  const experiments = groupBy(recordings, ({ project }) => project);
  return [...groupBy(latest, ({ project }) => project)]
    .map(([project, points]) => ({
      project,
      benchmarks: points.length,
      verdicts: countVerdicts(points),
      experiments: experiments.get(project)?.length ?? 0,
      measuredAt: experiments.get(project)?.[0]?.startedAt ?? '',
    }))
    .toSorted((a, b) => (a.project < b.project ? -1 : 1));
}
