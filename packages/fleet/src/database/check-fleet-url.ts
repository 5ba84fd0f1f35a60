import { checkPlace, HistoryError, isDatabaseUrl } from '@deadheat/history';
import { FleetError } from '../fleet-error.ts';

/**
 * Refuses what cannot be a fleet: anything but a URL of PostgreSQL, and one that holds a password.
 *
 * @throws FleetError `BAD_URL`
 */
export function checkFleetUrl(url: string): void {
  if (!isDatabaseUrl(url)) {
    throw new FleetError(
      'BAD_URL',
      `A fleet is a PostgreSQL database: --fleet postgres://user@host/name, not '${url}'.`,
    );
  }
  try {
    checkPlace(url);
  } catch (error) {
    if (error instanceof HistoryError) throw new FleetError('BAD_URL', error.message, { cause: error });
    throw error;
  }
}
