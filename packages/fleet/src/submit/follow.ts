import { setTimeout as sleep } from 'node:timers/promises';
import type { CollectedRuns, Outcome, RunPlace, WantedRun } from '@deadheat/engine';
import type { KnownWorker } from '../worker-rows.ts';
import { chooseHosts, Liveness, type HostWish } from './choose-hosts.ts';
import type { Dispatcher, RunUnderWay } from './dispatcher.ts';

/** Events of the fleet for the submitter's output, beside the progress of the experiment. */
export type SubmitEvent =
  | { readonly kind: 'submitted'; readonly experiment: string; readonly workers: readonly string[] }
  | { readonly kind: 'worker-joined'; readonly worker: string }
  /** A worker died; its runs are given to others. */
  | { readonly kind: 'worker-lost'; readonly worker: string }
  | { readonly kind: 'connection-lost'; readonly message: string }
  | { readonly kind: 'connection-found' };

interface FollowOptions {
  readonly collected: CollectedRuns;
  readonly dispatcher: Dispatcher;
  readonly wish: HostWish;
  readonly signal: AbortSignal;
  readonly onFleetEvent: (event: SubmitEvent) => void;
  /** Registers a function that is called when there is something new. */
  readonly onWake: (handler: () => void) => void;
  /** Registers a function that is called after the database could not be reached. */
  readonly onForgive: (handler: () => void) => void;
}

/** How a followed experiment ended. */
type FollowedEnd = Outcome | { readonly kind: 'refused'; readonly message: string };

/** Pause between two checks whether workers live, ms. */
const lookPauseMs = 1500;

/**
 * Runs that a host has at the same time: the one that it executes and the next one, so that it need not wait for this
 * process.
 */
const depth = 2;

/** How many runs a host may be ahead of the one with the fewest, at least, and as a share of these. */
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
  readonly #liveness = new Liveness(() => performance.now());
  readonly #beganMs = performance.now();
  /** Ids of the hosts. */
  #hosts: readonly string[] = [];
  #isNew = true;
  /** Ends the pause between two checks. */
  #waking = new AbortController();

  constructor(options: FollowOptions) {
    this.#options = options;
    options.onWake(() => {
      this.#isNew = true;
      this.#waking.abort();
    });
    options.onForgive(() => this.#liveness.forgive());
  }

  async run(): Promise<FollowedEnd> {
    const { collected, dispatcher, signal } = this.#options;
    for (;;) {
      if (signal.aborted) return { kind: 'interrupted' };
      this.#isNew = false;
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
      } catch (error) {
        if (signal.aborted) return { kind: 'interrupted' };
        throw error;
      }
      await this.#wait();
    }
  }

  /** Gathers the results; the fleet deletes them only after they are on disk here. */
  async #gather(): ReturnType<CollectedRuns['add']> {
    const { collected, dispatcher } = this.#options;
    for (;;) {
      const results = await dispatcher.results();
      if (results.length === 0) return [];
      for (const result of results) {
        // A result that the stop rule no longer needs would cause a second interim analysis.
        if (!collected.wants(result.trial)) continue;
        const failures = await collected.add(result);
        if (failures.length > 0) return failures;
      }
      await dispatcher.gathered(results.map(({ token }) => token));
    }
  }

  #isOutOfTime(): boolean {
    const { experimentTimeoutNs } = this.#options.collected.experiment.config;
    return experimentTimeoutNs !== null && (performance.now() - this.#beganMs) * 1e6 >= experimentTimeoutNs;
  }

  async #steer(workers: readonly KnownWorker[], underWay: readonly RunUnderWay[]): Promise<void> {
    const { collected, dispatcher } = this.#options;
    this.#liveness.see(workers);
    const hosts = this.#choose(workers);
    const unwanted = underWay.filter((run) => !collected.wants(run));
    await dispatcher.cancel(unwanted);
    const dead = new Set(workers.filter((worker) => this.#liveness.isDead(worker)).map(({ id }) => id));
    const wanted = underWay.filter((run) => !unwanted.includes(run));
    const orphans = wanted.filter(({ state, host }) => state === 'lost' || dead.has(host));
    const held = wanted.filter((run) => !orphans.includes(run));
    await dispatcher.dispatch(this.#fill(hosts, { held, orphans }));
  }

  #choose(workers: readonly KnownWorker[]): readonly KnownWorker[] {
    const { wish, onFleetEvent, collected } = this.#options;
    // A host that only lost its connection remains a host.
    const before = this.#hosts.filter((id) =>
      workers.some((worker) => worker.id === id && !this.#liveness.isDead(worker)),
    );
    const absent = before.filter((id) => workers.some((worker) => worker.id === id && worker.state === 'gone')).length;
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
    const placed: {
      readonly place: WantedRun;
      readonly worker: KnownWorker;
      readonly instead: RunUnderWay | null;
      readonly wake: boolean;
    }[] = [];
    const underWay: (RunPlace & { readonly host: string })[] = [
      ...held,
      ...orphans.map((run) => ({ ...run, host: '' })),
    ];

    function load(id: string): number {
      return underWay.filter(({ host }) => host === id).length;
    }

    function total(id: string): number {
      return collected.runsOf(id) + load(id);
    }

    function put(worker: KnownWorker, place: WantedRun, instead: RunUnderWay | null): void {
      placed.push({ place, worker, instead, wake: load(worker.id) === 0 });
      underWay.push({ benchmark: place.benchmark, phase: place.phase, run: place.run, host: worker.id });
    }

    for (const orphan of orphans) {
      const [worker] = hosts.toSorted((a, b) => load(a.id) - load(b.id) || total(a.id) - total(b.id));
      if (worker === undefined) break;
      put(worker, orphan, orphan);
    }
    for (;;) {
      const fewest = Math.min(...hosts.map(({ id }) => total(id)));
      const mayBe = fewest + Math.max(lead.runs, Math.ceil(fewest * lead.share));
      const [worker] = hosts
        .filter(({ id }) => load(id) < depth && total(id) < mayBe)
        .toSorted((a, b) => load(a.id) - load(b.id) || total(a.id) - total(b.id));
      const place = worker === undefined ? null : collected.next(worker.id, underWay);
      if (worker === undefined || place === null) return placed;
      put(worker, place, null);
    }
  }

  async #wait(): Promise<void> {
    if (this.#isNew || this.#options.signal.aborted) return;
    this.#waking = new AbortController();
    await sleep(lookPauseMs, undefined, { signal: this.#waking.signal }).catch(() => undefined);
  }
}
