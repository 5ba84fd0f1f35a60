import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { HistoryError } from '../history-error.ts';
import { withoutPasswords } from '@deadheat/model/text';
import { databaseFailure } from './database-failure.ts';

interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password for a login: PGPASSWORD, else the first line that fits in the password file (PGPASSFILE, else ~/.pgpass), which
 * counts only while nobody else may read it, as for libpq. `null` = there is none.
 *
 * The package `pgpass`, which pg depends on, has another meaning: it takes the last line that fits, does not know that a socket
 * counts as localhost, and reads the variables of the process alone.
 *
 * Source: PostgreSQL 15 documentation, section 34.16 "The Password File".
 */
function readPassword(login: Login, variables: Readonly<Record<string, string | undefined>>): string | null {
  const { PGPASSWORD: typed, PGPASSFILE: file } = variables;
  if (typed !== undefined && typed !== '') return typed;
  const path = file ?? join(variables['HOME'] ?? homedir(), '.pgpass');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || (found.mode & 0o077) !== 0) return null;
  // A socket counts as localhost.
  const host = login.host.startsWith('/') ? 'localhost' : login.host;
  const wanted = [host, String(login.port), login.database, login.user];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('#')) continue;
    const fields = splitLine(line.replace(/\r$/, ''));
    const password = fields[wanted.length];
    if (password !== undefined && wanted.every((value, index) => fields[index] === '*' || fields[index] === value)) {
      return password;
    }
  }
  return null;
}

/** Fields between colons; a backslash takes the next character as it is. */
function splitLine(line: string): readonly string[] {
  const fields = [''];
  for (const [, escaped, plain] of line.matchAll(/\\(.)|([^])/g)) {
    if (plain === ':') fields.push('');
    else fields.push(`${fields.pop() ?? ''}${escaped ?? plain ?? ''}`);
  }
  return fields;
}

const connectionTimeoutMillis = 15_000;

/**
 * Connects to a database; the password is looked up, never in the URL.
 *
 * @throws HistoryError `BAD_URL`, `NO_CONNECTION`, `BAD_PASSWORD`, `NOT_ALLOWED`, `BAD_CERTIFICATE`, `NO_TLS`, `NOT_FOUND`; DeadheatError
 *   `PACKAGE_MISSING`
 */
export async function connect(url: string, variables: Readonly<Record<string, string | undefined>>): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = newClient(url, pg.Client);
  const { host, port, database = '', user = '' } = client;
  checkEncrypted(client, { url, variables });
  // An empty password keeps the library from looking for one itself; a server that trusts does not ask.
  client.password = readPassword({ host, port, database, user }, variables) ?? '';
  // The next query reports an idle connection that broke.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query("set application_name = 'deadheat'; set timezone = 'UTC'");
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw databaseFailure(error, url);
  }
}

/** Checks whether a connection stays on this machine: by a socket, or a name or address of the loopback interface. */
function staysHere(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Refuses a connection over a network without TLS, before anything is sent: everybody on the way could read and change what is stored.
 *
 * @throws HistoryError `NO_TLS`
 */
function checkEncrypted(
  client: Client,
  { url, variables }: { readonly url: string; readonly variables: Readonly<Record<string, string | undefined>> },
): void {
  const { ssl } = client as unknown as { readonly ssl: unknown };
  if (staysHere(client.host) || (ssl !== false && ssl !== undefined)) return;
  if (variables['DEADHEAT_ALLOW_PLAINTEXT'] === '1') return;
  throw new HistoryError(
    'NO_TLS',
    `${url}: the connection to ${client.host} would not be encrypted, so that others on the way could read and change what is sent. Nothing ` +
      'was sent. Add ?sslmode=verify-full&sslrootcert=FILE to the URL, or, where the network is trusted, set the variable ' +
      'DEADHEAT_ALLOW_PLAINTEXT=1.',
  );
}

/** Reads the URL, and the files that `sslrootcert`, `sslcert` and `sslkey` in it name. */
function newClient(url: string, Constructor: typeof Client): Client {
  try {
    return new Constructor({ connectionString: url, connectionTimeoutMillis, application_name: 'deadheat' });
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
}
