import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/engine';
import { detachOnFleet, initFleet, pruneFleet, resumeOnFleet, steerWorker } from '../src/index.ts';
import { draftOf, failureOf, FleetScene, noPostgres } from './support.ts';

describe.skipIf(noPostgres !== null)('who looks after a fleet', () => {
  const scene = new FleetScene();

  async function untilSql(text: string, expected: string): Promise<void> {
    while (scene.sql(text) !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  it('leaves an experiment to the workers, which make all of its runs, and gathers them later', async () => {
    await scene.worker('first').until('ready');
    await scene.worker('second').until('ready');
    const common = { variables: {}, toolVersion: '0.1.0', onEvent: () => {}, onFleetEvent: () => {} };
    const { directory, experiment } = await detachOnFleet({
      ...common,
      url: scene.url(),
      draft: draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 9 } }),
      code: { kind: 'here' },
      wish: { hosts: null, labels: {}, excluded: [] },
      confirm: null,
      directory: scene.path('recording'),
      parent: scene.path('parent'),
      toolName: 'deadheat',
      signal: new AbortController().signal,
    });
    await untilSql("select count(*) from deadheat_fleet.run where state = 'done'", '9');
    expect(scene.sql(`select state, planned_runs from deadheat_fleet.experiment where id = '${experiment}'`)).toBe(
      'running|9',
    );
    expect((await readRecording(directory)).trials).toEqual([]);
    // Whoever looks in and goes away again leaves it as it was.
    const away = AbortSignal.abort();
    const looked = await resumeOnFleet({ ...common, directory, leaves: true, signal: away });
    expect(looked.outcome).toEqual({ kind: 'interrupted' });
    expect(scene.sql('select state from deadheat_fleet.experiment')).toBe('running');
    const signal = new AbortController().signal;
    const { outcome, report } = await resumeOnFleet({ ...common, directory, leaves: true, signal });
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBe(9);
    expect(scene.sql('select state from deadheat_fleet.experiment')).toBe('done');

    await pruneFleet({ url: scene.url(), variables: {} }, 3600e9);
    expect(scene.sql('select count(*) from deadheat_fleet.run')).toBe('9');
    expect(await pruneFleet({ url: scene.url(), variables: {} }, 1)).toEqual({ experiments: 1, workers: 0 });
    expect(
      scene.sql('select (select count(*) from deadheat_fleet.run), (select count(*) from deadheat_fleet.run_result)'),
    ).toBe('0|0');
  });

  it('drains a worker, pins experiments to one, and forgets one that is gone', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const place = { url: scene.url(), variables: {} };
    const [first, second] = [scene.worker('first'), scene.worker('second')];
    await first.until('ready');
    await second.until('ready');

    function idOf(name: string): string {
      return scene.sql(`select id from deadheat_fleet.worker where labels->>'name' = '${name}'`);
    }

    const byHost = `select w.labels->>'name', count(*) from deadheat_fleet.run r join deadheat_fleet.worker w on w.id = r.worker
      where r.state = 'gathered' group by 1 order by 1`;
    await steerWorker(place, idOf('first'), 'drain');
    const draft = draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 4 } });
    await scene.submit(draft);
    expect(scene.sql(byHost)).toBe('second|4');
    await steerWorker(place, idOf('first'), 'resume');
    await scene.submit(draft, {
      wish: { hosts: null, labels: {}, excluded: [], pinned: [idOf('first')] },
      directory: scene.path('pinned'),
    });
    expect(scene.sql(byHost)).toBe('first|4\nsecond|4');
    await first.end();
    await steerWorker(place, idOf('first'), 'forget');
    // Its runs keep its name, which is anybody's now.
    expect(scene.sql("select secret is null from deadheat_fleet.worker where labels->>'name' = 'first'")).toBe('t');
    // A process that is forgotten while it lives ends.
    const running = failureOf(() => second.until('run-refused'));
    await steerWorker(place, idOf('second'), 'forget');
    expect(await running).toMatchObject({ code: 'WORKER_RUNS' });
    expect(await failureOf(() => steerWorker(place, 'nobody', 'drain'))).toMatchObject({ code: 'NOT_FOUND' });
  });
});
