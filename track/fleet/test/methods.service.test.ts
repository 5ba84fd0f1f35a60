import { availableParallelism } from 'node:os';
import { readRecording } from '@deadheat/recording';
import { defaultSettings, type EngineEvent, type Trial } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { openFleetView, resumeOnFleet } from './fleet-index.ts';
import { failureOf, FleetScene, noPostgres, timedDraft } from './support.ts';

const auto = { ...defaultSettings('auto', 'harness'), replicates: 1000, maxTimeNs: null } as const;

/** B takes a fifth longer; both compute all the time. */
const computing = { A: 5005, B: 6006, cpuShare: 1 };

function ofPhase(trials: readonly Trial[], phase: Trial['phase']): readonly Trial[] {
  return trials.filter((trial) => trial.phase === phase);
}

function methodsOf(trials: readonly Trial[]): readonly string[] {
  return [...new Set(trials.map(({ method }) => method))];
}

function isEvent(event: EngineEvent, phase: Trial['phase']): boolean {
  return event.kind === 'trial-finished' && event.trial.phase === phase;
}

describe.skipIf(noPostgres !== null)('the method of an experiment on a fleet', () => {
  const scene = new FleetScene();

  it('is chosen by pilot runs, one at a time, and what follows is made by it on every worker', async () => {
    const workers = [scene.worker('first'), scene.worker('second')];
    for (const worker of workers) await worker.until('ready');
    const submitted = scene.submit(timedDraft(computing, { ...auto, stop: { kind: 'runs', runs: 8 } }));
    const { outcome, report, directory } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    const { experiment, trials } = await readRecording(directory);
    const [pilots, measured] = [ofPhase(trials, 'pilot'), ofPhase(trials, 'measure')];
    expect(pilots.map(({ run }) => run)).toEqual([0, 1, 2]);
    expect(trials.slice(0, 3)).toEqual(pilots);
    expect(measured.map(({ run }) => run).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    // Both sides on one core, which every machine draws among its own.
    expect(methodsOf(measured)).toEqual(['tandem']);
    for (const { sides } of measured) expect(sides.A.cpu).toBe(sides.B.cpu);
    expect(new Set(measured.map(({ host }) => host)).size).toBe(2);
    const chosen = { method: 'tandem', metric: 'cpu', reason: expect.stringContaining('one core busy') as unknown };
    expect(experiment.config.benchmarks[0]?.chosen).toMatchObject(chosen);
    expect(report.comparisons[0]).toMatchObject({ method: 'tandem', metric: 'cpu', runs: 8, verdict: 'slower' });
    expect(report.comparisons[0]?.interval.estimate).toBeCloseTo(1.2, 6);
    const rows = 'select phase, coalesce(method, $$-$$), count(*) from deadheat_fleet.run group by 1, 2 order by 1';
    expect(scene.sql(rows)).toBe('measure|tandem|8\npilot|-|3');
    // What looks on counts the runs that are asked for.
    const view = await openFleetView(scene.url(), {});
    expect((await view.experiments(1))[0]).toMatchObject({ state: 'done', runs: 8, plannedRuns: 8 });
    await view.close();
    const started = workers.flatMap(({ events }) => events.filter(({ kind }) => kind === 'run-started'));
    expect(started.filter(({ message }) => /: pilot run \d of one$/.test(message))).toHaveLength(3);
    expect(started.filter(({ message }) => /: run \d of one by tandem$/.test(message))).toHaveLength(8);
  });

  it('is the one that the worker can offer where a side waits: a duet, with one CPU one after the other', async () => {
    const changes = { ...auto, stop: { kind: 'runs', runs: 2 } } as const;
    const waiting = timedDraft({ ...computing, cpuShare: 0.2 }, changes);
    const [benchmark] = waiting.benchmarks;
    if (benchmark === undefined) throw new TypeError('there is a benchmark');
    const cpus = availableParallelism() > 1 ? null : [0];
    const worker = scene.worker('many', { cpus });
    await worker.until('ready');
    const wide = await scene.submit(waiting);
    const method = cpus === null ? 'sync-duet' : 'sequential';
    expect(wide.report.comparisons[0]).toMatchObject({ method, metric: 'undelayed', runs: 2 });
    expect(methodsOf((await readRecording(wide.directory)).trials)).toEqual([method]);
    await worker.end();
    await scene.worker('single', { cpus: [0] }).until('ready');
    const narrow = await scene.submit(waiting, { directory: scene.path('narrow') });
    expect(narrow.report.comparisons[0]).toMatchObject({ method: 'sequential', metric: 'undelayed', runs: 2 });
    // Two of its benchmarks need not have the same method.
    const both = timedDraft(computing).benchmarks.map((one) => ({ ...one, name: 'computing' }));
    const mixed = { ...waiting, benchmarks: [...waiting.benchmarks, ...both] };
    const two = await scene.submit(mixed, { directory: scene.path('two') });
    expect(two.report.comparisons.map(({ method: own }) => own)).toEqual(['sequential', 'tandem']);
  });

  it('may be a tandem from the beginning, also with one CPU; a duet is refused there', async () => {
    await scene.worker('single', { cpus: [0] }).until('ready');
    const tandem = { ...defaultSettings('tandem', 'harness'), replicates: 1000, maxTimeNs: null };
    const draft = timedDraft(computing, { ...tandem, stop: { kind: 'runs', runs: 3 } });
    const { report, directory } = await scene.submit(draft);
    expect(report.comparisons[0]).toMatchObject({ method: 'tandem', runs: 3, verdict: 'slower' });
    const { trials } = await readRecording(directory);
    expect(ofPhase(trials, 'pilot')).toEqual([]);
    expect(new Set(trials.flatMap(({ sides }) => [sides.A.cpu, sides.B.cpu]))).toEqual(new Set([0]));
    const failure = await failureOf(() =>
      scene.submit({ ...draft, method: 'sync-duet' }, { directory: scene.path('duet') }),
    );
    expect(failure).toMatchObject({ code: 'RUN_REFUSED' });
    expect(failure.message).toMatch(/measured by sync-duet, which this machine cannot do.*leave this machine out/);
  });

  it.each([
    ['pilot', 2],
    ['measure', 3],
  ] as const)('is kept when the experiment goes on after %s run %i', async (phase, count) => {
    const worker = scene.worker('only');
    await worker.until('ready');
    const ending = new AbortController();
    let seen = 0;
    const draft = timedDraft(computing, { ...auto, stop: { kind: 'runs', runs: 6 } });
    const begun = await scene.submit(draft, {
      signal: ending.signal,
      onEvent: (event) => {
        if (!isEvent(event, phase)) return;
        seen++;
        if (seen === count) ending.abort();
      },
    });
    expect(begun.outcome).toEqual({ kind: 'interrupted' });
    const before = (await readRecording(begun.directory)).trials;
    const resumed = await resumeOnFleet(begun.directory, {
      variables: {},
      leaves: false,
      toolVersion: '0.1.0',
      signal: new AbortController().signal,
      onEvent: () => {},
      onNotice: () => {},
    });
    expect(resumed.outcome).toEqual({ kind: 'done' });
    const { trials } = await readRecording(begun.directory);
    expect(trials.slice(0, before.length)).toEqual(before);
    expect(ofPhase(trials, 'pilot').map(({ run }) => run)).toEqual([0, 1, 2]);
    const measured = ofPhase(trials, 'measure');
    expect(measured.map(({ run }) => run).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(methodsOf(measured)).toEqual(['tandem']);
    expect(resumed.report.comparisons[0]).toMatchObject({ method: 'tandem', runs: 6 });
  });
});
