import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resumeExperiment } from '@deadheat/engine';
import { readRecording } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { cancelExperiment, initFleet, openFleetView, resumeOnFleet } from './fleet-index.ts';
import { draftOf, failureOf, FleetScene, noPostgres, shell, timedDraft } from './support.ts';

describe.skipIf(noPostgres !== null)('a fleet', () => {
  const scene = new FleetScene();

  it('spreads the runs of an experiment over its workers, each of them once, and judges here', async () => {
    const [first, second] = [scene.worker('first'), scene.worker('second')];
    await first.until('ready');
    await second.until('ready');
    const draft = timedDraft({ A: 5005, B: 6006 }, { stop: { kind: 'runs', runs: 10 }, swap: 'pair' });
    const { outcome, report, directory } = await scene.submit(draft);
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]).toMatchObject({ verdict: 'slower', runs: 10 });
    const { experiment, trials } = await readRecording(directory);
    expect(trials.map(({ trial }) => trial)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(trials.map(({ run }) => run).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // Pairs of runs that trade cores would have to be made by one host.
    expect(experiment.config.swap).toBe('run');
    const hosts = experiment.hosts ?? [];
    expect(hosts.map(({ labels }) => labels['name']).toSorted()).toEqual(['first', 'second']);
    for (const { id } of hosts) expect(trials.filter(({ host }) => host === id).length).toBeGreaterThanOrEqual(3);
    expect(scene.sql('select state, count(*) from deadheat_fleet.run group by 1')).toBe('gathered|10');
    expect(scene.sql('select state from deadheat_fleet.experiment')).toBe('done');
    // Nothing is kept.
    expect(readdirSync(scene.path('first', 'results'))).toEqual([]);
  });

  it('brings what programs recorded themselves, and makes the warm-up runs of each host there', async () => {
    await scene.worker('only').until('ready');
    const draft = timedDraft({ A: 5005, B: 6006 }, { stop: { kind: 'runs', runs: 2 }, warmupRuns: 1 });
    const [benchmark] = draft.benchmarks;
    if (benchmark === undefined) throw new TypeError('there is a benchmark');
    const log = scene.path('log');
    const hooks = { ...benchmark.hooks.A, prepare: `echo run >> ${log}` };
    const { report, directory } = await scene.submit({
      ...draft,
      benchmarks: [
        {
          ...benchmark,
          hooks: { ...benchmark.hooks, A: hooks },
        },
      ],
    });
    expect(report.comparisons[0]).toMatchObject({ runs: 2 });
    expect(report.comparisons[0]?.interval.estimate).toBeCloseTo(1.2, 6);
    expect(readdirSync(join(directory, 'iterations')).toSorted()).toEqual([
      '0-A.jsonl',
      '0-B.jsonl',
      '1-A.jsonl',
      '1-B.jsonl',
    ]);
    expect(readFileSync(log, 'utf8')).toBe('run\nrun\nrun\n');
  });

  it('ends with the failure of a workload, and with what a worker refuses, told by its words', async () => {
    await scene.worker('only').until('ready');
    const failed = await scene.submit(draftOf({ A: 'sleep 0.01', B: 'exit 3' }));
    expect(failed.outcome).toMatchObject({ kind: 'failed', failures: [{ side: 'B', code: 'EXIT_STATUS' }] });
    const draft = draftOf({ A: 'true' });
    const hooks = { build: null, setup: 'exit 7', prepare: null, conclude: null, cleanup: null };
    const benchmarks = draft.benchmarks.map((one) => ({ ...one, hooks: { A: hooks, B: hooks } }));
    const failure = await failureOf(() => scene.submit({ ...draft, benchmarks }, { directory: scene.path('refused') }));
    expect(failure).toMatchObject({ name: 'FleetError', code: 'RUN_REFUSED' });
    expect(failure.message).toMatch(/exit 7/);
    expect(scene.sql('select state, failure is not null from deadheat_fleet.experiment order by submitted_at')).toBe(
      'failed|t\nfailed|t',
    );
  });

  it('executes nothing that a worker does not allow', async () => {
    await scene.worker('strict', { permissions: { repositories: [], images: [], commands: false } }).until('ready');
    const marker = scene.path('executed');
    const failure = await failureOf(() => scene.submit(draftOf({ A: `touch ${marker}` })));
    expect(failure).toMatchObject({ code: 'RUN_REFUSED' });
    expect(failure.message).toMatch(/does not execute commands as they are; nothing was executed.*--allow-commands/);
    const foreign = {
      kind: 'commit',
      repository: '/srv/other',
      commit: 'a'.repeat(40),
      file: 'x.json',
      setup: null,
    } as const;
    const other = await failureOf(() =>
      scene.submit(draftOf({ A: `touch ${marker}` }), {
        code: { ...foreign, changes: {} },
        directory: scene.path('other'),
      }),
    );
    expect(other.message).toMatch(/does not execute the repository \/srv\/other; nothing was executed/);
    expect(existsSync(marker)).toBe(false);
  });

  it('executes what an allowed commit describes, whatever the queue says', async () => {
    const origin = scene.path('origin');
    mkdirSync(origin, { recursive: true });

    function git(...args: readonly string[]): string {
      return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: origin,
        encoding: 'utf8',
      }).trim();
    }

    git('init', '-q');
    writeFileSync(join(origin, 'sides.json'), JSON.stringify({ A: 5005, B: 6006 }));
    git('add', '.');
    git('commit', '-qm', 'sides');
    const commit = git('rev-parse', 'HEAD');
    const worker = scene.worker('repository', {
      permissions: { repositories: [origin], images: [], commands: false },
      readExperiment: ({ folder, file }) =>
        timedDraft(JSON.parse(readFileSync(join(folder, file), 'utf8')) as { A: number; B: number }),
    });
    await worker.until('ready');
    const marker = scene.path('executed');
    const code = {
      kind: 'commit',
      repository: origin,
      commit,
      file: 'sides.json',
      setup: null,
      changes: {},
    } as const;
    const queued = timedDraft({ A: 1, B: 1 });
    const evil = { A: shell(`touch ${marker}`), B: shell(`touch ${marker}`) };
    const benchmarks = queued.benchmarks.map((one) => ({ ...one, commands: evil }));
    const { report } = await scene.submit({ ...queued, benchmarks }, { code });
    expect(report.comparisons[0]?.verdict).toBe('slower');
    expect(existsSync(marker)).toBe(false);
    const unknown = await failureOf(() =>
      scene.submit(draftOf({ A: 'true' }), {
        code: { ...code, commit: 'b'.repeat(40) },
        directory: scene.path('unknown'),
      }),
    );
    expect(unknown.message).toMatch(/holds no commit b{40}\. Push it/);
    const outside = await failureOf(() =>
      scene.submit(draftOf({ A: 'true' }), { code: { ...code, file: '../x' }, directory: scene.path('outside') }),
    );
    expect(outside.message).toMatch(/reads no file outside of the commit/);
  });

  it('refuses workers and experiments of another version, and asks for what is not there', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    expect(await failureOf(() => scene.submit(draftOf({ A: 'true' })))).toMatchObject({ code: 'NO_WORKERS' });
    const worker = scene.worker('new', { toolVersion: '0.2.0' });
    await worker.until('ready');
    expect(await failureOf(() => scene.submit(draftOf({ A: 'true' })))).toMatchObject({
      code: 'OTHER_VERSION',
      message: expect.stringContaining('is 0.2.0') as unknown,
    });
    expect(scene.sql('select count(*) from deadheat_fleet.experiment')).toBe('0');
    expect(existsSync(scene.path('recording'))).toBe(false);
    // What reaches it all the same it refuses itself.
    scene.sql("update deadheat_fleet.worker set tool_version = '0.1.0'");
    const failure = await failureOf(() => scene.submit(draftOf({ A: 'true' })));
    expect(failure).toMatchObject({ code: 'RUN_REFUSED' });
    expect(failure.message).toMatch(
      /submitted by deadheat 0\.1\.0, and this worker is deadheat 0\.2\.0; nothing was executed/,
    );
  });

  it('has one worker a machine, by the lock on it and by its id', async () => {
    await scene.worker('one').until('ready');
    const sameMachine = scene.worker('two', { lockFolder: scene.path('lock-one') });
    expect(await failureOf(() => sameMachine.until('ready'))).toMatchObject({ code: 'WORKER_RUNS' });
    cpSync(scene.path('one'), scene.path('copy'), { recursive: true });
    const copied = scene.worker('three', { folder: scene.path('copy') });
    const failure = await failureOf(() => copied.until('ready'));
    expect(failure).toMatchObject({ code: 'WORKER_RUNS' });
    expect(failure.message).toContain('worker-id');
    // One that has the id alone is not that worker, alive or not.
    scene.sql("update deadheat_fleet.lease set until = '-infinity'");
    for (const name of readdirSync(scene.path('copy')).filter((one) => one.startsWith('secret'))) {
      rmSync(scene.path('copy', name));
    }
    const liar = scene.worker('four', { folder: scene.path('copy') });
    expect(await failureOf(() => liar.until('ready'))).toMatchObject({ code: 'WORKER_RUNS' });
  });

  it('is cancelled from outside: programs are ended, what is in stays, and it can go on', async () => {
    const worker = scene.worker('only');
    await worker.until('ready');
    const marker = scene.path('second');
    // The second run would take a minute.
    const command = `test -e ${marker}.go && exec sleep 0.01; test -e ${marker} && exec sleep 61.5; touch ${marker}`;
    const draft = draftOf({ A: 'sleep 0.01', B: command }, { stop: { kind: 'runs', runs: 3 } });
    const submitted = scene.submit(draft);
    await worker.until('run-stored');
    const view = await openFleetView(scene.url(), {});

    async function isBusy(): Promise<boolean> {
      return (await view.workers())[0]?.state === 'busy';
    }

    while (!existsSync(marker) || !(await isBusy()) || !isSleeping('61.5')) await new Promise((r) => setTimeout(r, 50));
    const [running] = await view.experiments(5);
    expect(running).toMatchObject({ name: 'test', state: 'running', inFlight: 1, failure: null });
    const { id, wasRunning } = await cancelExperiment({ url: scene.url(), variables: {} }, running?.id ?? '');
    expect(wasRunning).toBe(true);
    const { outcome, directory } = await submitted;
    expect(outcome).toEqual({ kind: 'interrupted' });
    await worker.until('run-ended');
    expect(isSleeping('61.5')).toBe(false);
    expect((await readRecording(directory)).trials.length).toBeGreaterThanOrEqual(1);
    expect((await view.experiments(1))[0]).toMatchObject({ id, state: 'cancelled' });

    writeFileSync(`${marker}.go`, '');
    const control = { variables: {}, toolVersion: '0.1.0', signal: new AbortController().signal, leaves: false };
    const resumed = await resumeOnFleet(directory, { ...control, onEvent: () => {}, onNotice: () => {} });
    expect(resumed.outcome).toEqual({ kind: 'done' });
    const { trials } = await readRecording(directory);
    expect(trials.map(({ run }) => run).toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
    expect((await view.experiments(1))[0]).toMatchObject({ state: 'done', runs: 3, plannedRuns: 3, inFlight: 0 });
    await view.close();
  });

  it('has other hosts confirm what came out slower, and nothing else', async () => {
    await scene.worker('first').until('ready');
    await scene.worker('second').until('ready');
    const draft = timedDraft({ A: 5000, B: 5000 }, { stop: { kind: 'runs', runs: 4 } });
    const slower = timedDraft({ A: 5005, B: 6006 }).benchmarks.map((one) => ({ ...one, name: 'two' }));
    const { report, directory } = await scene.submit(
      { ...draft, benchmarks: [...draft.benchmarks, ...slower] },
      { confirm: 1 },
    );
    const two = report.comparisons.find(({ interval }) => interval.estimate > 1.1);
    expect(two).toMatchObject({ verdict: 'slower', runs: 4, confirmation: { runs: 4, verdict: 'slower' } });
    const { experiment, trials } = await readRecording(directory);
    const [confirming] = (experiment.hosts ?? []).filter(({ confirms }) => confirms === true).map(({ id }) => id);
    expect(two?.confirmation?.hosts).toEqual([confirming]);
    const again = trials.filter(({ host }) => host === confirming);
    const runs = again.filter((trial) => trial.benchmark === 1).map(({ run }) => run);
    expect(runs.toSorted((a, b) => a - b)).toEqual([4, 5, 6, 7]);
    const aboutToBegin = scene.path('begun');
    mkdirSync(aboutToBegin);
    writeFileSync(join(aboutToBegin, 'experiment.json'), JSON.stringify({ ...experiment, hosts: [] }));
    writeFileSync(join(aboutToBegin, 'trials.jsonl'), '');
    const here = { directory: aboutToBegin, signal: new AbortController().signal, onEvent: () => {} };
    expect(await failureOf(() => resumeExperiment(here))).toMatchObject({ code: 'CANNOT_RESUME_HERE' });
    const alone = await failureOf(() => scene.submit(draft, { confirm: 2, directory: scene.path('alone') }));
    expect(alone).toMatchObject({ code: 'NO_WORKERS' });
  });

  it('gives the run of a worker that is ended to another, and the worker leaves', async () => {
    const first = scene.worker('first');
    await first.until('ready');
    const marker = scene.path('began');
    // Whoever begins first takes a minute.
    const draft = draftOf(
      { A: 'sleep 0.01', B: `mkdir ${marker} && exec sleep 62.5; true` },
      { stop: { kind: 'runs', runs: 2 } },
    );
    const submitted = scene.submit(draft);
    while (!existsSync(marker)) await new Promise((resolve) => setTimeout(resolve, 20));
    await scene.worker('second').until('ready');
    await first.end();
    const { outcome, directory } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    expect(isSleeping('62.5')).toBe(false);
    const { experiment } = await readRecording(directory);
    expect(experiment.hosts?.map(({ labels }) => labels['name'])).toEqual(['second']);
  });
});

function isSleeping(seconds: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
}
