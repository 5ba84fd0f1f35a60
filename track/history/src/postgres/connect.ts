import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ErrorCode } from '@deadheat/model';
import { withoutPasswords } from '@deadheat/model/text';
import type { Client } from 'pg';
import { HistoryError } from '../history-error.ts';

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

/** The time that a server has to end a connection, ms. */
const lastAnswerMs = 1000;

/** Ends a connection in order, or, where the server does not answer in time, without it. */
export async function endConnection(client: Client, patienceMs: number = lastAnswerMs): Promise<void> {
  const limit = setTimeout(() => cut(client), patienceMs);
  await client.end().catch(() => undefined);
  clearTimeout(limit);
}

function cut(client: Client): void {
  const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } };
  connection.stream.destroy();
}

/**
 * Connects to a database; the password is looked up, never in the URL.
 *
 * @param signal cuts the connection, also later
 * @throws HistoryError `BAD_URL`, `NO_CONNECTION`, `BAD_PASSWORD`, `NOT_ALLOWED`, `BAD_CERTIFICATE`, `NO_TLS`, `NOT_FOUND`; DeadheatError
 *   `PACKAGE_MISSING`
 */
export async function connect(
  url: string,
  variables: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = newClient(url, pg.Client);
  const { host, port, database = '', user = '' } = client;
  checkEncrypted(client, { url, variables });
  // An empty password keeps the library from looking for one itself; a server that trusts does not ask.
  client.password = readPassword({ host, port, database, user }, variables) ?? '';
  // The next query reports an idle connection that broke.
  client.on('error', () => undefined);
  function cutNow(): void {
    cut(client);
  }
  signal?.throwIfAborted();
  signal?.addEventListener('abort', cutNow);
  client.once('end', () => signal?.removeEventListener('abort', cutNow));
  const limit = setTimeout(cutNow, connectionTimeoutMillis);
  try {
    await client.connect();
    await client.query("set application_name = 'deadheat'; set timezone = 'UTC'");
    return client;
  } catch (error) {
    await endConnection(client);
    throw databaseFailure(error, url);
  } finally {
    clearTimeout(limit);
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

interface Explanation {
  readonly code: ErrorCode;
  readonly what: string;
  readonly advice: string;
}

function noConnection(what: string): Explanation {
  return {
    code: 'NO_CONNECTION',
    what,
    advice: 'Check whether PostgreSQL runs there, and at host and port (try psql with the same URL)',
  };
}

function certificate(what: string, advice: string): Explanation {
  return { code: 'BAD_CERTIFICATE', what, advice };
}

const unknownAuthority = certificate(
  'nobody who is trusted here vouches for its certificate',
  'Name the authority that signed it, with sslmode=verify-full&sslrootcert=FILE in the URL; where FILE is that one already, ' +
    'somebody else answers there, or the server has the wrong certificate',
);

const password: Explanation = {
  code: 'BAD_PASSWORD',
  what: 'the password is missing or wrong',
  advice: 'Put it into ~/.pgpass (host:port:database:user:password, mode 0600) or into the variable PGPASSWORD',
};

const full: Explanation = { code: 'DISK_FULL', what: "the database's disk is full", advice: 'Free some space there' };

const notAllowed: Explanation = {
  code: 'NOT_ALLOWED',
  what: 'the role may not do that',
  advice: 'Use another role (postgres://ROLE@host/name), or have its owner grant it',
};

/** By SQLSTATE, or the code of the system, or of OpenSSL. */
const explanations: Readonly<Record<string, Explanation>> = {
  '28P01': password,
  '28000': { ...notAllowed, what: 'the server refuses this role, database or host' },
  '3D000': { code: 'NOT_FOUND', what: 'there is no such database', advice: 'Make it: createdb NAME' },
  '42501': notAllowed,
  '53100': full,
  '53300': noConnection('the server has no connection left'),
  '57P01': noConnection('the server was shut down meanwhile'),
  '57P02': noConnection('the server crashed meanwhile'),
  '57P03': noConnection('the server is starting or stopping'),
  ECONNREFUSED: noConnection('nothing listens there'),
  ECONNRESET: noConnection('the connection was cut'),
  EPIPE: noConnection('the connection was cut'),
  ENOENT: noConnection('there is no such socket'),
  ENOTFOUND: noConnection('no host has that name'),
  EAI_AGAIN: noConnection('the name of the host cannot be looked up now'),
  ETIMEDOUT: noConnection('it does not answer'),
  EPROTO: certificate('TLS could not be agreed on', 'Look whether the versions of TLS and the certificates fit'),
  EHOSTUNREACH: noConnection('no way leads to that host'),
  ENETUNREACH: noConnection('no way leads to that host'),
  CERT_HAS_EXPIRED: certificate('its certificate has expired', 'Renew it on the server, and look at the clock here'),
  CERT_NOT_YET_VALID: certificate('its certificate is not valid yet', 'Look at the clocks, here and where it was made'),
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate(
    'its certificate is of another host',
    'Name the host in the URL as the certificate does, or have one made for this name',
  ),
};

const byMessage: readonly (readonly [RegExp, Explanation])[] = [
  [/client password must be/, password],
  [/timeout expired|timeout exceeded/, noConnection('it does not answer')],
  [/Connection terminated|is not queryable/, noConnection('the connection was cut')],
  // PgBouncer has one SQLSTATE for these and for settings that it refuses.
  [
    /server login has been failing|server conn|cannot connect to server|server down|system is (?:starting|shutting)|query_wait_timeout|max_client_conn/,
    noConnection('the pooler has no connection to the server'),
  ],
  [
    /does not support SSL/,
    certificate('it does not speak TLS', 'Turn TLS on there (ssl = on), or leave sslmode out of the URL'),
  ],
  [/No space left on device/, full],
  [
    /no pg_hba\.conf entry .*no encryption/,
    {
      ...notAllowed,
      what: 'the server refuses this role, database or host without encryption',
      advice: 'Where it takes encrypted connections only, add ?sslmode=verify-full to the URL; else use another role',
    },
  ],
];

/**
 * The error for what the database or the way to it refused; its message says that nothing is stored incompletely. An
 * error of another kind is returned as it is.
 */
export function databaseFailure(error: unknown, place: string): unknown {
  if (error instanceof HistoryError || !(error instanceof Error)) return error;
  const { code, message } = firstOf(error);
  const found = byMessage.find(([pattern]) => pattern.test(message))?.[1] ?? explanations[code];
  const isKnown = found !== undefined || /^[0-9A-Z]{5}$/.test(code) || code.startsWith('E');
  if (!isKnown) return error;
  const {
    what,
    advice,
    code: kind,
  } = found ?? {
    code: 'STORE_FAILED' as const,
    what: 'the database refused',
    advice: 'Remove the cause that it names',
  };
  return new HistoryError(
    kind,
    `${place}: ${what} (${withoutPasswords(message)}). Nothing was stored by halves. ${advice}, and try again.`,
    { cause: error },
  );
}

/** A host of several addresses fails with an error for each. */
function firstOf(error: Error): { readonly code: string; readonly message: string } {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message } = inner instanceof Error ? inner : error;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  return { code, message };
}
