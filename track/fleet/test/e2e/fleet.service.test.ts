import { describe, expect, it } from 'vitest';
import { chaos } from '../../../../bench/lib/chaos.js';
import { whyNoNamespaces } from '../../../../bench/lib/namespaces.js';
import { whyNoPooler } from '../../../../bench/lib/pooler.js';
import { whyNoPostgres } from '../../../../bench/lib/postgres.js';
import { useScene } from '../../../../core/cli/test/e2e/support.ts';

const why = whyNoPostgres() ?? whyNoPooler() ?? whyNoNamespaces();
if (why !== null) console.warn(`the fleet in network namespaces is skipped: ${why}`);

describe.skipIf(why !== null)('a fleet whose workers, pooler and database fail', () => {
  // The large one, with 60 events: npm run bench -- fleet chaos.
  it('loses no run and has none twice', async () => {
    // Without any event they take 3.8 s, and the last event begins 3.6 s after the first run at the latest.
    const runs = 27;
    const events = { kill: 1, hang: 1, cut: 1, disk: 1, pooler: 1, database: 1 };
    const found = await chaos({
      workers: 3,
      runs,
      events,
      pauseMs: 400,
      mostS: 3,
      executionS: 0.2123,
      lease: '2s',
      seed: 'small-chaos',
    });
    expect(found.status, [found.submitterLog, ...found.workerLogs].join('\n')).toBe(0);
    expect(found.runs).toEqual(Array.from({ length: runs }, (_, run) => run));
    expect(found).toMatchObject({ stored: runs, different: [], leftovers: [] });
    expect(found.events).toEqual(events);
  });
});

describe('a fleet, as typed', () => {
  const scene = useScene();
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { status, stderr } = await scene.run(args);
    expect(status, stderr).toBe(2);
    return stderr;
  };

  it('says what is missing, what does nothing, and how passwords are given', async () => {
    const url = 'postgres://ci@127.0.0.1:1/none';
    expect(await refused('fleet', 'worker')).toContain('worker needs --fleet');
    expect(await refused('fleet', 'worker', '--fleet', url)).toContain('would refuse everything');
    const worker = ['fleet', 'worker', '--fleet', url, '--allow-image', 'x'];
    const encoded = 'https://example.org/team/%2e%2e/';
    expect(await refused(...worker, '--allow-repository', encoded)).toContain('An address has no %');
    expect(await refused(...worker, '--allow-variable', 'PGPASSWORD')).toContain('never given to submitted programs');
    expect(await refused(...worker, '--container-memory', 'much')).toContain('an amount of memory such as 512m');
    expect(await refused('run', '--hosts', '2')).toContain('--hosts does nothing without --on');
    expect(await refused('run', '--on', `fleet:${url}`, '--part', '1/2')).toContain(
      '--part does nothing with --on fleet',
    );
    expect(await refused('run', '--on', `fleet:${url}`, '--code', 'here', '--repository', 'x')).toContain(
      '--repository does',
    );
    const secret = await refused('fleet', 'cancel', 'x', '--fleet', 'postgres://ci:secret@host/none');
    expect(secret).toContain('PGPASSWORD');
    expect(secret).not.toContain('secret');
    expect(await refused('fleet', 'init', 'sqlite://x')).toContain('A fleet is a PostgreSQL database');
  });

  it('prints the SQL of its roles', async () => {
    const { stdout } = await scene.run(['fleet', 'roles']);
    expect(stdout).toContain('grant execute on function');
  });
});
