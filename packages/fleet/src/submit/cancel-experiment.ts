import { Link } from '../database/link.ts';
import { migrateFleet } from '../database/migrate.ts';
import { FleetError } from '../fleet-error.ts';
import { endExperiment } from './dispatcher.ts';

/**
 * Cancels an experiment: runs under way are ended, finished runs are kept. An id may be shortened as long as it is
 * unambiguous.
 *
 * @returns its id, and whether it was running
 * @throws FleetError `NOT_FOUND`, and as `Link.open`
 */
export async function cancelExperiment(
  url: string,
  {
    experiment,
    variables,
  }: { readonly experiment: string; readonly variables: Readonly<Record<string, string | undefined>> },
): Promise<{ readonly id: string; readonly wasRunning: boolean }> {
  const link = await Link.open({
    url,
    variables,
    signal: new AbortController().signal,
    onConnect: (client) => migrateFleet(client, { place: url }),
  });
  try {
    return await link.transaction(async (client) => {
      const { rows } = await client.query<{ readonly id: string }>(
        'select id from deadheat_fleet.experiment where starts_with(id, $1) order by submitted_at desc limit 2',
        [experiment],
      );
      const [found, other] = rows;
      if (found === undefined || (other !== undefined && found.id !== experiment)) {
        const why = found === undefined ? 'knows no experiment' : 'knows several experiments that begin with';
        throw new FleetError('NOT_FOUND', `The fleet at ${url} ${why} ${experiment}.`);
      }
      const { id } = found;
      const wasRunning = await endExperiment(client, {
        experiment: id,
        state: 'cancelled',
        failure: null,
      });
      return { id, wasRunning };
    });
  } finally {
    await link.close();
  }
}
