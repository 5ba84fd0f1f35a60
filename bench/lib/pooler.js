// A PgBouncer of its own in front of a PostgreSQL server, on a socket in a new folder; it gives every transaction any of its connections.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);
const usualPort = 6432;

/** Why no pooler can be started here; `null` when nothing keeps from it. */
export function whyNoPooler() {
  return program === undefined ? 'no PgBouncer is installed (apt-get install pgbouncer)' : null;
}

/**
 * Starts a pooler, as the user postgres where this one is root, that trusts everybody who reaches it.
 *
 * @param server folder of the server's socket
 * @param serverPort of the server, which is also in the name of its socket
 * @param connections how many it keeps to each database
 * @param tcp also listens at an address and port
 * @returns `url(role, database)`, `crash()` and `start()`, which take it away and bring it back, and `stop()`
 */
export function startPooler({ server, serverPort = 5432, connections, tcp = null }) {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-pooler-'));
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users');
  const port = tcp?.port ?? usualPort;
  const socket = join(folder, `.s.PGSQL.${port}`);
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(
    settings,
    `[databases]\n* = host=${server} port=${serverPort}\n[pgbouncer]\nlisten_addr = ${tcp?.address ?? ''}\nlisten_port = ${port}\nunix_socket_dir = ${folder}\n` +
      `auth_type = trust\nauth_file = ${users}\npool_mode = transaction\ndefault_pool_size = ${connections}\n` +
      `max_client_conn = 2000\nlogfile = ${join(folder, 'log')}\n`,
  );
  const isRoot = userInfo().uid === 0;
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const words = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', program] : [program];
  let child = null;
  const start = () => {
    rmSync(socket, { force: true });
    child = spawn(words[0], [...words.slice(1), '-q', settings], { stdio: 'ignore', cwd: '/' });
    const until = Date.now() + 60_000;
    while (!existsSync(socket)) {
      if (Date.now() > until) throw new Error('PgBouncer does not begin to listen');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    }
  };
  start();
  return {
    url: (role, database) =>
      tcp === null
        ? `postgres://${role}@/${database}?host=${encodeURIComponent(folder)}&port=${port}`
        : `postgres://${role}@${tcp.address}:${port}/${database}`,
    crash: () => void child.kill('SIGKILL'),
    start,
    stop: () => {
      child.kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
