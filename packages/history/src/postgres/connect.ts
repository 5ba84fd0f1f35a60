import { Client } from 'pg';
import { databaseFailure } from './database-failure.ts';
import { readPassword } from './read-password.ts';

const connectionTimeoutMillis = 15_000;

/**
 * Connects to a database; the password is looked up, never in the URL.
 *
 * @throws HistoryError `NO_CONNECTION`, `BAD_PASSWORD`, `NOT_ALLOWED`, `BAD_CERTIFICATE`, `NOT_FOUND`
 */
export const connect = async (
  url: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Client> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis, application_name: 'deadheat' });
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
