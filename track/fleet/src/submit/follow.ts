import type { CollectedRun, CollectedRuns, Outcome, RunPlace, WantedRun } from '@deadheat/engine';
import { configOf, type Failure, sharesCore } from '@deadheat/model';
import { RecordError } from '@deadheat/recording';
import type { Bell } from '../database/link.ts';
import { FleetError, isSameVersion } from '../fleet-error.ts';
import type { KnownWorker } from '../fleet-view.ts';
import type { Dispatcher, HostWish, PlacedRun, RunUnderWay } from './dispatcher.ts';

/** An experiment whose runs workers execute. */
export interface Followed {
  readonly collected: CollectedRuns;
  readonly dispatcher: Dispatcher;
  readonly wish: HostWish;
  readonly signal: AbortSignal;
  readonly onNotice: (text: string) => void;
  /** Rings when there is something new. */
  readonly bell: Bell;
  readonly liveness: Liveness;
}

/** The end of a followed experiment; `refused`: workers cannot execute its runs. */
export type FollowedEnd = Outcome | { readonly kind: 'refused'; readonly message: string };

/** Pause between two checks whether workers live, ms. */
const lookPauseMs = 1500;

/** Pauses between two checks whether there is something new, where notifications do not arrive, and where none are sent, ms. */
const askPauseMs = { unheard: 300, unnotified: 500 };

/**
 * Most hosts that tell of the end of every run. The server wakes all connections that listen for each notification, which would cost it
 * more than the runs of many hosts do.
 */
const mostNotifying = 32;

/** The number of runs that a host may be ahead of the one with the fewest, at least, and as a share of these. */
const lead = { runs: 4, share: 0.25 };

/**
 * Keeps the queues of an experiment's hosts filled until the stop rules are satisfied, gathers the results, and gives
 * the runs of dead workers to others.
 *
 * @param options.detaches true = all runs are dispatched as soon as their methods are chosen, and nothing else is waited for
 */
export async function follow(followed: Followed, { detaches }: { readonly detaches: boolean }): Promise<FollowedEnd> {
  return new Following(followed, detaches).run();
}

class Following {
  readonly #followed: Followed;
  readonly #detaches: boolean;
  readonly #beganMs = performance.now();
  /** Ids of the hosts. */
  #hosts: readonly string[] = [];
  /** True when the wait for pilot runs was reported. */
  #awaitsMethod = false;
  /** Ids of workers that brought what is no result. */
  readonly #distrusted = new Set<string>();
  /** When the last of them did, by `performance.now()`. */
  #distrustedAtMs = Infinity;

  constructor(followed: Followed, detaches: boolean) {
    this.#followed = followed;
    this.#detaches = detaches;
  }

