// A PgBouncer of its own in front of a PostgreSQL server, on a socket in a new folder; it gives every transaction any of its connections.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);
const port = 6432;

/** Why no pooler can be started here; `null` when nothing keeps from it. */
export function whyNoPooler() {
  return program === undefined ? 'no PgBouncer is installed (apt-get install pgbouncer)' : null;
}

/**
 * Starts a pooler, as the user postgres where this one is root, that trusts everybody on its socket.
 *
 * @param server folder of the server's socket
 * @param connections how many it keeps to each database
 * @returns `url(role, database)` and `stop()`
 */
export function startPooler({ server, connections }) {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-pooler-'));
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(
    settings,
    `[databases]\n* = host=${server}\n[pgbouncer]\nlisten_addr =\nlisten_port = ${port}\nunix_socket_dir = ${folder}\n` +
      `auth_type = trust\nauth_file = ${users}\npool_mode = transaction\ndefault_pool_size = ${connections}\n` +
      `max_client_conn = 2000\nlogfile = ${join(folder, 'log')}\n`,
  );
  const isRoot = userInfo().uid === 0;
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const words = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', program] : [program];
  const child = spawn(words[0], [...words.slice(1), '-q', settings], { stdio: 'ignore', cwd: '/' });
  const until = Date.now() + 60_000;
  while (!existsSync(join(folder, `.s.PGSQL.${port}`))) {
    if (Date.now() > until) throw new Error('PgBouncer does not begin to listen');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return {
    url: (role, database) => `postgres://${role}@/${database}?host=${encodeURIComponent(folder)}&port=${port}`,
    stop: () => {
      child.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
