import { readOwnMachine, type ForeignRun } from '@deadheat/engine';
import { describe, expect, it } from 'vitest';
import { initFleet, type WorkerOptions } from './fleet-index.ts';
import { prepareExperiment } from '../src/worker/prepare-experiment.ts';
import { draftOf, FleetScene, noPostgres } from './support.ts';

describe.skipIf(noPostgres !== null)('a fleet of more hosts than tell of every run', () => {
  const scene = new FleetScene();

  /** The first run is made; all others come out as it did, after 20 ms. */
  async function simulation(): Promise<NonNullable<WorkerOptions['simulated']>> {
    const { machine } = await readOwnMachine({ cpus: null, ownCpu: null });
    let first: Promise<ForeignRun> | null = null;

    async function prepare(
      ...[submitted, options]: Parameters<typeof prepareExperiment>
    ): ReturnType<typeof prepareExperiment> {
      async function makeFirst(): Promise<ForeignRun> {
        const prepared = await prepareExperiment(submitted, options);
        const place = { benchmark: 0, phase: 'measure', run: 0, method: 'sequential' } as const;
        const result = await prepared.runner.run(place, options.signal);
        await prepared.close();
        if (result.kind !== 'finished') throw new TypeError(result.kind);
        return result;
      }

      const { trial, ...others } = await (first ??= makeFirst());
      const experiment = submitted.definition as Awaited<ReturnType<typeof prepareExperiment>>['experiment'];
      return {
        experiment,
        runner: {
          machine,
          lanes: 1,
          mayShare: () => false,
          run: async ({ benchmark, phase, run }) => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            return { ...others, trial: { ...trial, benchmark, phase, run } };
          },
          close: async () => {},
        },
        close: async () => {},
      };
    }

    return { machine, prepare };
  }

  it('asks for what they did, and makes every run once', async () => {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const hosts = 33;
    const simulated = await simulation();
    const workers = Array.from({ length: hosts }, (_, number) => scene.worker(`w${number}`, { simulated }));
    for (const worker of workers) await worker.until('ready');
    const { outcome, report } = await scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 3 * hosts } }));
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBe(3 * hosts);
    expect(report.hosts).toHaveLength(hosts);
    const runs = scene.sql(
      "select count(*), count(distinct worker), max(attempt), bool_or(notifies_submitter) from deadheat_fleet.run where state = 'gathered'",
    );
    expect(runs).toBe(`${3 * hosts}|${hosts}|1|f`);
  });
});
