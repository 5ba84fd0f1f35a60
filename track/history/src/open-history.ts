import type { History, OpenOptions } from './history.ts';
import { checkPlace, isDatabaseUrl } from './place-url.ts';

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
