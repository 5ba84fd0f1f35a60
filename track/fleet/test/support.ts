import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import { benchmarkDefaults, type Command, defaultSettings, experimentDefaults } from '@deadheat/model';
import type { DetachedExperiment } from 'deadheat/internals';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../../../bench/lib/postgres.js';
import type { Code } from '../src/code.ts';
import { detachOnFleet, runOnFleet, type FleetOrder } from '../src/submit/run-on-fleet.ts';
import { runWorker, type WorkerEvent, type WorkerOptions } from '../src/worker/run-worker.ts';

/** Why tests of a fleet are skipped; `null` = they are not. */
export const noPostgres: string | null = whyNoPostgres();
if (noPostgres !== null) console.warn(`tests of fleets are skipped: ${noPostgres}`);

export function shell(commandLine: string): Command {
  return {
    name: commandLine,
    commandLine,
    argv: ['/bin/sh', '-c', commandLine],
    executedBy: 'shell',
  };
}

/** An experiment of one benchmark, whose sides are shell commands. */
export function draftOf(
  { A, B = A }: { readonly A: string; readonly B?: string },
  changes: Partial<ExperimentDraft> = {},
): ExperimentDraft {
  return {
    name: 'test',
    benchmarks: [{ ...benchmarkDefaults, name: 'one', commands: { A: shell(A), B: shell(B) } }],
    ...defaultSettings('sequential'),
    ...experimentDefaults,
    replicates: 1000,
    stop: { kind: 'runs', runs: 6 },
    maxTimeNs: null,
    cpus: null,
    seed: 'fleet',
    ...changes,
  };
}

/**
 * As `draftOf`, of programs that record three iterations of so many ns, however long they took: what comes out is known.
 *
 * @param cpuShare of the time that they record as CPU time; absent = none is recorded
 */
export function timedDraft(
  ns: { readonly A: number; readonly B: number; readonly cpuShare?: number },
  changes: Partial<ExperimentDraft> = {},
): ExperimentDraft {
  function cpu(of: number): string {
    // They say that they did not wait for a CPU: else looks at the shell, which computes, would answer that, where there are enough.
    return ns.cpuShare === undefined ? '' : `,"c":${Math.round(of * ns.cpuShare)},"q":0`;
  }

  function record(of: number): string {
    return (
      `printf '{"deadheat":1,"benchmark":"own","params":{}}\\n' > $DEADHEAT_RECORD; for i in 0 1 2; do ` +
      `printf '{"i":%d,"s":%d,"e":%d${cpu(of)}}\\n' $i $((i * 1000000)) $((i * 1000000 + ${of})) >> $DEADHEAT_RECORD; done`
    );
  }

  const draft = draftOf({ A: record(ns.A), B: record(ns.B) }, changes);
  return { ...draft, benchmarks: draft.benchmarks.map((benchmark) => ({ ...benchmark, workload: 'harness' })) };
}

/** A worker that runs until the test is over. */
export interface RunningWorker {
  readonly events: readonly WorkerEvent[];
  /** Waits for an event. */
  readonly until: (kind: WorkerEvent['kind']) => Promise<WorkerEvent>;
  readonly end: () => Promise<void>;
}

/** A server, a database for each test, and folders that are removed. */
export class FleetScene {
  #server: PostgresServer | null = null;
  #databases = 0;
  #database = '';
  #folder: string | null = null;
  readonly #workers: RunningWorker[] = [];

  constructor() {
    beforeAll(() => {
      this.#server = startPostgres();
    });
    afterAll(() => this.#server?.stop());
    afterEach(async () => {
      for (const worker of this.#workers.splice(0)) await worker.end().catch(() => undefined);
      if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
      this.#folder = null;
      this.#database = '';
    });
  }

  path(...names: readonly string[]): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'deadheat-fleet-'));
    return join(this.#folder, ...names);
  }

  /** Of this test's own database. */
  url(role = 'postgres'): string {
    if (this.#database === '') {
      this.#databases += 1;
      this.#database = `fleet_${this.#databases}`;
      this.#get().sql(`create database ${this.#database}`);
    }
    return this.#get().url(role, this.#database);
  }

  /** Folder of the server's socket. */
  get socket(): string {
    return this.#get().folder;
  }

  sql(text: string): string {
    this.url();
    return this.#get().sql(text, this.#database);
  }

  #get(): PostgresServer {
    if (this.#server === null) throw new TypeError('the server has not been started');
    return this.#server;
  }

  /** Starts a worker that executes everything, in this process. */
  worker(name: string, changes: Partial<WorkerOptions> = {}): RunningWorker {
    const ending = new AbortController();
    const events: WorkerEvent[] = [];
    const waiting = new Set<() => void>();
    const running = runWorker({
      url: this.url(),
      variables: { PATH: process.env['PATH'] },
      labels: { name },
      permissions: { repositories: [], images: [], commands: true },
      toolVersion: '0.1.0',
      readExperiment: () => {
        throw new TypeError('nothing is to be read');
      },
      folder: this.path(name),
      lockFolder: this.path(`lock-${name}`),
      cpus: null,
      ownCpu: null,
      signal: ending.signal,
      onEvent: (event) => {
        events.push(event);
        for (const look of waiting) look();
      },
      ...changes,
    });

    function until(kind: WorkerEvent['kind']): Promise<WorkerEvent> {
      return new Promise((resolve, reject) => {
        function look(): void {
          const found = events.find((event) => event.kind === kind);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        }

        waiting.add(look);
        look();
        running.catch(reject);
      });
    }

    async function end(): Promise<void> {
      ending.abort();
      await running;
    }

    const worker: RunningWorker = { events, until, end };
    this.#workers.push(worker);
    return worker;
  }

  /** Submits an experiment and follows it. */
  submit(
    draft: ExperimentDraft,
    changes: Partial<FleetOrder> = {},
  ): ReturnType<typeof runOnFleet> & { readonly notices: readonly string[] } {
    const notices: string[] = [];
    const order = { ...this.#order(draft), onNotice: (text: string) => void notices.push(text) };
    const result = runOnFleet({ ...order, ...changes });
    return Object.assign(result, { notices });
  }

  /** Submits an experiment and leaves it to the workers. */
  async detach(draft: ExperimentDraft, changes: Partial<FleetOrder> = {}): Promise<DetachedExperiment> {
    return detachOnFleet({ ...this.#order(draft), ...changes });
  }

  #order(draft: ExperimentDraft): FleetOrder {
    const code: Code = { kind: 'here' };
    return {
      url: this.url(),
      variables: {},
      draft,
      code,
      hosts: null,
      labels: {},
      confirm: null,
      directory: this.path('recording'),
      parent: this.path('parent'),
      tool: { name: 'deadheat', version: '0.1.0' },
      signal: new AbortController().signal,
      onEvent: () => {},
      onNotice: () => {},
    };
  }
}

/** The error that something fails with. */
export async function failureOf(work: () => Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new TypeError('nothing failed');
}
