import type { CollectedRun, CollectedRuns, Outcome, RunPlace, WantedRun } from '@deadheat/engine';
import { configOf, type ExperimentConfig, type Failure, sharesCore } from '@deadheat/model';
import { RecordError } from '@deadheat/recording';
import type { Bell } from '../database/link.ts';
import { FleetError, isSameVersion } from '../fleet-error.ts';
import type { KnownWorker } from '../fleet-view.ts';
import type { Dispatcher, HostWish, RunUnderWay } from './dispatcher.ts';

/** Events of the fleet for the submitter's output, beside the progress of the experiment. */
export type SubmitEvent =
  | { readonly kind: 'submitted'; readonly experiment: string; readonly workers: readonly string[] }
  | { readonly kind: 'worker-joined'; readonly worker: string }
  /** A worker died; its runs are given to others. */
  | { readonly kind: 'worker-lost'; readonly worker: string }
  /** A worker brought what is no result of its run; its runs are given to others. */
  | { readonly kind: 'worker-distrusted'; readonly worker: string }
  /** Pilot runs choose a method before the experiment is left to the workers. */
  | { readonly kind: 'method-awaited' }
  | { readonly kind: 'connection-lost'; readonly message: string }
  | { readonly kind: 'connection-found' };

interface FollowOptions {
  readonly collected: CollectedRuns;
  readonly dispatcher: Dispatcher;
  readonly wish: HostWish;
  readonly signal: AbortSignal;
  readonly onFleetEvent: (event: SubmitEvent) => void;
  /** Rings when there is something new. */
  readonly bell: Bell;
  readonly liveness: Liveness;
  /** True when all runs are dispatched as soon as their methods are chosen, and nothing else is waited for. */
  readonly detaches: boolean;
}

/** The end of a followed experiment. */
export type FollowedEnd =
  | Outcome
  | { readonly kind: 'refused'; readonly message: string }
  /** Its runs are in the queues, and nobody follows it any more. */
  | { readonly kind: 'detached' };

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
 */
export async function follow(options: FollowOptions): Promise<FollowedEnd> {
  return new Following(options).run();
}

class Following {
  readonly #options: FollowOptions;
  readonly #beganMs = performance.now();
  /** Ids of the hosts. */
  #hosts: readonly string[] = [];
  /** True when the wait for pilot runs was reported. */
  #awaitsMethod = false;
  /** Ids of workers that brought what is no result. */
  readonly #distrusted = new Set<string>();
  /** When the last of them did, by `performance.now()`. */
  #distrustedAtMs = Infinity;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  async run(): Promise<FollowedEnd> {
    const { collected, dispatcher, signal, detaches, bell, onFleetEvent } = this.#options;
    for (;;) {
      if (signal.aborted) return { kind: 'interrupted' };
      bell.still();
      try {
        const failures = await this.#gather();
        if (failures.length > 0) return { kind: 'failed', failures };
        if (collected.isDone) return { kind: 'done' };
        if (this.#isOutOfTime()) return collected.hasResults ? { kind: 'done' } : { kind: 'time-limit' };
        const { state, workers, underWay } = await dispatcher.standing();
        if (state !== 'running') return { kind: 'interrupted' };
        const refused = underWay.find((run) => run.state === 'refused');
        if (refused !== undefined) return { kind: 'refused', message: refused.failure ?? '' };
        await this.#steer(workers, underWay);
        if (this.#hosts.length === 0 && performance.now() - this.#distrustedAtMs > patienceMs) {
          const who = [...this.#distrusted].join(', ');
          return {
            kind: 'refused',
            message: `what ${who} brought is no result of its runs, and there is no other worker`,
          };
        }
        if (detaches && collected.isChosen && this.#hosts.length > 0) return { kind: 'detached' };
        if (detaches && !collected.isChosen && !this.#awaitsMethod) {
          this.#awaitsMethod = true;
          onFleetEvent({ kind: 'method-awaited' });
        }
      } catch (error) {
        if (signal.aborted) return { kind: 'interrupted' };
        throw error;
      }
      await bell.wait(this.#pauseMs());
    }
  }

  /** Gathers the results; the fleet deletes them only after they are on disk here. */
  async #gather(): ReturnType<CollectedRuns['add']> {
    const { collected, dispatcher } = this.#options;
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
      await dispatcher.gathered(results.map(({ token }) => token));
    }
  }

  /** Adds a run; `null` = its records are none. */
  async #take(run: CollectedRun): Promise<readonly Failure[] | null> {
    try {
      return await this.#options.collected.add(run);
    } catch (error) {
      if (error instanceof RecordError && (error.code === 'MALFORMED' || error.code === 'INVALID_TRIAL')) return null;
      throw error;
    }
  }

  /** Has the run made by others, and gives this worker no more. */
  async #distrust(worker: string, token: string): Promise<void> {
    const { dispatcher, onFleetEvent } = this.#options;
    if (!this.#distrusted.has(worker)) onFleetEvent({ kind: 'worker-distrusted', worker });
    this.#distrusted.add(worker);
    this.#distrustedAtMs = performance.now();
    await dispatcher.reject(token);
  }

  #isOutOfTime(): boolean {
    const { experimentTimeoutNs } = this.#options.collected.experiment.config;
    return experimentTimeoutNs !== null && (performance.now() - this.#beganMs) * 1e6 >= experimentTimeoutNs;
  }

