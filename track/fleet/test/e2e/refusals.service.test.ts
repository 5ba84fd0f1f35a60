import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeUpRecording } from '../../../../bench/lib/made-up-recording.js';
import { startPostgres, whyNoPostgres, type PostgresServer } from '../../../../bench/lib/postgres.js';
import { useScene, type Scene } from '../../../../core/cli/test/e2e/support.ts';

const whyNoOpenssl = (): string | null => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'there is no openssl here';
  }
};
const why = whyNoPostgres() ?? whyNoOpenssl();
if (why !== null) console.warn(`tests of what a database refuses are skipped: ${why}`);

/** The command that is submitted leaves a file, wherever it is executed. */
function withFile(scene: Scene): string {
  const command = `touch ${scene.path('executed')}`;
  writeFileSync(
    scene.path('deadheat.yaml'),
    `runs: 2\nmethods: [sequential]\nbenchmarks:\n  one: { A: { command: '${command}' }, B: { command: '${command} again' } }\n`,
  );
  return 'deadheat.yaml';
}

const workerArgs = (url: string, name: string, ...allowed: readonly string[]): readonly string[] => [
  'fleet',
  'worker',
  '--fleet',
  url,
  '--directory',
  name,
  '--lock-directory',
  `${name}-lock`,
  ...allowed,
];

const fleetCommands = (scene: Scene, url: string): readonly (readonly string[])[] => [
  workerArgs(url, 'worker', '--allow-commands'),
  ['run', withFile(scene), '--on', `fleet:${url}`, '--code', 'here'],
  ['fleet', 'init', url],
  ['fleet', 'cancel', '0123456789abcdef', '--fleet', url],
];

const historyCommands = (url: string): readonly (readonly string[])[] => [
  ['history', 'push', 'rec', '--to', url],
  ['history', 'show', '--from', url],
];

