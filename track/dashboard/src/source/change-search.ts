import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  seriesKey,
  isCanary,
  seriesHealth,
  seriesLevels,
  type LevelChange,
  type SeriesQuantity,
  type ChangeTriage,
  type HistoryPoint,
  type SeriesHealth,
  type SeriesName,
} from '@deadheat/history';
import type { Commits, Method } from '@deadheat/model';
import { verdictOrder } from '@deadheat/report';
import { RequestError } from '../errors.ts';
import type { CatalogView } from './catalog.ts';
import type { HistorySource } from './history-source.ts';
import { summarise, type MeasuredCommit, type MeasuredSeries, type Summary } from './summary.ts';

/** A change of level of a series. */
export interface FoundChange extends SeriesName, Omit<LevelChange, 'at'> {
  /** Stays the same as long as the new level begins with the same comparison. */
  readonly id: string;
  readonly quantity: SeriesQuantity;
  /** The first comparison of the new level, and the last of the one before. */
  readonly first: HistoryPoint;
  readonly last: HistoryPoint;
  /** Comparisons of the new level so far. */
  readonly since: number;
  /** Ids of the experiments around the change: one found there before is the same change. */
  readonly near: readonly string[];
  /** The first comparison of the later level that takes most of the change back; `null` = none does. */
  readonly returned: HistoryPoint | null;
}

/** The newest values of a series. */
export interface SeriesTail {
  readonly values: Float32Array;
  /** Indices of the first values of new levels. */
  readonly changes: readonly number[];
}

/** The changes that are known at one moment; canaries are left out. */
export interface ChangesFound {
  /** The newest first, by the place in time of the first comparison of the new level; of one commit the largest first. */
  readonly changes: readonly FoundChange[];
  /** Series that are still to be searched, and all of them. */
  readonly pending: number;
  readonly series: number;
}

interface SearchedSeries extends MeasuredSeries {
  readonly name: SeriesName;
  readonly tail: SeriesTail;
  readonly health: SeriesHealth;
  readonly changes: readonly FoundChange[];
}

/** Number of the newest values that are kept of a series. */
const tailLength = 60;
/** Distance, in comparisons, within which a change that is found again after further comparisons counts as the same. */
const nearness = 3;
/** Share of a change, on a logarithmic scale, of which no more is left where the level has returned. */
const mostLeft = 0.2;
/** A request waits for the search of at most so many comparisons, which takes about a tenth of a second; of more it gets the progress. They are also read together. */
const mostWaitedFor = 20_000;
/** With more new comparisons than this every series is searched again. */
const mostAdded = 5000;

/**
 * Changes of level of all series. After a push only the series that the push touched are searched again. A long search goes on in the
 * background, a series at a time, while requests are answered.
 */
export class ChangeSearch {
  readonly #source: HistorySource;
  readonly #report: (error: unknown) => void;
  readonly #found = new Map<string, SearchedSeries>();
  readonly #queue = new Map<string, SeriesName>();
  /** Series that were read together and are being searched, no longer in the queue. */
  readonly #taken: SeriesName[] = [];
  /** Comparisons of a series, on average. */
  #perSeries = 1;
  /** The ids of the recordings whose series were searched or are in the queue. */
  #seen: ReadonlySet<string> = new Set();
  #revision: string | null = null;
  #updating: Promise<void> = Promise.resolve();
  #working: Promise<void> | null = null;
  #sorted: readonly FoundChange[] | null = null;
  #failure: unknown = null;
  /** Every commit that was measured, and its number by its project and id. */
  readonly #commits: MeasuredCommit[] = [];
  readonly #commitNumbers = new Map<string, number>();
  /** The same by the commits of a recording, which all of its comparisons share in a folder. */
  readonly #numbersOfCommits = new WeakMap<Commits, number>();
  /** The changes that were found so far, by project and method. */
  readonly #summaries = new Map<string, Summary>();
  #isClosed = false;

  /** @param report called with an error of a search in the background */
  constructor(source: HistorySource, report: (error: unknown) => void) {
    this.#source = source;
    this.#report = report;
  }

