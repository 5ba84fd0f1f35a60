import { seriesLevels, type LevelChange, type SeriesQuantity } from '@deadheat/analysis';
import { seriesKey, type StoredRecording } from '@deadheat/history';
import type { HistoryPoint, SeriesName, Verdict } from '@deadheat/model';
import { RequestError } from '../request-error.ts';
import type { HistorySource } from './history-source.ts';

/** A project as the list of projects tells it. */
export interface ProjectSummary {
  readonly project: string;
  /** Series in it. */
  readonly benchmarks: number;
  /** Of the newest comparison of every series. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly experiments: number;
  /** When its newest experiment began, ISO 8601. */
  readonly measuredAt: string;
}

/** One series with its levels; index k of `values` and `levels` is point k. */
export interface SeriesDetail extends SeriesName {
  readonly quantity: SeriesQuantity;
  readonly points: readonly HistoryPoint[];
  readonly values: readonly number[];
  readonly levels: readonly number[];
  readonly changes: readonly LevelChange[];
}

export interface SeriesRequest {
  readonly name: SeriesName;
  /** `undefined` = what the series allows. */
  readonly quantity: SeriesQuantity | undefined;
  /** Only comparisons with this commit as A: its id, how that begins, or its label. */
  readonly against: string | undefined;
}

/** What the history held when it was looked at last. */
interface Snapshot {
  readonly revision: string;
  readonly latest: readonly HistoryPoint[];
  /** The newest first. */
  readonly recordings: readonly StoredRecording[];
  readonly byId: ReadonlyMap<string, StoredRecording>;
  readonly projects: readonly ProjectSummary[];
  readonly series: Map<string, SeriesDetail>;
  readonly comparisons: Map<string, readonly HistoryPoint[]>;
}

const mostKept = 64;

/** What pages and the JSON interface ask of a history, kept in memory for as long as the history stays the same. */
export class Catalog {
  readonly #source: HistorySource;
  #snapshot: Snapshot | null = null;
  #looking: Promise<Snapshot> | null = null;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** Where the history is. */
  place(): Promise<string> {
    return this.#source.use(async ({ place }) => place);
  }

  async projects(): Promise<readonly ProjectSummary[]> {
    return (await this.#current()).projects;
  }

  /** The newest comparison of every series, in the order of the series. */
  async latest(): Promise<readonly HistoryPoint[]> {
    return (await this.#current()).latest;
  }

  /** Every recording, the newest first. */
  async recordings(): Promise<readonly StoredRecording[]> {
    return (await this.#current()).recordings;
  }

  /** @throws RequestError `NOT_FOUND` */
  async recording(experiment: string): Promise<StoredRecording> {
    const found = (await this.#current()).byId.get(experiment);
    if (found !== undefined) return found;
    throw new RequestError('NOT_FOUND', `There is no experiment ${experiment} here.`);
  }

  /** What the report of an experiment says, without controls. @throws RequestError `NOT_FOUND` */
  async comparisons(experiment: string): Promise<readonly HistoryPoint[]> {
    await this.recording(experiment);
    const { comparisons } = await this.#current();
    return kept(comparisons, experiment, () => this.#source.use((history) => history.series({ experiment })));
  }

  /** @throws RequestError `NOT_FOUND` */
  async series({ name, quantity, against }: SeriesRequest): Promise<SeriesDetail> {
    const { series } = await this.#current();
    const { project, benchmark, params, method } = name;
    const key = JSON.stringify([seriesKey(name), quantity ?? null, against ?? null]);
    const found = await kept(series, key, async () => {
      const all = await this.#source.use((history) => history.series({ project, benchmark, params, method }));
      const points = against === undefined ? all : all.filter(isAgainst(against));
      return { project, benchmark, params, method, points, ...seriesLevels(points, { quantity: quantity ?? null }) };
    });
    if (found.points.length > 0) return found;
    throw new RequestError('NOT_FOUND', `There is no comparison of ${benchmark} here that fits.`);
  }

  /** The text of an experiment's `report.json`. @throws RequestError `NOT_FOUND` */
  async report(experiment: string): Promise<string> {
    await this.recording(experiment);
    return this.#source.use((history) => history.report(experiment));
  }

  /** Requests that come while somebody is looking are answered by what that finds. */
  async #current(): Promise<Snapshot> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    this.#snapshot = await this.#looking;
    return this.#snapshot;
  }

  #look(): Promise<Snapshot> {
    return this.#source.use(async (history) => {
      const revision = await history.revision();
      if (this.#snapshot?.revision === revision) return this.#snapshot;
      const latest = await history.latest();
      const recordings = (await history.list()).toReversed();
      return {
        revision,
        latest,
        recordings,
        byId: new Map(recordings.map((recording) => [recording.id, recording])),
        projects: projectsOf(latest, recordings),
        series: new Map(),
        comparisons: new Map(),
      };
    });
  }
}

/** What is in `map`, else what `make` gives; of more than a few the oldest is forgotten. */
const kept = async <Value>(map: Map<string, Value>, key: string, make: () => Promise<Value>): Promise<Value> => {
  const value = map.get(key) ?? (await make());
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= mostKept) break;
    map.delete(oldest);
  }
  return value;
};

const isAgainst =
  (against: string) =>
  ({ commits: { A } }: HistoryPoint): boolean =>
    A !== null && (A.label === against || A.id.startsWith(against.toLowerCase()) || A.id === against);

const projectsOf = (
  latest: readonly HistoryPoint[],
  recordings: readonly StoredRecording[],
): readonly ProjectSummary[] => {
  const experiments = new Map<string, StoredRecording[]>();
  for (const recording of recordings) {
    const found = experiments.get(recording.project);
    if (found === undefined) experiments.set(recording.project, [recording]);
    else found.push(recording);
  }
  const verdicts = new Map<string, Record<Verdict, number>>();
  for (const { project, verdict } of latest) {
    const counts = verdicts.get(project) ?? { slower: 0, faster: 0, 'dead-heat': 0, undecided: 0 };
    counts[verdict] += 1;
    verdicts.set(project, counts);
  }
  return [...verdicts]
    .map(([project, counts]) => ({
      project,
      benchmarks: Object.values(counts).reduce((sum, count) => sum + count, 0),
      verdicts: counts,
      experiments: experiments.get(project)?.length ?? 0,
      measuredAt: experiments.get(project)?.[0]?.startedAt ?? '',
    }))
    .toSorted((a, b) => (a.project < b.project ? -1 : 1));
};