describe.skipIf(why !== null)('a database', () => {
  let server: PostgresServer;
  let port = 0;
  let databases = 0;
  const scene = useScene();

  beforeAll(async () => {
    port = await new Promise<number>((resolve) => {
      const listening = createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = listening.address() as AddressInfo;
        listening.close(() => resolve(free));
      });
    });
    server = startPostgres({ tcp: { address: '127.0.0.1', port, trusted: '127.0.0.1/32' } });
  });
  afterAll(() => server.stop());

  const newDatabase = (): string => {
    databases += 1;
    server.sql(`create database refusing_${databases}`);
    return `refusing_${databases}`;
  };
  const schemas = (database: string): string =>
    server.sql("select string_agg(nspname, ' ') from pg_namespace where nspname like 'deadheat%'", database);
  const push = (): Promise<unknown> =>
    madeUpRecording(scene.path('rec'), { id: 'rec', startedAt: '2026-04-01T10:00:00.000Z' });

  /** Every one of the commands ends with this message and exit code 2, and neither executes nor records anything. */
  const refuse = async (
    commands: readonly (readonly string[])[],
    { message, env = {} }: { readonly message: RegExp; readonly env?: Record<string, string> },
  ): Promise<void> => {
    for (const args of commands) {
      const { status, stdout, stderr } = await scene.run(args, { env: { HOME: scene.directory, ...env } });
      expect(stderr, args.join(' ')).toMatch(message);
      expect({ status, stdout }, args.join(' ')).toEqual({ status: 2, stdout: '' });
      expect(stderr).not.toMatch(/unexpected error|guess|cret/);
    }
    expect(existsSync(scene.path('executed'))).toBe(false);
    expect(existsSync(scene.path('.deadheat'))).toBe(false);
  };

  it('with another certificate than it should have is not spoken to', async () => {
    await push();
    const folder = join(server.folder, 'certificates');
    mkdirSync(folder);
    const openssl = (line: string): unknown =>
      execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
    const newKey = (name: string): string =>
      `-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${name}.key -subj /CN=${name}`;
    const authority = (name: string): unknown => openssl(`req -x509 ${newKey(name)} -days 2 -out ${name}.pem`);
    const certificate = (name: string, { host = 'IP:127.0.0.1', days = 2 } = {}): void => {
      openssl(`req ${newKey(name)} -out ${name}.csr`);
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${host}\n`);
      const by = '-CA ours.pem -CAkey ours.key -CAcreateserial';
      openssl(`x509 -req -in ${name}.csr ${by} -days ${days} -extfile ${name}.ext -out ${name}.pem`);
    };
    const serve = (name: string): void => {
      chmodSync(join(folder, `${name}.key`), 0o600);
      if (userInfo().uid === 0) execFileSync('chown', ['postgres', join(folder, `${name}.key`)]);
      server.sql(`alter system set ssl_cert_file = '${folder}/${name}.pem'`);
      server.sql(`alter system set ssl_key_file = '${folder}/${name}.key'`);
      server.sql('alter system set ssl = on');
      server.crash();
      server.start();
    };
    authority('ours');
    authority('foreign');
    certificate('good');
    // It ended yesterday.
    certificate('expired', { days: -1 });
    certificate('elsewhere', { host: 'IP:192.0.2.7' });
    const database = newDatabase();
    const url = (root: string): string => `${server.url('postgres', database)}?sslmode=verify-full&sslrootcert=${root}`;
    const [ours, foreign] = [join(folder, 'ours.pem'), join(folder, 'foreign.pem')];
    const all = (root: string): readonly (readonly string[])[] => [
      ...historyCommands(url(root)),
      ...fleetCommands(scene, url(root)),
    ];

    await refuse(all(ours).slice(1, 3), { message: /it does not speak TLS .*Turn TLS on there/ });
    serve('expired');
    await refuse(all(ours), { message: /its certificate has expired .*Renew it on the server/ });
    serve('elsewhere');
    await refuse(all(ours).slice(1, 3), {
      message: /its certificate is of another host .*192\.0\.2\.7.*Name the host/,
    });
    serve('good');
    await refuse(all(foreign).slice(1, 3), {
      message: /nobody who is trusted here vouches for its certificate .*sslrootcert=FILE/,
    });
    await refuse(all('absent.pem').slice(1, 3), { message: /a file that the URL names cannot be read .*absent\.pem/ });
    expect(schemas(database)).toBe('');
    const pushed = await scene.run(['history', 'push', 'rec', '--to', url(ours)]);
    expect(pushed).toMatchObject({ status: 0, stderr: '' });
    expect(schemas(database)).toBe('deadheat');
  });

  it('that asks for a password gets it from a file or a variable, or refuses', async () => {
    await push();
    server.sql("create role asked login password 'se-cret'");
    const database = newDatabase();
    // Over the socket, where roles have to prove themselves.
    const url = `postgres://asked@/${database}?host=${encodeURIComponent(server.folder)}&port=${port}`;
    const commands = [...historyCommands(url), ...fleetCommands(scene, url)];
    const message = /the password is missing or wrong .*~\/\.pgpass .*PGPASSWORD/;
    await refuse(commands, { message });
    await refuse(commands.slice(1, 3), { message, env: { PGPASSWORD: 'guess' } });
    expect(schemas(database)).toBe('');
  });

  it('of another version is left as it is', async () => {
    await push();
    const database = newDatabase();
    const url = server.url('postgres', database);
    expect(await scene.run(['history', 'push', 'rec', '--to', url])).toMatchObject({ status: 0 });
    expect(await scene.run(['fleet', 'init', url, '--roles'])).toMatchObject({ status: 0 });
    const content = (): string =>
      server.sql(
        'select count(*) from deadheat.recording; select count(*) from deadheat_fleet.worker; ' +
          'select count(*) from deadheat_fleet.experiment; select max(version) from deadheat.schema_version; ' +
          'select max(version) from deadheat_fleet.schema_version',
        database,
      );
    server.sql(
      'insert into deadheat.schema_version (version) values (99); insert into deadheat_fleet.schema_version (version) values (99)',
      database,
    );
    const newer = content();
    const all = [
      ...historyCommands(url),
      ...fleetCommands(scene, url),
      ['history', 'serve', '--fleet', url, '--port', '0'],
    ];
    await refuse(all, { message: /has version 99 of the .* schema.* knows up to version \d+\. Update deadheat/ });
    expect(content()).toBe(newer);
  });

  it('brings a worker nothing that it was not started for, nor what another version submits', async () => {
    const url = server.url('postgres', newDatabase());
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], {
        cwd: scene.directory,
        encoding: 'utf8',
      });
    git('init', '--quiet');
    const file = withFile(scene);
    git('add', file);
    git('commit', '--quiet', '-m', 'first');
    const worker = scene.start(workerArgs(url, 'worker', '--allow-repository', 'https://git.example.org/team/'));
    const ready = new Promise<void>((resolve) => {
      worker.child.stderr?.on('data', (bytes: Buffer) => {
        if (bytes.includes('is ready')) resolve();
      });
    });
    await Promise.race([ready, worker.ended]);
    const submit = (...args: readonly string[]): ReturnType<Scene['run']> =>
      scene.run(['run', file, '--on', `fleet:${url}`, ...args]);

    const foreign = await submit('--repository', scene.directory);
    expect(foreign.status).toBe(4);
    expect(foreign.stderr).toMatch(/does not execute the repository .*; nothing was executed.*--allow-repository/s);
    const asTyped = await submit('--code', 'here');
    expect(asTyped.status).toBe(4);
    expect(asTyped.stderr).toMatch(/does not execute commands as they are; nothing was executed.*--allow-commands/s);

    const database = `refusing_${databases}`;
    const before = server.sql('select count(*) from deadheat_fleet.experiment', database);
    server.sql("update deadheat_fleet.worker set tool_version = '99.0.0'", database);
    const other = await submit('--code', 'here');
    expect(other.status).toBe(2);
    expect(other.stderr).toMatch(/is 99\.0\.0/);
    expect(server.sql('select count(*) from deadheat_fleet.experiment', database)).toBe(before);
    expect(existsSync(scene.path('executed'))).toBe(false);
    worker.child.kill('SIGINT');
    await worker.ended;
  });
});