  async #steer(workers: readonly KnownWorker[], underWay: readonly RunUnderWay[]): Promise<void> {
    const { collected, dispatcher, liveness } = this.#options;
    liveness.see(workers);
    const hosts = this.#choose(workers.filter(({ id }) => !this.#distrusted.has(id)));
    const unwanted = underWay.filter((run) => !collected.wants(run));
    await dispatcher.cancel(unwanted);
    const dead = new Set(this.#distrusted);
    for (const worker of workers) if (liveness.isDead(worker)) dead.add(worker.id);
    const wanted = underWay.filter((run) => collected.wants(run));
    const draining = new Set(workers.filter((worker) => worker.draining).map(({ id }) => id));
    const orphans: RunUnderWay[] = [];
    const held: RunUnderWay[] = [];
    for (const run of wanted) {
      const isOrphan = run.state === 'lost' || dead.has(run.host) || (run.state === 'queued' && draining.has(run.host));
      (isOrphan ? orphans : held).push(run);
    }
    const placed = this.#fill(hosts, { held, orphans });
    await dispatcher.dispatch(placed, { notifies: hosts.length <= mostNotifying });
  }

  #choose(workers: readonly KnownWorker[]): readonly KnownWorker[] {
    const { wish, onFleetEvent, collected, liveness } = this.#options;
    const known = new Map(workers.map((worker) => [worker.id, worker]));
    // A host that only lost its connection remains a host.
    const before = this.#hosts.filter((id) => {
      const worker = known.get(id);
      return worker !== undefined && !worker.draining && !liveness.isDead(worker);
    });
    const absent = before.filter((id) => known.get(id)?.state === 'gone').length;
    const hosts = chooseHosts(workers, {
      wish: wish.hosts === null ? wish : { ...wish, hosts: Math.max(0, wish.hosts - absent) },
      before,
    });
    const ids = [...new Set([...before, ...hosts.map(({ id }) => id)])];
    if (this.#hosts.length === 0 && ids.length > 0) {
      onFleetEvent({ kind: 'submitted', experiment: collected.experiment.id, workers: ids });
    } else {
      for (const worker of ids) if (!this.#hosts.includes(worker)) onFleetEvent({ kind: 'worker-joined', worker });
    }
    for (const worker of this.#hosts) if (!ids.includes(worker)) onFleetEvent({ kind: 'worker-lost', worker });
    this.#hosts = ids;
    return hosts;
  }

  /** Assigns runs to hosts: lost runs first, each to the host with the fewest runs. */
  #fill(
    hosts: readonly KnownWorker[],
    { held, orphans }: { readonly held: readonly RunUnderWay[]; readonly orphans: readonly RunUnderWay[] },
  ): Parameters<Dispatcher['dispatch']>[0] {
    const { collected } = this.#options;
    const placed: { place: WantedRun; worker: KnownWorker; instead: RunUnderWay | null }[] = [];
    const underWay: (RunPlace & { readonly host: string })[] = [
      ...held,
      ...orphans.map((run) => ({ ...run, host: '' })),
    ];
    const loads = new Map<string, number>();
    for (const { host } of underWay) loads.set(host, load(host) + 1);
    const made = new Map(hosts.map(({ id }) => [id, collected.runsOf(id)]));

    function load(id: string): number {
      return loads.get(id) ?? 0;
    }

    function total(id: string): number {
      return (made.get(id) ?? 0) + load(id);
    }

    /** The host with the fewest runs now, of several such the one with the fewest ever, of those that may have another. */
    function leastBusy(mayHave: (host: KnownWorker) => boolean): KnownWorker | null {
      let least: KnownWorker | null = null;
      for (const host of hosts) {
        if (!mayHave(host)) continue;
        if (least === null || (load(host.id) - load(least.id) || total(host.id) - total(least.id)) < 0) least = host;
      }
      return least;
    }

    function put(worker: KnownWorker, place: WantedRun, instead: RunUnderWay | null): void {
      placed.push({ place, worker, instead });
      underWay.push({ benchmark: place.benchmark, phase: place.phase, run: place.run, host: worker.id });
      loads.set(worker.id, load(worker.id) + 1);
    }

    for (const orphan of orphans) {
      const worker = leastBusy(() => true);
      if (worker === null) break;
      put(worker, orphan, orphan);
    }
    for (;;) {
      const fewest = hosts.reduce((least, { id }) => Math.min(least, total(id)), Infinity);
      const mayBe = fewest + Math.max(lead.runs, Math.ceil(fewest * lead.share));
      const worker = leastBusy((host) => load(host.id) < this.#depthOf(host) && total(host.id) < mayBe);
      const place = worker === null ? null : collected.next(worker.id, underWay);
      if (worker === null || place === null) return placed;
      put(worker, place, null);
    }
  }

  /**
   * Runs that a host has at the same time: those that it executes and the next one, so that it need not wait for this process. All where
   * nobody stays to dispatch more.
   */
  #depthOf({ lanes }: KnownWorker): number {
    const { collected, detaches } = this.#options;
    if (detaches && collected.isChosen) return Infinity;
    const { config } = collected.experiment;
    const isShared = config.benchmarks.some((benchmark) => mayShare(configOf(config, benchmark)));
    const asked = typeof config.workerLanes === 'number' ? config.workerLanes : lanes;
    return 1 + (isShared ? Math.min(lanes, asked) : 1);
  }

  #pauseMs(): number {
    if (!this.#options.dispatcher.hears) return askPauseMs.unheard;
    return this.#hosts.length <= mostNotifying ? lookPauseMs : askPauseMs.unnotified;
  }
}

/** Checks whether runs of a benchmark may be in flight beside each other on one machine. */
function mayShare({ method, stable }: ExperimentConfig): boolean {
  return sharesCore(method) && stable === null;
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
