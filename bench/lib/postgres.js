// A PostgreSQL server of its own in a new folder, on a socket there and, unless asked, on no port; gone when it is stopped.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const oldest = 15;
const homes = '/usr/lib/postgresql';

/** Folder of the server's programs, of the oldest version that is new enough; `null` = there is none. */
function findPrograms() {
  if (!existsSync(homes)) return null;
  const versions = readdirSync(homes)
    .map(Number)
    .filter((version) => version >= oldest && existsSync(join(homes, String(version), 'bin', 'initdb')))
    .sort((a, b) => a - b);
  return versions.length === 0 ? null : join(homes, String(versions[0]), 'bin');
}

/** Why no server can be started here; `null` when nothing keeps from it. */
export function whyNoPostgres() {
  if (findPrograms() === null)
    return `no PostgreSQL ${oldest} or later below ${homes} (apt-get install postgresql-${oldest})`;
  if (userInfo().uid !== 0) return null;
  try {
    execFileSync('runuser', ['-u', 'postgres', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'PostgreSQL refuses root, and there is no user postgres';
  }
}

/**
 * Starts a server, as the user postgres where this one is root. Its role `postgres` needs no password on the socket, and every other
 * role has to give one.
 *
 * @param tcp also listens at an address and port, where the network `trusted` need no password
 * @param connections how many it takes at most
 * @param settings further ones, such as `work_mem=1MB`
 * @returns `url(role, database)`, `sql(text)`, which gives what psql prints, the `folder` of the socket, `pid()` of its first process,
 *   `crash()` and `start()`, which take it away and bring it back with what it holds, and `stop()`.
 */
export function startPostgres({ tcp = null, connections = 100, settings = [] } = {}) {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-postgres-'));
  const isRoot = userInfo().uid === 0;
  const call = (program, args, input = '') => {
    const words = isRoot ? ['runuser', '-u', 'postgres', '--', join(programs, program)] : [join(programs, program)];
    return execFileSync(words[0], [...words.slice(1), ...args], { cwd: '/', input, encoding: 'utf8' });
  };
  const files = join(folder, 'data');
  if (isRoot) {
    chmodSync(folder, 0o755);
    execFileSync('chown', ['postgres', folder]);
  }
  call('initdb', ['-D', files, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-locale', '-E', 'UTF8']);
  const network = tcp === null ? '' : `host all all ${tcp.trusted} trust\n`;
  writeFileSync(join(files, 'pg_hba.conf'), `local all postgres trust\nlocal all all scram-sha-256\n${network}`);
  const listen = tcp === null ? "-c listen_addresses=''" : `-c listen_addresses='${tcp.address}' -p ${tcp.port}`;
  const further = settings.map((setting) => ` -c ${setting}`).join('');
  const options = `${listen} -c unix_socket_directories='${folder}' -c shared_buffers=32MB -c max_connections=${connections}${further}`;
  const start = () => void call('pg_ctl', ['-D', files, '-l', join(folder, 'log'), '-w', '-o', options, 'start']);
  const crash = () => void call('pg_ctl', ['-D', files, '-m', 'immediate', '-w', 'stop']);
  const port = tcp === null ? [] : ['-p', String(tcp.port)];
  start();
  return {
    folder,
    pid: () => Number(readFileSync(join(files, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    url: (role = 'postgres', database = 'postgres') =>
      tcp === null
        ? `postgres://${role}@/${database}?host=${encodeURIComponent(folder)}`
        : `postgres://${role}@${tcp.address}:${tcp.port}/${database}`,
    sql: (text, database = 'postgres') =>
      call(
        'psql',
        ['-h', folder, ...port, '-U', 'postgres', '-d', database, '-qAt', '-v', 'ON_ERROR_STOP=1'],
        text,
      ).trim(),
    start,
    crash,
    stop: () => {
      crash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
