import { connect, databaseFailure } from '@deadheat/history';
import { checkFleetUrl } from './link.ts';
import { migrateFleet } from './migrate.ts';
import { rolesSql } from './roles.ts';

/**
 * Makes a database a fleet, or brings it to this version; with `roles` also the three roles.
 *
 * @throws FleetError `BAD_URL`, `NEWER_SCHEMA`, `NO_SCHEMA`; HistoryError `NOT_ALLOWED` where the role may not make roles, and as `connect`
 */
export async function initFleet(
  url: string,
  { roles, variables }: { readonly roles: boolean; readonly variables: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  checkFleetUrl(url);
  const client = await connect(url, variables);
  try {
    await migrateFleet(client, { place: url });
    if (roles) await client.query(rolesSql);
  } catch (error) {
    throw databaseFailure(error, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}
