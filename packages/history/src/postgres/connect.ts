import { Client } from 'pg';
import { HistoryError } from '../history-error.ts';
import { withoutPasswords } from '../place-url.ts';
import { databaseFailure } from './database-failure.ts';
import { readPassword } from './read-password.ts';

const connectionTimeoutMillis = 15_000;

/**
 * Connects to a database; the password is looked up, never in the URL.
 *
 * @throws HistoryError `BAD_URL`, `NO_CONNECTION`, `BAD_PASSWORD`, `NOT_ALLOWED`, `BAD_CERTIFICATE`, `NOT_FOUND`
 */
export const connect = async (
  url: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Client> => {
  const client = newClient(url);
  const { host, port, database = '', user = '' } = client;
  // An empty password keeps the library from looking for one itself; a server that trusts does not ask.
  client.password = readPassword({ host, port, database, user }, variables) ?? '';
  // An idle connection that breaks is found out by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query("set application_name = 'deadheat'; set timezone = 'UTC'");
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw databaseFailure(error, url);
  }
};

/** Reads the URL, and the files that `sslrootcert`, `sslcert` and `sslkey` in it name. */
const newClient = (url: string): Client => {
  try {
    return new Client({ connectionString: url, connectionTimeoutMillis, application_name: 'deadheat' });
  } catch (error) {
    const why = withoutPasswords(error instanceof Error ? error.message : String(error));
    if (error instanceof Error && 'errno' in error) {
      throw new HistoryError(
        'BAD_CERTIFICATE',
        `${url}: a file that the URL names cannot be read (${why}). Nobody was asked. Look at its sslrootcert, sslcert and sslkey.`,
        { cause: error },
      );
    }
    throw new HistoryError('BAD_URL', `${url} is no URL of a database, such as postgres://user@host/name (${why}).`, {
      cause: error,
    });
  }
};
