import { withoutPasswords } from '@deadheat/model/text';
import { HistoryError } from './history-error.ts';
import type { History, OpenOptions } from './history.ts';

/**
 * Opens the history at a folder or at `postgres://…`. The modules of each kind are loaded only when they are needed,
 * because most commands use no history.
 *
 * @throws HistoryError `BAD_URL`, `NOT_FOUND`; for a database also `NO_CONNECTION`, `BAD_PASSWORD`, `NOT_ALLOWED`,
 *   `BAD_CERTIFICATE`, `NO_SCHEMA`, `NEWER_SCHEMA`; DeadheatError `PACKAGE_MISSING`
 */
export async function openHistory(place: string, options: OpenOptions): Promise<History> {
  checkPlace(place);
  if (isDatabaseUrl(place)) {
    const { openPostgresHistory } = await import('./postgres/postgres-history.ts');
    return openPostgresHistory(place, options);
  }
  const { FileHistory } = await import('./files/file-history.ts');
  return FileHistory.open(place, options);
}

const scheme = /^postgres(?:ql)?:\/\//i;

/** Checks whether a place is a database rather than a folder. */
export function isDatabaseUrl(place: string): boolean {
  return scheme.test(place);
}

/**
 * Refuses a place that cannot be a history: another scheme than PostgreSQL's, and a URL with a password, which others
 * on the machine could read in the list of processes.
 *
 * @throws HistoryError `BAD_URL`
 */
export function checkPlace(place: string): void {
  if (place === '')
    throw new HistoryError('BAD_URL', 'A history needs a folder or a URL, such as postgres://host/name.');
  const [, other] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place) ?? [];
  if (other !== undefined && !isDatabaseUrl(place)) {
    throw new HistoryError('BAD_URL', `A history is a folder or postgres://host/name; deadheat knows no ${other}://.`);
  }
  if (isDatabaseUrl(place) && withoutPasswords(place) !== place) {
    throw new HistoryError(
      'BAD_URL',
      `${withoutPasswords(place)} was given with a password, which everybody on this machine can see in the list of ` +
        'processes. Leave it out of the URL, and put it into ~/.pgpass (host:port:database:user:password, mode 0600) or ' +
        'into the variable PGPASSWORD.',
    );
  }
}
