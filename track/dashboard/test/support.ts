import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import {
  countVerdicts,
  openHistory,
  seriesKey,
  type History,
  type StoredRecording,
  type ChangeTriage,
  type HistoryNote,
  type HistoryPoint,
  type SeriesName,
} from '@deadheat/history';
import type { CommitRef, Explanation, Machine, Method } from '@deadheat/model';
import { madeUpRecording } from '../../../bench/lib/made-up-recording.js';
import { digestOf, type Access, type Token } from '../src/access/tokens.ts';
import { startServer, type RunningServer, type ServerOptions } from '../src/start-server.ts';
import type { FleetExperiment, FleetView, FleetWorker } from '@deadheat/fleet';
import { machine as quiet } from '../../../core/report/test/support-report.ts';

export { noPostgres, useServer as useDatabase } from '../../history/test/support.ts';

/** A folder for all tests of a `describe`. */
export function useFolder(): (...names: readonly string[]) => string {
  let folder: string | null = null;
  afterAll(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  return (...names) => {
    folder ??= mkdtempSync(join(tmpdir(), 'deadheat-server-'));
    return join(folder, ...names);
  };
}

export function commit(label: string, day: number): CommitRef {
  return {
    id: label.padEnd(40, '0'),
    label,
    committedAt: `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`,
  };
}

export interface Put {
  readonly id: string;
  readonly project?: string;
  readonly slowdown?: number;
  readonly iterations?: number;
  readonly method?: Method;
  readonly a?: CommitRef;
  readonly b?: CommitRef;
  /** The functions behind its difference. */
  readonly explanation?: Explanation;
}

/** Makes a recording and puts it into a history. */
export async function put(
  place: string,
  { id, project = 'parser', slowdown = 1, iterations, method, a, b, explanation }: Put,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-server-'));
  try {
    const recording = join(directory, 'recording');
    await madeUpRecording(recording, {
      id,
      startedAt: b?.committedAt ?? '2026-03-01T10:00:00.000Z',
      slowdown,
      ...(method === undefined ? {} : { method }),
      ...(iterations === undefined ? {} : { iterations, runs: 2 }),
    });
    if (explanation !== undefined) writeFileSync(join(recording, 'explanation.json'), JSON.stringify(explanation));
    const history = await openHistory(place, { forWriting: true, variables: process.env });
    try {
      await history.put({
        directory: recording,
        project,
        commits: { ...(a === undefined ? {} : { A: a }), ...(b === undefined ? {} : { B: b }) },
      });
    } finally {
      await history.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export function open(place: string): Promise<History> {
  return openHistory(place, { forWriting: false, mayLag: true, variables: process.env });
}

export const machine: Machine = {
  ...quiet,
  hostname: 'rack-1',
  onlineCpus: 4,
  usableCpus: [0, 1, 2, 3],
  smtSiblings: {},
  governor: null,
  load1: 0,
};

/** A history in memory: every recording has the same benchmarks, or those that it is given. */
export class MemoryHistory implements Pick<
  History,
  | 'revision'
  | 'list'
  | 'latest'
  | 'series'
  | 'seriesOf'
  | 'verdicts'
  | 'triage'
  | 'notes'
  | 'addNote'
  | 'lease'
  | 'leases'
  | 'close'
> {
  readonly place = 'memory';
  points: HistoryPoint[] = [];
  /** Names of the series that were read as a whole. */
  readonly read: string[] = [];
  /** How often the newest comparisons of all series were read. */
  latestReads = 0;
  decisions: ChangeTriage[] = [];
  readonly #listed = new Map<string, StoredRecording>();
  readonly kept = new Map<string, HistoryNote[]>();
  readonly #leases = new Map<string, { readonly holder: string; readonly until: number }>();

  add(at: number, ratios: Readonly<Record<string, number>>): void {
    for (const [benchmark, ratio] of Object.entries(ratios)) {
      this.points.push({
        project: 'p',
        benchmark,
        params: {},
        method: 'tandem',
        experiment: `e${at}`,
        startedAt: new Date(Date.UTC(2026, 0, 1) + at * 3600e3).toISOString(),
        commits: { A: commit('v1', 1), B: { id: `b${at}`, label: `b${at}`, committedAt: null } },
        hostname: 'h',
        metric: 'cpu',
        ratio: { estimate: ratio, low: ratio * 0.99, high: ratio * 1.01, confidence: 0.99 },
        verdict: 'dead-heat',
        margin: 0,
        minimalDetectableSlowdown: 0.01,
        runs: 10,
        meanNs: { A: 1e6, B: 1e6 * ratio },
      });
    }
  }

  async revision(): Promise<string> {
    return String(this.points.length);
  }

  async list(): Promise<readonly StoredRecording[]> {
    const ids = [...new Set(this.points.map(({ experiment }) => experiment))];
    return ids.map((id) => {
      const own = this.points.filter(({ experiment }) => experiment === id);
      const [first] = own;
      if (first === undefined) throw new TypeError(`nothing of ${id}`);
      const { startedAt, commits } = first;
      const known = this.#listed.get(id);
      if (known?.comparisons === own.length) return known;
      const listed = { id, project: 'p', startedAt, commits, hostname: 'h', toolVersion: '1', comparisons: own.length };
      this.#listed.set(id, listed);
      return listed;
    });
  }

  async latest(): Promise<readonly HistoryPoint[]> {
    this.latestReads += 1;
    return [...new Map(this.points.map((point) => [seriesKey(point), point])).values()];
  }

  async series({ project, benchmark, experiments }: Partial<SeriesName> & { experiments?: readonly string[] }) {
    if (benchmark !== undefined) this.read.push(benchmark);
    return this.points.filter(
      (point) =>
        (project === undefined || point.project === project) &&
        (benchmark === undefined || point.benchmark === benchmark) &&
        (experiments === undefined || experiments.includes(point.experiment)),
    );
  }

  async seriesOf(names: readonly SeriesName[]): Promise<readonly (readonly HistoryPoint[])[]> {
    return Promise.all(names.map((name) => this.series(name)));
  }

  async verdicts(): Promise<ReadonlyMap<string, ReturnType<typeof countVerdicts>>> {
    return new Map();
  }

  async triage(): Promise<readonly ChangeTriage[]> {
    return this.decisions;
  }

  async notes(topic: string): Promise<readonly HistoryNote[]> {
    return [...(this.kept.get(topic) ?? [])];
  }

  async addNote(topic: string, note: HistoryNote): Promise<void> {
    // As a file or a database keeps it.
    this.kept.set(topic, [...(await this.notes(topic)), JSON.parse(JSON.stringify(note)) as HistoryNote]);
  }

  async leases(): Promise<ReadonlyMap<string, string>> {
    const held = [...this.#leases].filter(([, { until }]) => until > Date.now());
    return new Map(held.map(([name, { holder }]) => [name, holder]));
  }

  async lease({ name, holder, ms, renews }: Parameters<History['lease']>[0]): Promise<boolean> {
    const held = this.#leases.get(name);
    const isFree = held === undefined || held.until <= Date.now();
    if (held?.holder !== holder && (renews || !isFree)) return false;
    this.#leases.set(name, { holder, until: Date.now() + ms });
    return true;
  }

  async close(): Promise<void> {
    // nothing is held open
  }
}

/** A fleet whose state a test sets. */
export class FakeFleet implements FleetView {
  experimentList: readonly FleetExperiment[] = [
    {
      id: 'f1',
      name: 'nightly <b>',
      submittedAt: '2026-03-20T10:00:00.000Z',
      state: 'running',
      runs: 12,
      plannedRuns: 40,
      inFlight: 2,
      hosts: ['w1', 'w2'],
      failure: null,
    },
    {
      id: 'f0',
      name: 'weekly',
      submittedAt: '2026-03-19T10:00:00.000Z',
      state: 'failed',
      runs: 3,
      plannedRuns: 40,
      inFlight: 0,
      hosts: ['w1'],
      failure: 'the repository is not allowed',
    },
  ];
  workerList: readonly FleetWorker[] = [
    {
      id: 'w1',
      machine,
      labels: { region: 'north', type: 'm5' },
      toolVersion: '0.1.0',
      state: 'busy',
      seenAt: '2026-03-20T10:01:00.000Z',
      experiment: 'f1',
    },
    {
      id: 'w2',
      machine: { ...machine, hostname: 'rack-2' },
      labels: {},
      toolVersion: '0.1.0',
      state: 'gone',
      seenAt: '2026-03-20T09:00:00.000Z',
      experiment: null,
    },
  ];
  /** Thrown by whatever asks, while it is not `null`. */
  failure: Error | null = null;
  readonly cancelled: string[] = [];
  /** Number of readings of the workers. */
  reads = 0;

  /** Changes the first experiment. */
  change(changes: Partial<FleetExperiment>): void {
    this.experimentList = this.experimentList.map((one, index) => (index === 0 ? { ...one, ...changes } : one));
  }

  async workers(): Promise<readonly FleetWorker[]> {
    this.reads += 1;
    if (this.failure !== null) throw this.failure;
    return this.workerList;
  }

  async experiments(limit: number): Promise<readonly FleetExperiment[]> {
    if (this.failure !== null) throw this.failure;
    return this.experimentList.slice(0, limit);
  }

  readonly cancel = async (experiment: string): Promise<void> => {
    this.cancelled.push(experiment);
    this.change({ state: 'cancelled', inFlight: 0 });
  };

  async close(): Promise<void> {
    // nothing is held open
  }
}

export const readToken = 'read-token-of-the-tests-0123456789';
export const writeToken = 'write-token-of-the-tests-0123456789';

function tokenOf(secret: string, access: Access): Token {
  return { access, name: access === 'write' ? 'the team' : null, digest: digestOf(secret) };
}

export const bothTokens: readonly Token[] = [tokenOf(readToken, 'read'), tokenOf(writeToken, 'write')];

/** A server, ended after the test; what it tells its operator is kept. */
export function useServers(): {
  readonly start: (place: string, options?: Partial<ServerOptions>) => Promise<TestServer>;
} {
  const running: RunningServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });
  return {
    start: async (place, options = {}) => {
      const told: unknown[] = [];
      const server = await startServer({
        openHistory: () => open(place),
        fleet: null,
        renderReport: async (_, name) => `<!doctype html><title>${name}</title>`,
        tokens: [],
        host: '127.0.0.1',
        port: 0,
        toolVersion: '0.1.0',
        report: (error) => told.push(error),
        ...options,
      });
      running.push(server);
      return new TestServer(server, told);
    },
  };
}

/** Asks a server as a browser does that follows no redirection by itself. */
export class TestServer {
  readonly url: string;
  readonly told: readonly unknown[];
  readonly close: () => Promise<void>;

  constructor(server: RunningServer, told: readonly unknown[]) {
    this.url = server.url;
    this.told = told;
    this.close = () => server.close();
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(path, this.url), { redirect: 'manual', ...init });
  }

  async page(path: string, init: RequestInit = {}): Promise<string> {
    const response = await this.ask(path, init);
    const text = await response.text();
    if (response.status !== 200) throw new TypeError(`${path}: ${response.status} ${text}`);
    return text;
  }

  async json<Value>(path: string, init: RequestInit = {}): Promise<Value> {
    return (await this.ask(`/api/v1${path}`, init)).json() as Promise<Value>;
  }
}
