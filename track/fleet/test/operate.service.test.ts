import { describe, expect, it } from 'vitest';
import { readRecording } from '@deadheat/recording';
import { defaultSettings } from '@deadheat/model';
import { initFleet, pruneFleet, resumeOnFleet, steerWorker } from './fleet-index.ts';
import { draftOf, failureOf, FleetScene, noPostgres, timedDraft } from './support.ts';

describe.skipIf(noPostgres !== null)('who looks after a fleet', () => {
  const scene = new FleetScene();

  async function untilSql(text: string, expected: string): Promise<void> {
    while (scene.sql(text) !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  it('leaves an experiment to the workers, which make all of its runs, and gathers them later', async () => {
    await scene.worker('first').until('ready');
    await scene.worker('second').until('ready');
    const common = { variables: {}, toolVersion: '0.1.0', onEvent: () => {}, onNotice: () => {} };
    const draft = draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 9 } });
    const { directory, experiment, isLeft } = await scene.detach(draft);
    expect(isLeft).toBe(true);
    await untilSql("select count(*) from deadheat_fleet.run where state = 'done'", '9');
    expect(scene.sql(`select state, planned_runs from deadheat_fleet.experiment where id = '${experiment}'`)).toBe(
      'running|9',
    );
    expect((await readRecording(directory)).trials).toEqual([]);
    // Whoever looks in and goes away again leaves it as it was.
    const away = AbortSignal.abort();
    const looked = await resumeOnFleet(directory, { ...common, leaves: true, signal: away });
    expect(looked.outcome).toEqual({ kind: 'interrupted' });
    expect(scene.sql('select state from deadheat_fleet.experiment')).toBe('running');
    const signal = new AbortController().signal;
    const { outcome, report } = await resumeOnFleet(directory, { ...common, leaves: true, signal });
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

  it('leaves an experiment whose method pilot runs choose to the workers once they have, and they make the rest of it', async () => {
    await scene.worker('only').until('ready');
    const auto = { ...defaultSettings('auto', 'harness'), replicates: 1000, maxTimeNs: null } as const;
    const draft = timedDraft({ A: 5005, B: 6006, cpuShare: 1 }, { ...auto, stop: { kind: 'runs', runs: 8 } });
    const notices: string[] = [];
    const { directory, isLeft } = await scene.detach(draft, { onNotice: (text) => void notices.push(text) });
    const expected = [/^experiment \w+ on \S+$/, /^pilot runs choose the method first, .* methods: \[tandem\]/];
    expect(isLeft).toBe(true);
    expect(notices).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as unknown));
    const { experiment, trials } = await readRecording(directory);
    expect(experiment.config.benchmarks[0]?.chosen).toMatchObject({ method: 'tandem' });
    expect(trials.map(({ phase }) => phase)).toEqual(['pilot', 'pilot', 'pilot']);
    await untilSql("select count(*) from deadheat_fleet.run where state = 'done' and method = 'tandem'", '8');
    const { outcome, report } = await resumeOnFleet(directory, {
      variables: {},
      toolVersion: '0.1.0',
      signal: new AbortController().signal,
      onEvent: () => {},
      onNotice: () => {},
      leaves: true,
    });
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]).toMatchObject({ method: 'tandem', runs: 8, verdict: 'slower' });
  });

  it('does not leave an experiment to workers that cannot know its end, or that was interrupted or failed before', async () => {
    await scene.worker('only').until('ready');
    const unbounded = draftOf({ A: 'true' }, { stop: { kind: 'decided', minRuns: 5, maxRuns: null } });
    const failure = await failureOf(() => scene.detach(unbounded));
    expect(failure).toMatchObject({ code: 'CANNOT_DETACH' });
    expect(failure.message).toMatch(/^one cannot be left to the workers.*runs: 40.*max-runs/);
    const piloted = { ...defaultSettings('auto'), stop: { kind: 'runs', runs: 4 } } as const;
    const failing = await failureOf(() => scene.detach(draftOf({ A: 'exit 3' }, piloted)));
    expect(failing).toMatchObject({ code: 'RUN_REFUSED' });
    expect(scene.sql('select state from deadheat_fleet.experiment')).toBe('failed');
    const aborted = AbortSignal.abort();
    const left = await scene.detach(draftOf({ A: 'true' }), { signal: aborted, directory: scene.path('aborted') });
    expect(left.isLeft).toBe(false);
    expect(scene.sql("select count(*) from deadheat_fleet.experiment where state = 'cancelled'")).toBe('1');
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
      workers: [idOf('first')],
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
