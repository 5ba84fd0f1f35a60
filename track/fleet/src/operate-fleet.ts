import { ask, Link } from './database/link.ts';
import { createFleetSchema, rolesSql } from './database/fleet-schema.ts';
import { FleetError } from './fleet-error.ts';

/** A fleet's database, and the variables from which its password is taken. */
export interface FleetPlace {
  readonly url: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

async function withFleet<T>({ url, variables }: FleetPlace, work: (link: Link) => Promise<T>): Promise<T> {
  const link = await Link.open({
    url,
    variables,
    signal: new AbortController().signal,
    onConnect: (client) => createFleetSchema(client, url),
  });
  try {
    return await work(link);
  } finally {
    await link.close();
  }
}

/**
 * Makes a database a fleet; with `roles` also the three roles.
 *
 * @throws as `Link.open` and `createFleetSchema`; HistoryError `NOT_ALLOWED` where the role may not make roles
 */
export async function initFleet(
  url: string,
  { roles, variables }: { readonly roles: boolean; readonly variables: FleetPlace['variables'] },
): Promise<void> {
  await withFleet({ url, variables }, async (link) => {
    if (roles) await link.use((client) => client.query(rolesSql));
  });
}

/**
 * Cancels an experiment: runs under way are ended, finished runs are kept. An id may be shortened as long as it is
 * unambiguous.
 *
 * @returns its id, and whether it was running
 * @throws FleetError `NOT_FOUND`, and as `Link.open`
 */
export async function cancelExperiment(
  place: FleetPlace,
  experiment: string,
): Promise<{ readonly id: string; readonly wasRunning: boolean }> {
  return withFleet(place, (link) =>
    link.transaction(async (client) => {
      const { rows } = await client.query<{ readonly id: string }>(
        'select id from deadheat_fleet.experiment where starts_with(id, $1) order by submitted_at desc limit 2',
        [experiment],
      );
      const [found, other] = rows;
      if (found === undefined || (other !== undefined && found.id !== experiment)) {
        const why = found === undefined ? 'knows no experiment' : 'knows several experiments that begin with';
        throw new FleetError('NOT_FOUND', `The fleet at ${place.url} ${why} ${experiment}.`);
      }
      const { id } = found;
      return { id, wasRunning: (await ask<boolean>(client, 'finish', [id, 'cancelled', null])) ?? false };
    }),
  );
}

/**
 * Actions on a worker: `drain` = it takes no more runs, and those that wait for it go to others; `resume` = it takes runs again;
 * `forget` = it is not listed any more, and may enrol anew.
 */
type WorkerAction = 'drain' | 'resume' | 'forget';

/**
 * Changes what the fleet does with a worker.
 *
 * @throws FleetError `NOT_FOUND`, and as `Link.open`; HistoryError `NOT_ALLOWED` for logins that may not submit
 */
export async function steerWorker(place: FleetPlace, worker: string, action: WorkerAction): Promise<void> {
  await withFleet(place, async (link) => {
    const isKnown = await link.use((client) =>
      action === 'forget'
        ? ask<boolean>(client, 'forget', [worker])
        : ask<boolean>(client, 'drain', [worker, action === 'drain']),
    );
    if (isKnown !== true) throw new FleetError('NOT_FOUND', `The fleet at ${place.url} knows no worker ${worker}.`);
  });
}

/**
 * Removes experiments that are over and were submitted before a time, with their runs and results, and workers that were not seen since
 * and of which no run is left. Recordings are elsewhere, and stay.
 *
 * @param olderThanNs age, ns, by the database's clock
 * @throws as `Link.open`; HistoryError `NOT_ALLOWED` for logins other than the owner
 */
export async function pruneFleet(
  place: FleetPlace,
  olderThanNs: number,
): Promise<{ readonly experiments: number; readonly workers: number }> {
  return withFleet(place, (link) =>
    link.transaction(async (client) => {
      const age = [olderThanNs / 1e9];
      const experiments = await client.query(
        "delete from deadheat_fleet.experiment where state <> 'running' and submitted_at < now() - make_interval(secs => $1)",
        age,
      );
      const workers = await client.query(
        `with old as (delete from deadheat_fleet.worker w using deadheat_fleet.lease l where l.name = w.id
             and greatest(l.renewed_at, l.until) < now() - make_interval(secs => $1)
             and not exists (select from deadheat_fleet.run r where r.worker = w.id) returning w.id)
           delete from deadheat_fleet.lease using old where name = old.id`,
        age,
      );
      return { experiments: experiments.rowCount ?? 0, workers: workers.rowCount ?? 0 };
    }),
  );
}