  async run(): Promise<FollowedEnd> {
    const { signal, bell } = this.#followed;
    for (;;) {
      if (signal.aborted) return { kind: 'interrupted' };
      bell.still();
      try {
        const end = await this.#look();
        if (end !== null) return end;
      } catch (error) {
        if (signal.aborted) return { kind: 'interrupted' };
        throw error;
      }
      await bell.wait(this.#pauseMs());
    }
  }

  /** Gathers what there is, and dispatches what is missing; `null` = the experiment goes on. */
  async #look(): Promise<FollowedEnd | null> {
    const { collected, dispatcher, onNotice } = this.#followed;
    const failures = await this.#gather();
    if (failures.length > 0) return { kind: 'failed', failures };
    if (collected.isDone) return { kind: 'done' };
    if (this.#isOutOfTime()) return { kind: collected.hasResults ? 'done' : 'time-limit' };
    const { state, workers, underWay } = await dispatcher.standing();
    if (state !== 'running') return { kind: 'interrupted' };
    const refused = underWay.find((run) => run.state === 'refused');
    if (refused !== undefined) return { kind: 'refused', message: refused.failure ?? '' };
    await this.#steer(workers, underWay);
    if (this.#hosts.length === 0 && performance.now() - this.#distrustedAtMs > patienceMs) {
      const who = [...this.#distrusted].join(', ');
      const message = `what ${who} brought is no result of its runs, and there is no other worker`;
      return { kind: 'refused', message };
    }
    if (this.#detaches && collected.isChosen && this.#hosts.length > 0) return { kind: 'done' };
    if (this.#detaches && !collected.isChosen && !this.#awaitsMethod) {
      this.#awaitsMethod = true;
      onNotice(
        'pilot runs choose the method first, then the rest is left to the workers; a file that names one, such as methods: [tandem], is left at once',
      );
    }
    return null;
  }

  /** Gathers the results; the fleet deletes them only after they are on disk here. */
  async #gather(): ReturnType<CollectedRuns['add']> {
    const { collected, dispatcher } = this.#followed;
    for (;;) {
      const results = await dispatcher.results();
      if (results.length === 0) return [];
      const made = results.flatMap((result) => result.made ?? []);
      await collected.expect(made.filter(({ trial }) => collected.wants(trial)));
      for (const { token, worker, made: one, unpack } of results) {
        // A result that the stop rule no longer needs would cause a second interim analysis.
        if (one !== null && !collected.wants(one.trial)) continue;
        const records = one === null ? null : await unpack();
        const failures = one === null || records === null ? null : await this.#take({ ...one, records });
        if (failures === null) await this.#distrust(worker, token);
        else if (failures.length > 0) return failures;
      }
      await dispatcher.change('gather', tokensOf(results));
    }
  }

  /** Adds a run; `null` = its records are none. */
  async #take(run: CollectedRun): Promise<readonly Failure[] | null> {
    try {
      return await this.#followed.collected.add(run);
    } catch (error) {
      if (error instanceof RecordError && (error.code === 'MALFORMED' || error.code === 'INVALID_TRIAL')) return null;
      throw error;
    }
  }

  /** Has the run made by others, and gives this worker no more. */
  async #distrust(worker: string, token: string): Promise<void> {
    const { dispatcher, onNotice } = this.#followed;
    if (!this.#distrusted.has(worker)) {
      onNotice(`worker ${worker} brought what is no result of its run; its runs go elsewhere`);
    }
    this.#distrusted.add(worker);
    this.#distrustedAtMs = performance.now();
    await dispatcher.change('reject', token);
  }

  #isOutOfTime(): boolean {
    const { experimentTimeoutNs } = this.#followed.collected.experiment.config;
    return experimentTimeoutNs !== null && (performance.now() - this.#beganMs) * 1e6 >= experimentTimeoutNs;
  }

  async #steer(workers: readonly KnownWorker[], underWay: readonly RunUnderWay[]): Promise<void> {
    const { collected, dispatcher, liveness } = this.#followed;
    liveness.see(workers);
    const hosts = this.#choose(workers.filter(({ id }) => !this.#distrusted.has(id)));
    const unwanted = tokensOf(underWay.filter((run) => !collected.wants(run)));
    if (unwanted.length > 0) await dispatcher.change('cancel_runs', unwanted);
    const dead = new Set(this.#distrusted);
    for (const worker of workers) if (liveness.isDead(worker)) dead.add(worker.id);
    const draining = new Set(workers.filter((worker) => worker.draining).map(({ id }) => id));

    function isOrphan({ state, host }: RunUnderWay): boolean {
      return state === 'lost' || dead.has(host) || (state === 'queued' && draining.has(host));
    }

    const wanted = underWay.filter((run) => collected.wants(run));
    const held = wanted.filter((run) => !isOrphan(run));
    const placed = this.#fill(hosts, { held, orphans: wanted.filter(isOrphan) });
    await dispatcher.dispatch(placed, { notifies: hosts.length <= mostNotifying });
  }

