import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * The password for a login: PGPASSWORD, else the first line that fits in the password file (PGPASSFILE, else ~/.pgpass), which
 * counts only while nobody else may read it, as for libpq. `null` = there is none.
 *
 * Source: PostgreSQL 15 documentation, section 34.16 "The Password File".
 */
export const readPassword = (login: Login, variables: Readonly<Record<string, string | undefined>>): string | null => {
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
};

/** Fields between colons; a backslash takes the next character as it is. */
const splitLine = (line: string): readonly string[] => {
  const fields = [''];
  for (const [, escaped, plain] of line.matchAll(/\\(.)|([^])/g)) {
    if (plain === ':') fields.push('');
    else fields.push(`${fields.pop() ?? ''}${escaped ?? plain ?? ''}`);
  }
  return fields;
};