  /** The changes in a view of the history. @throws HistoryError as the history */
  async of(view: CatalogView): Promise<ChangesFound> {
    await this.update(view);
    if (this.#waiting() * this.#perSeries <= mostWaitedFor) await this.#working;
    this.#sorted ??= [...this.#found.values()]
      .flatMap(({ changes }) => changes)
      // Those report of machines, and not of programs.
      .filter((change) => !isCanary(change))
      .map((change) => ({ change, time: timeKey(change), size: Math.abs(Math.log(change.ratio)) }))
      .toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : b.size - a.size))
      .map(({ change }) => change);
    const series = view.latest.length;
    // One that is asked for again while it is being searched waits twice.
    return { changes: this.#sorted, pending: Math.min(this.#waiting(), series), series };
  }

  /** Series that are still to be searched. */
  #waiting(): number {
    return this.#queue.size + this.#taken.length;
  }

  /** Changes like those of `of`, after every series was searched, however long that takes. @throws HistoryError, and errors of the search */
  async whole(view: CatalogView): Promise<ChangesFound> {
    this.#failure = null;
    await this.update(view);
    while (this.#working !== null) await this.#working;
    if (this.#failure !== null) throw this.#failure;
    return this.of(view);
  }

  /** Begins to search the series that differ from those of the view before. */
  async update(view: CatalogView): Promise<void> {
    this.#updating = this.#updating.catch(() => undefined).then(() => this.#enqueue(view));
    await this.#updating;
    if (this.#queue.size > 0 && this.#working === null) {
      this.#working = this.#work()
        .catch((error: unknown) => {
          this.#failure = error;
          if (!this.#isClosed) this.#report(error);
        })
        .finally(() => {
          this.#working = null;
        });
    }
  }

  /** The newest values of a series; `null` = it has not been searched yet. */
  tailOf(name: SeriesName): SeriesTail | null {
    return this.#found.get(seriesKey(name))?.tail ?? null;
  }

  /** The health of every series that was searched so far, the worst first; canaries are left out. */
  health(): readonly (SeriesName & SeriesHealth)[] {
    return [...this.#found.values()]
      .map(({ name, health }) => ({ ...name, ...health }))
      .filter((one) => !isCanary(one))
      .toSorted(
        (a, b) =>
          b.takenBack - a.takenBack ||
          b.undecided / b.comparisons - a.undecided / a.comparisons ||
          (b.spread ?? 0) - (a.spread ?? 0),
      );
  }

  /** The summary score of the series of a project that were searched so far; of one method, or of all of them. */
  summaryOf(project: string, method: Method | undefined): Summary {
    const key = JSON.stringify([project, method ?? null]);
    let found = this.#summaries.get(key);
    if (found === undefined) {
      const series = [...this.#found.values()].filter(
        ({ name }) => name.project === project && (method === undefined || name.method === method),
      );
      found = summarise(series, this.#commits);
      this.#summaries.set(key, found);
    }
    return found;
  }

  /** The number of the commit of B; of a comparison without one that of its experiment. */
  readonly #commitNumberOf = (point: HistoryPoint): number => {
    const { project, commits, experiment, startedAt } = point;
    const known = this.#numbersOfCommits.get(commits);
    if (known !== undefined) return known;
    const key = `${project}\n${commits.B?.id ?? experiment}`;
    let found = this.#commitNumbers.get(key);
    if (found === undefined) {
      found = this.#commits.length;
      this.#commits.push({ commit: commits.B, at: new Date(commits.B?.committedAt ?? startedAt).toISOString() });
      this.#commitNumbers.set(key, found);
    }
    this.#numbersOfCommits.set(commits, found);
    return found;
  };

  /** Ends the search in the background. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  async #enqueue(view: CatalogView): Promise<void> {
    if (view.revision === this.#revision) return;
    this.#perSeries = view.comparisonCount / Math.max(1, view.latest.length);
    const ids = new Set(view.recordings.map(({ id }) => id));
    const added = [...ids].filter((id) => !this.#seen.has(id));
    const isExtended = this.#revision !== null && added.length > 0 && ids.size === this.#seen.size + added.length;
    const count = added.reduce((sum, id) => sum + view.recording(id).comparisons, 0);
    if (isExtended && count <= mostAdded) {
      for (const point of (await view.comparisons(added)).flat()) this.#ask(point);
    } else {
      const present = new Set(view.latest.map((point) => seriesKey(point)));
      for (const key of this.#found.keys()) if (!present.has(key)) this.#found.delete(key);
      this.#sorted = null;
      this.#summaries.clear();
      for (const verdict of verdictOrder)
        for (const point of view.latest) if (point.verdict === verdict) this.#ask(point);
    }
    this.#seen = ids;
    this.#revision = view.revision;
  }

  #ask({ project, benchmark, params, method }: SeriesName): void {
    const name = { project, benchmark, params, method };
    this.#queue.set(seriesKey(name), name);
  }

  async #work(): Promise<void> {
    while (this.#queue.size > 0) {
      for (const [key, name] of this.#queue) {
        if (this.#taken.length > 0 && (this.#taken.length + 1) * this.#perSeries > mostWaitedFor) break;
        // Asked for again meanwhile, it is searched again.
        this.#queue.delete(key);
        this.#taken.push(name);
      }
      try {
        const taken = [...this.#taken];
        for (const points of await this.#source.use((history) => history.seriesOf(taken))) {
          if (this.#isClosed) return;
          this.#search(points);
          await nextTurn();
        }
      } catch (error) {
        for (const name of this.#taken) this.#ask(name);
        throw error;
      } finally {
        this.#taken.length = 0;
      }
    }
  }

  /** Searches the first of the series that were read. */
  #search(points: readonly HistoryPoint[]): void {
    const [name] = this.#taken;
    if (name === undefined) return;
    const key = seriesKey(name);
    if (points.length === 0) this.#found.delete(key);
    else this.#found.set(key, searched(name, { points, numberOf: this.#commitNumberOf }));
    this.#sorted = null;
    this.#summaries.clear();
    this.#taken.shift();
  }
}

function searched(
  name: SeriesName,
  {
    points,
    numberOf,
  }: { readonly points: readonly HistoryPoint[]; readonly numberOf: (point: HistoryPoint) => number },
): SearchedSeries {
  const found = seriesLevels(points);
  const { quantity, values: exact, changes } = found;
  // Kept of every comparison: as small as pictures and scores allow.
  const values = Float32Array.from(exact);
  const from = Math.max(0, values.length - tailLength);
  return {
    name,
    values,
    commits: Int32Array.from(points, numberOf),
    health: seriesHealth(points, found),
    tail: { values: values.subarray(from), changes: changes.flatMap(({ at }) => (at > from ? [at - from] : [])) },
    changes: changes.flatMap(({ at, ...change }, index) => {
      const [last, first] = [points[at - 1], points[at]];
      if (first === undefined || last === undefined) return [];
      const id = markOf(`${seriesKey(name)} ${first.experiment}`);
      const near = points.slice(Math.max(0, at - nearness), at + nearness + 1).map(({ experiment }) => experiment);
      const since = (changes[index + 1]?.at ?? points.length) - at;
      const returned = points[returnOf(changes.slice(index)) ?? points.length] ?? null;
      return [{ ...name, ...change, id, quantity, first, last, since, near, returned }];
    }),
  };
}

/** Index of the comparison with which later changes, each more than one pair, have taken the first one back; `null` = they have not. */
function returnOf([change, ...later]: readonly LevelChange[]): number | null {
  const whole = Math.log(change?.ratio ?? 1);
  let left = whole;
  for (const { at, ratio, basis } of later) {
    if (basis !== 'pair') left += Math.log(ratio);
    if (left / whole <= mostLeft) return at;
  }
  return null;
}

function timeKey({ first }: FoundChange): string {
  return new Date(first.commits.B?.committedAt ?? first.startedAt).toISOString();
}

/** Identity of a change of a direction while its place moves: a text for each comparison that it may begin with. */
export function changeMark(name: SeriesName, direction: ChangeTriage['direction'], experiment: string): string {
  return markOf(`${seriesKey(name)} ${direction} ${experiment}`);
}

/** A short text that stands for a long one, of which nothing can be read. */
export function markOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

export function directionOf({ ratio }: Pick<FoundChange, 'ratio'>): ChangeTriage['direction'] {
  return ratio > 1 ? 'slower' : 'faster';
}

/** A change by its id. @throws RequestError `NOT_FOUND` */
export function changeOf({ changes }: ChangesFound, id: string): FoundChange {
  const found = changes.find((change) => change.id === id);
  if (found !== undefined) return found;
  throw new RequestError(
    'NOT_FOUND',
    'There is no such change: further comparisons may have moved it. The first page lists those that are found now.',
  );
}
