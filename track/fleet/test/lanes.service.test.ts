import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readRecording } from '@deadheat/recording';
import { defaultSettings } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { openFleetView } from './fleet-index.ts';
import { draftOf, FleetScene, noPostgres } from './support.ts';

const tandem = { ...defaultSettings('tandem'), replicates: 1000, maxTimeNs: null } as const;

describe.skipIf(noPostgres !== null || availableParallelism() < 2)('the lanes of a worker', () => {
  const scene = new FleetScene();

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  const active = "select count(*) from deadheat_fleet.run where state = 'active'";

  it('execute as many tandems at once as the experiment asks for, each on a core of its own', async () => {
    const go = scene.path('go');
    const begun = scene.path('begun');
    const log = scene.path('log');
    // The sides of the first run, which has the machine to itself, do not wait.
    const command = `echo >> ${begun}; test $(wc -l < ${begun}) -le 2 || while ! test -e ${go}; do sleep 0.05; done; echo >> ${log}`;
    const worker = scene.worker('only', { cpus: [0, 1] });
    await worker.until('ready');
    const draft = draftOf({ A: command }, { ...tandem, lanes: 'all', stop: { kind: 'runs', runs: 7 } });
    const submitted = scene.submit(draft);
    await until(() => scene.sql(active) === '2');
    await until(() => readFileSync(begun, 'utf8').length === 6);
    // Both count as begun, and neither is given away: what waits is the next one.
    const view = await openFleetView(scene.url(), {});
    expect((await view.experiments(1))[0]).toMatchObject({ runs: 1, plannedRuns: 7, inFlight: 2 });
    await view.close();
    expect(scene.sql('select lanes from deadheat_fleet.worker')).toBe('2');
    writeFileSync(go, '');
    const { outcome, report, directory } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]).toMatchObject({ method: 'tandem', runs: 7 });
    const { trials, experiment } = await readRecording(directory);
    expect(experiment.config).toMatchObject({ lanes: 1, workerLanes: 'all' });
    for (const { sides } of trials) expect(sides.A.cpu).toBe(sides.B.cpu);
    const ofRun = new Map(trials.map(({ run, sides }) => [run, sides.A.cpu]));
    expect(new Set([ofRun.get(1), ofRun.get(2)])).toEqual(new Set([0, 1]));
    // Every run was executed once, by both sides.
    expect(readFileSync(log, 'utf8')).toHaveLength(14);
    expect(scene.sql('select max(attempt) from deadheat_fleet.run')).toBe('1');
    const stored = worker.events.filter(({ kind }) => kind === 'run-stored');
    expect(stored).toHaveLength(7);
  });

  it('are no more than the worker allows, and none where runs have the machine to themselves', async () => {
    const log = scene.path('log');
    const command = `echo begin >> ${log}; sleep 0.02; echo end >> ${log}`;
    await scene.worker('only', { cpus: [0, 1], lanes: 1 }).until('ready');
    const asked = { ...tandem, lanes: 2, stop: { kind: 'runs', runs: 4 } } as const;
    await scene.submit(draftOf({ A: command }, asked));
    const single = readFileSync(log, 'utf8').trim().split('\n');
    // Nothing of a run begins before both sides of the one before have ended.
    for (let first = 0; first < single.length; first += 4) {
      expect(single.slice(first, first + 4).filter((word) => word === 'begin')).toHaveLength(2);
    }
    expect(single).toHaveLength(16);
    expect(scene.sql('select lanes from deadheat_fleet.worker')).toBe('1');
  });

  it('end with the run that fails: what else is in hand is ended, too', async () => {
    const begun = scene.path('begun');
    const command = `echo >> ${begun}; case $(wc -l < ${begun}) in 1|2) ;; 3|4) sleep 60;; *) exit 3;; esac`;
    await scene.worker('only', { cpus: [0, 1] }).until('ready');
    const draft = draftOf({ A: command }, { ...tandem, lanes: 2, stop: { kind: 'runs', runs: 6 } });
    const { outcome } = await scene.submit(draft);
    expect(outcome).toMatchObject({ kind: 'failed', failures: [{ code: 'EXIT_STATUS' }] });
    await until(() => scene.sql(active) === '0');
    await until(() => scene.sql("select count(*) from deadheat_fleet.run where state = 'queued'") === '0');
  });
});
