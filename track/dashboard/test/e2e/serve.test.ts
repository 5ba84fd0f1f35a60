import { chmodSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { madeUpRecording } from '../../../../bench/lib/made-up-recording.js';
import { startPostgres, whyNoPostgres, type PostgresServer } from '../../../../bench/lib/postgres.js';
import { Scene, type Running } from '../../../../core/cli/test/e2e/support.ts';

const noPostgres = whyNoPostgres();

const token = 'token-of-the-tests-0123456789';

describe('deadheat serve', () => {
  const scene = new Scene();
  beforeAll(() =>
    madeUpRecording(scene.path('history/one'), {
      id: 'exp1',
      startedAt: '2026-03-01T10:00:00.000Z',
      slowdown: 1.1,
      iterations: 40,
      runs: 4,
    }),
  );
  afterAll(() => scene.end());

  /** Starts it, and gives the address that it prints. */
  async function start(...more: readonly string[]): Promise<{ readonly running: Running; readonly url: string }> {
    const running = scene.start(['history', 'serve', '--from', 'history', '--port', '0', ...more]);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      running.child.stdout?.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        if (text.endsWith('\n')) resolve(text.trim());
      });
      void running.ended.then(({ stderr }) => reject(new Error(stderr)));
    });
    return { running, url };
  }

  it('shows a folder of recordings and their reports until it is interrupted', async () => {
    const { running, url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await (await fetch(`${url}projects`)).text()).toContain('<a href="/benchmarks?project=parser">parser</a>');
    const report = await (await fetch(`${url}experiments/exp1/report`)).text();
    expect(report).toContain('<h1>parser</h1>');
    expect(report).toMatch(/<figure class="broad times">/);
    expect(report).not.toMatch(/deadheat-serve-/);
    expect(await (await fetch(`${url}api/v1/experiments`)).json()).toMatchObject({ total: 1, items: [{ id: 'exp1' }] });
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ status: 0, stderr: '' });
  });

  it('asks for the tokens of a file', async () => {
    writeFileSync(scene.path('tokens'), `read ${token}\n`, { mode: 0o600 });
    const { running, url } = await start('--token-file', 'tokens');
    expect((await fetch(`${url}api/v1/projects`)).status).toBe(401);
    const asked = await fetch(`${url}api/v1/projects`, { headers: { authorization: `Bearer ${token}` } });
    expect(asked.status).toBe(200);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ status: 0 });
  });

  it('refuses what would let others look, and says what to do', async () => {
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { status, stderr } = await scene.run(['history', 'serve', '--port', '0', ...args]);
      expect(status).toBe(2);
      return stderr;
    };
    expect(await refused('--from', 'history', '--host', '0.0.0.0')).toMatch(/--token-file/);
    chmodSync(scene.path('tokens'), 0o644);
    expect(await refused('--from', 'history', '--token-file', 'tokens')).toMatch(/chmod 600/);
    expect(await refused('--from', 'nowhere')).toMatch(/There is no history at nowhere/);
    expect(await refused('--port', '70000')).toMatch(/--port must be a whole number from 0 to 65535/);
  });

  describe.skipIf(noPostgres !== null)('with a fleet', () => {
    let database: PostgresServer;
    beforeAll(() => {
      database = startPostgres();
    });
    afterAll(() => database.stop());

    it('follows it, and cancels an experiment for whoever has a token to write', async () => {
      const url = database.url();
      expect(await scene.run(['fleet', 'init', url])).toMatchObject({ status: 0 });
      const insert = (id: string): string =>
        database.sql(
          'insert into deadheat_fleet.experiment (id, name, tool_version, definition, code, planned_runs) ' +
            `values ('${id}', 'nightly', '0.1.0', '{}', '{}', 40); notify deadheat_fleet`,
        );
      insert('f1');
      writeFileSync(scene.path('writers'), `write ${token}\n`, { mode: 0o600 });
      const { running, url: dashboard } = await start('--fleet', url, '--token-file', 'writers');
      const headers = { authorization: `Bearer ${token}` };
      const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
        fetch(`${dashboard}api/v1/fleet/${path}`, { headers, ...init });
      expect(await (await ask('experiments')).json()).toMatchObject([{ id: 'f1', state: 'running', plannedRuns: 40 }]);
      expect(await (await ask('workers')).json()).toEqual([]);

      const end = new AbortController();
      const events = (await ask('events', { signal: end.signal })).body
        ?.pipeThrough(new TextDecoderStream())
        .getReader();
      const told = async (text: string): Promise<void> => {
        for (let seen = ''; !seen.includes(text);) seen += (await events?.read())?.value ?? '';
      };
      await told('"id":"f1"');
      insert('f2');
      await told('"id":"f2"');
      expect((await ask('experiments/f1/cancel', { method: 'POST' })).status).toBe(200);
      await told('"state":"cancelled"');
      expect(database.sql('select id, state from deadheat_fleet.experiment order by id')).toBe(
        'f1|cancelled\nf2|running',
      );
      end.abort();
      running.child.kill('SIGTERM');
      expect(await running.ended).toMatchObject({ status: 0, stderr: '' });
    });
  });
});