  #choose(workers: readonly KnownWorker[]): readonly KnownWorker[] {
    const { wish, onNotice, collected, liveness } = this.#followed;
    const known = new Map(workers.map((worker) => [worker.id, worker]));
    // A host that only lost its connection remains a host.
    const before = this.#hosts.filter((id) => {
      const worker = known.get(id);
      return worker !== undefined && !worker.draining && !liveness.isDead(worker);
    });
    const absent = before.filter((id) => known.get(id)?.state === 'gone').length;
    const present = wish.hosts === null ? null : Math.max(0, wish.hosts - absent);
    const hosts = chooseHosts(workers, { wish: { ...wish, hosts: present }, before });
    const ids = [...new Set([...before, ...hosts.map(({ id }) => id)])];
    if (this.#hosts.length === 0 && ids.length > 0) {
      onNotice(`experiment ${collected.experiment.id} on ${ids.join(', ')}`);
    } else {
      for (const id of ids) if (!this.#hosts.includes(id)) onNotice(`worker ${id} takes part`);
    }
    for (const id of this.#hosts) if (!ids.includes(id)) onNotice(`worker ${id} is gone; its runs go elsewhere`);
    this.#hosts = ids;
    return hosts;
  }

  /** Assigns runs to hosts: lost runs first, each to the host with the fewest runs. */
  #fill(
    hosts: readonly KnownWorker[],
    { held, orphans }: { readonly held: readonly RunUnderWay[]; readonly orphans: readonly RunUnderWay[] },
  ): readonly PlacedRun[] {
    const { collected } = this.#followed;
    const placed: PlacedRun[] = [];
    const underWay: (RunPlace & { readonly host: string })[] = [
      ...held,
      ...orphans.map((run) => ({ ...run, host: '' })),
    ];
    /** Runs of a host, those under way and all, and how many may be under way. */
    const loads = new Map(
      hosts.map(({ id, lanes }) => [id, { id, now: 0, all: collected.runsOf(id), most: this.#depthOf(lanes) }]),
    );
    type Load = NonNullable<ReturnType<typeof loads.get>>;

    function count(load: Load | undefined): void {
      if (load === undefined) return;
      load.now += 1;
      load.all += 1;
    }

    for (const { host } of held) count(loads.get(host));

    /** The host with the fewest runs now, of several such the one with the fewest ever, of those that may have another. */
    function leastBusy(mayHave: (load: Load) => boolean): Load | null {
      let least: Load | null = null;
      for (const load of loads.values()) {
        if (!mayHave(load)) continue;
        if (least === null || (load.now - least.now || load.all - least.all) < 0) least = load;
      }
      return least;
    }

    function put(load: Load, { benchmark, phase, run, method }: WantedRun, instead: string | null): void {
      placed.push({ benchmark, phase, run, method, worker: load.id, instead });
      underWay.push({ benchmark, phase, run, host: load.id });
      count(load);
    }

    for (const orphan of orphans) {
      const load = leastBusy(() => true);
      if (load !== null) put(load, orphan, orphan.token);
    }
    for (;;) {
      const fewest = [...loads.values()].reduce((least, { all }) => Math.min(least, all), Infinity);
      const mayBe = fewest + Math.max(lead.runs, Math.ceil(fewest * lead.share));
      const load = leastBusy(({ now, all, most }) => now < most && all < mayBe);
      const place = load === null ? null : collected.next(load.id, underWay);
      if (load === null || place === null) return placed;
      put(load, place, null);
    }
  }

  /**
   * Runs that a host has at the same time: those that it executes and the next one, so that it need not wait for this process. All where
   * nobody stays to dispatch more.
   */
  #depthOf(lanes: number): number {
    const { collected } = this.#followed;
    if (this.#detaches && collected.isChosen) return Infinity;
    const { config } = collected.experiment;
    // Runs that may be in flight beside each other on one machine.
    const isShared = config.benchmarks.some((benchmark) => {
      const { method, stable } = configOf(config, benchmark);
      return sharesCore(method) && stable === null;
    });
    const asked = typeof config.workerLanes === 'number' ? config.workerLanes : lanes;
    return 1 + (isShared ? Math.min(lanes, asked) : 1);
  }

  #pauseMs(): number {
    if (!this.#followed.dispatcher.hears) return askPauseMs.unheard;
    return this.#hosts.length <= mostNotifying ? lookPauseMs : askPauseMs.unnotified;
  }
}

function tokensOf(runs: readonly { readonly token: string }[]): readonly string[] {
  return runs.map(({ token }) => token);
}

/** The living workers that an experiment may use. */
export function usableWorkers(workers: readonly KnownWorker[], wish: HostWish): readonly KnownWorker[] {
  return workers.filter(
    (worker) =>
      worker.state !== 'gone' &&
      !worker.draining &&
      fits(worker, wish) &&
      isSameVersion(worker.toolVersion, wish.toolVersion),
  );
}

/**
 * The hosts of an experiment: those of its present hosts that live, and others in place of the dead ones, idle workers
 * first.
 */
export function chooseHosts(
  workers: readonly KnownWorker[],
  { wish, before }: { readonly wish: HostWish; readonly before: readonly string[] },
): readonly KnownWorker[] {
  const usable = usableWorkers(workers, wish);
  const kept = usable.filter(({ id }) => before.includes(id));
  const more = usable
    .filter(({ id }) => !before.includes(id))
    .toSorted((a, b) => Number(a.state === 'busy') - Number(b.state === 'busy'));
  return [...kept, ...more].slice(0, wish.hosts ?? usable.length);
}

/**
 * Throws unless there are the workers that an experiment asks for.
 *
 * @throws FleetError `NO_WORKERS`, `OTHER_VERSION`
 */
export function checkWorkers(workers: readonly KnownWorker[], wish: HostWish, place: string): void {
  const wanted = wish.hosts ?? 1;
  if (usableWorkers(workers, wish).length >= wanted) return;
  const living = workers.filter(({ state, draining }) => state !== 'gone' && !draining);
  const fitting = living.filter((worker) => fits(worker, wish));
  if (fitting.length >= wanted) {
    const others = fitting.map(({ id, toolVersion }) => `${id} is ${toolVersion}`).join(', ');
    throw new FleetError(
      'OTHER_VERSION',
      `The workers at ${place} are of another version than this deadheat ${wish.toolVersion}: ${others}. Run the same version on ` +
        'both; nothing was submitted.',
    );
  }
  const labels = Object.entries(wish.labels).map(([key, value]) => `${key}=${value}`);
  const pinned = wish.pinned.length === 0 ? '' : ` of ${wish.pinned.join(', ')}`;
  const which = labels.length === 0 ? pinned : `${pinned} with ${labels.join(' and ')}`;
  const count = fitting.length === 0 ? 'no worker' : `only ${fitting.map(({ id }) => id).join(', ')}`;
  throw new FleetError(
    'NO_WORKERS',
    `${wanted === 1 ? 'A worker' : `${wanted} workers`}${which} would be needed, and ${count} runs at ${place} now ` +
      `(${living.length} in all). Start more: deadheat fleet worker --fleet ${place}; nothing was submitted.`,
  );
}

function fits({ id, labels }: KnownWorker, wish: HostWish): boolean {
  if (wish.pinned.length > 0 && !wish.pinned.includes(id)) return false;
  return !wish.excluded.includes(id) && Object.entries(wish.labels).every(([key, value]) => labels[key] === value);
}

/**
 * A worker that has been gone for this long, ms, counts as dead; one that only lost its connection has
 * connected again by then.
 */
const patienceMs = 3000;

/** Additional time for workers, ms, after the submitter has connected again: their connections may take longer. */
const graceMs = 3000;

/** Decides which workers live from how long they have been gone. */
export class Liveness {
  readonly #now: () => number;
  readonly #aliveAt = new Map<string, number>();
  #notBefore = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call it after the database could not be reached. */
  forgive(): void {
    this.#notBefore = this.#now() + graceMs;
  }

  see(workers: readonly KnownWorker[]): void {
    for (const { id, state } of workers) if (state !== 'gone') this.#aliveAt.set(id, this.#now());
  }

  /** Checks whether its runs are to go elsewhere. */
  isDead({ id, state, left }: KnownWorker): boolean {
    if (state !== 'gone') return false;
    if (left) return true;
    const now = this.#now();
    return now >= this.#notBefore && now - (this.#aliveAt.get(id) ?? -Infinity) > patienceMs;
  }
}
