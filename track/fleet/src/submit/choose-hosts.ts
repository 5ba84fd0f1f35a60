import { FleetError, isSameVersion } from '../fleet-error.ts';
import type { KnownWorker } from '../fleet-view.ts';

/** Which workers an experiment may use. */
export interface HostWish {
  /** The number of hosts; `null` = all. */
  readonly hosts: number | null;
  /** Labels that a worker must have. */
  readonly labels: Readonly<Record<string, string>>;
  /** Ids of workers that are not to be used. */
  readonly excluded: readonly string[];
  /** Ids of the only workers that are to be used; empty = all may. */
  readonly pinned: readonly string[];
  readonly toolVersion: string;
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
