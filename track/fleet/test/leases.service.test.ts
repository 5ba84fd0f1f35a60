import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startPooler, whyNoPooler } from '../../../bench/lib/pooler.js';
import { initFleet, openFleetView } from './fleet-index.ts';
import { allowedMs } from '../src/worker/run-worker.ts';
import { draftOf, FleetScene, noPostgres } from './support.ts';

const noPooler = noPostgres ?? whyNoPooler();
if (noPostgres === null && noPooler !== null) console.warn(`tests of poolers are skipped: ${noPooler}`);

describe('the time that an attempt may take', () => {
  it('is ten times the median of the runs before, twice that for each attempt; one long run changes nothing', () => {
    expect(allowedMs([100, 110, 120], 1)).toBe(1100);
    expect(allowedMs([100, 110, 120], 3)).toBe(4400);
    // The machine hung for a minute.
    expect(allowedMs([100, 60_000], 1)).toBe(1000);
    expect(allowedMs([100, 110, 60_000, 120], 1)).toBe(1100);
  });
});

describe.skipIf(noPostgres !== null)('the lease of a worker', () => {
  const scene = new FleetScene();

  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** A worker in a process of its own; gives what it wrote, an event a line. */
  function startProcess(name: string, leaseMs: number): { readonly pid: number; readonly said: () => string } {
    const options = {
      url: scene.url(),
      variables: {},
      labels: { name },
      permissions: { repositories: [], images: [], commands: true },
      toolVersion: '0.1.0',
      folder: scene.path(name),
      lockFolder: scene.path(`lock-${name}`),
      cpus: null,
      ownCpu: null,
      leaseMs,
    };
    const script = `import { runWorker } from './dist/worker/run-worker.js';
      const ending = new AbortController();
      process.on('SIGTERM', () => ending.abort());
      await runWorker({ ...${JSON.stringify(options)}, signal: ending.signal, onEvent: ({ kind }) => console.log(kind) });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: new URL('..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    });
    return { pid: child.pid ?? 0, said: () => text };
  }

  it('runs out when the worker hangs: its run goes to another, and its late word changes nothing', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const hanging = startProcess('hanging', 3000);
    await until(() => hanging.said().includes('ready'));
    const marker = scene.path('began');
    // Whoever begins first takes a minute.
    const draft = draftOf(
      { A: 'sleep 0.01', B: `mkdir ${marker} 2> /dev/null && exec sleep 63.5; true` },
      { stop: { kind: 'runs', runs: 4 } },
    );
    const submitted = scene.submit(draft);
    await until(() => existsSync(marker));
    process.kill(hanging.pid, 'SIGSTOP');
    await scene.worker('healthy').until('ready');
    const { outcome, report } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBe(4);
    expect(submitted.notices).toContainEqual(expect.stringMatching(/^worker \S+ is gone; its runs go elsewhere$/));
    const byHost = `select w.labels->>'name', count(*) from deadheat_fleet.run r join deadheat_fleet.worker w on w.id = r.worker group by 1`;
    expect(scene.sql(byHost)).toBe('healthy|4');
    const view = await openFleetView(scene.url(), {});
    onTestFinished(() => view.close());

    async function stateOf(name: string): Promise<string | undefined> {
      return (await view.workers()).find(({ labels }) => labels['name'] === name)?.state;
    }

    expect(await stateOf('hanging')).toBe('gone');
    process.kill(hanging.pid, 'SIGCONT');
    await until(() => hanging.said().includes('run-ended'));
    await until(async () => (await stateOf('hanging')) === 'idle');
    expect(scene.sql("select count(*) from deadheat_fleet.run where state = 'gathered'")).toBe('4');
  });

  it('that ran out gives the runs of a dead worker to others where nobody follows the experiment', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const doomed = startProcess('doomed', 2000);
    await until(() => doomed.said().includes('ready'));
    const marker = scene.path('began');
    const draft = draftOf(
      { A: 'true', B: `mkdir ${marker} 2> /dev/null && exec sleep 63.5; true` },
      { stop: { kind: 'runs', runs: 4 } },
    );
    await scene.detach(draft);
    await until(() => existsSync(marker));
    const token = scene.sql("select token from deadheat_fleet.run where state = 'active'");
    await scene.worker('healthy', { leaseMs: 2000 }).until('ready');
    // While it lives its runs wait for it, whatever others have to do.
    expect(scene.sql("select count(*) from deadheat_fleet.run where state = 'done'")).toBe('0');
    process.kill(doomed.pid, 'SIGKILL');
    await until(() => scene.sql("select count(*) from deadheat_fleet.run where state = 'done'") === '4');
    const byHost = `select w.labels->>'name', count(*), min(r.attempt) from deadheat_fleet.run r
      join deadheat_fleet.worker w on w.id = r.worker group by 1`;
    expect(scene.sql(byHost)).toBe('healthy|4|2');
    // The word of the first attempt comes too late.
    const late = `deadheat_fleet.store(name, holder::uuid, '${token}', '{}', '{}', false, '[]', null, null)`;
    const stored = `select ${late} from deadheat_fleet.lease l join deadheat_fleet.worker w on w.id = l.name where w.labels->>'name' = 'doomed'`;
    expect(scene.sql(`select (${stored}), count(*) from deadheat_fleet.run_result`)).toBe('f|4');
  });

  it('is as long as a run of known length may take, and is not touched meanwhile', async () => {
    const go = scene.path('go');
    const begun = scene.path('begun');
    // From the third on the length is known: the second took 0.3 s.
    const command = `echo . >> ${begun}; test $(wc -l < ${begun}) -lt 3 && exec sleep 0.3; while ! test -e ${go}; do sleep 0.05; done`;
    const worker = scene.worker('only', { leaseMs: 1000 });
    await worker.until('ready');
    const submitted = scene.submit(draftOf({ A: command, B: 'true' }, { stop: { kind: 'runs', runs: 4 } }));

    function leaseMs(): number {
      return Number(scene.sql('select extract(epoch from until - now()) * 1000 from deadheat_fleet.lease'));
    }

    await until(() => leaseMs() > 1500);
    const seenAt = scene.sql('select renewed_at from deadheat_fleet.lease');
    const before = leaseMs();
    await until(() => leaseMs() < before - 500);
    expect(scene.sql('select renewed_at from deadheat_fleet.lease')).toBe(seenAt);
    writeFileSync(go, '');
    expect((await submitted).outcome).toEqual({ kind: 'done' });
    expect(scene.sql('select max(attempt) from deadheat_fleet.run')).toBe('1');
  });

  describe.skipIf(noPooler !== null)('behind a pooler of transactions', () => {
    it('is all that shows a worker: experiments are made by few connections, and the end of a worker is seen', async () => {
      await initFleet(scene.url(), { roles: false, variables: {} });
      const pooler = startPooler({ server: scene.socket, connections: 2 });
      onTestFinished(() => pooler.stop());
      const url = pooler.url('postgres', scene.sql('select current_database()'));
      const workers = ['a', 'b', 'c'].map((name) => scene.worker(name, { url, leaseMs: 2000 }));
      for (const worker of workers) await worker.until('ready');
      expect(scene.sql('select count(*), count(backend) from deadheat_fleet.worker')).toBe('3|0');
      const draft = draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 9 } });
      const { outcome, report } = await scene.submit(draft, { url });
      expect(outcome).toEqual({ kind: 'done' });
      expect(report.comparisons[0]?.runs).toBe(9);
      expect(scene.sql('select max(attempt) from deadheat_fleet.run')).toBe('1');
      const pooled = "select count(*) <= 2 from pg_stat_activity where application_name = 'deadheat'";
      expect(scene.sql(pooled)).toBe('t');
      const view = await openFleetView(url, {});
      onTestFinished(() => view.close());
      expect((await view.workers()).map(({ state }) => state)).toEqual(['idle', 'idle', 'idle']);
      await workers[0]?.end();
      expect((await view.workers()).filter(({ state }) => state === 'gone')).toHaveLength(1);
    });
  });
});
