import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commit } from '@deadheat/versions';
import { drawHolder, openHistory, type HistoryPoint } from '@deadheat/history';
import type { CommitRef } from '@deadheat/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeUpRecording } from '../../../bench/lib/made-up-recording.js';
import { collect, type CollectorEvent, type CollectorOptions } from '../src/collector.ts';
import { CommitFailure, type CommitPair } from '../src/measure-commit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deadheat-collector-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = Date.UTC(2026, 2, 1);

function commitAt(index: number): Commit {
  const id = `${index}`.repeat(40);
  return {
    id,
    short: id.slice(0, 7),
    subject: `change ${index}`,
    author: 'Ada',
    committedAt: new Date(start + index * 60_000).toISOString(),
  };
}

function refOf({ id, short, committedAt }: Commit): CommitRef {
  return { id, label: short, committedAt };
}

/** A branch of some commits whose measurements are made up, and a clock that is turned by hand. */
class Scene {
  readonly log: string[] = [];
  readonly broken = new Set<string>();
  nowMs = start + 86_400_000;
  count = 4;
  readonly #name: string;
  #recordings = 0;

  constructor(name = 'one') {
    this.#name = name;
  }

  openStore = async (): ReturnType<typeof openHistory> =>
    openHistory(join(folder, 'store'), { forWriting: true, variables: {} });

  measure = async ({ base, commit }: CommitPair): Promise<string> => {
    for (const one of [base, commit]) {
      if (this.broken.has(one.id)) throw new CommitFailure(one, { code: 'SETUP_FAILED', message: 'no make' });
    }
    return this.record({ base, commit });
  };

  async record({ base, commit }: CommitPair): Promise<string> {
    this.#recordings += 1;
    // What is made up follows from the id.
    const id = `${this.#name}-${commit.short}-${this.#recordings}-${Math.round(this.nowMs / 1000)}`;
    const directory = join(folder, 'outbox', id);
    await madeUpRecording(directory, {
      id,
      name: 'parser',
      startedAt: new Date(this.nowMs).toISOString(),
      commits: { A: refOf(base), B: refOf(commit) },
    });
    return directory;
  }

  async once(changes: Partial<CollectorOptions> = {}): Promise<readonly string[]> {
    const before = this.log.length;
    await collect({
      branch: {
        update: async () => {},
        commits: async () => Array.from({ length: this.count }, (_, index) => commitAt(index)),
      },
      project: 'parser',
      outbox: join(folder, 'outbox'),
      place: 'the store',
      openStore: this.openStore,
      measure: this.measure,
      against: null,
      canary: null,
      mostCommits: 100,
      pollMs: 1,
      once: true,
      stopAfterMs: null,
      signal: new AbortController().signal,
      onEvent: (event) => this.#tell(event),
      now: () => new Date(this.nowMs),
      ...changes,
    });
    return this.log.slice(before);
  }

  #tell(event: CollectorEvent): void {
    if (event.kind === 'began') this.log.push(`${event.pair.base.short[0] ?? ''}-${event.pair.commit.short[0] ?? ''}`);
    if (event.kind === 'failed') this.log.push(`failed ${event.commit[0] ?? ''} ${event.times}`);
    if (event.kind === 'canary-began') this.log.push('canary');
  }
}

describe('a collector with a store', () => {
  it('goes on where another one ended, and does nothing twice', async () => {
    const scene = new Scene();
    expect(await scene.once()).toEqual(['2-3', '0-0', '0-1', '1-2']);
    expect(await scene.once()).toEqual([]);
    scene.count = 6;
    expect(await scene.once()).toEqual(['3-4', '4-5']);
    expect(readdirSync(join(folder, 'outbox'))).toEqual([]);
  });

  it('compares with one commit where that is wanted', async () => {
    expect(await new Scene().once({ against: commitAt(1) })).toEqual(['1-3', '1-0', '1-1', '1-2']);
  });

  it('skips a commit that fails, tries it again after an hour and a day, and then leaves it', async () => {
    const scene = new Scene();
    scene.broken.add(commitAt(3).id);
    expect(await scene.once()).toEqual(['2-3', 'failed 3 1', '1-2', '0-0', '0-1']);
    expect(await scene.once()).toEqual([]);
    scene.nowMs += 3_600_000;
    expect(await scene.once()).toEqual(['2-3', 'failed 3 2']);
    scene.nowMs += 23 * 3_600_000;
    expect(await scene.once()).toEqual([]);
    scene.nowMs += 3_600_000;
    expect(await scene.once()).toEqual(['2-3', 'failed 3 3']);
    scene.nowMs += 1000 * 86_400_000;
    expect(await scene.once()).toEqual([]);
  });

  it('blames the commit that fails, also where it is side A', async () => {
    const scene = new Scene();
    scene.broken.add(commitAt(2).id);
    expect(await scene.once()).toEqual(['2-3', 'failed 2 1', '1-3', '0-0', '0-1']);
  });

  it('leaves a commit to another collector that measures it', async () => {
    const scene = new Scene();
    const other = new Scene('other');
    let seen: readonly string[] = [];
    const measure: CollectorOptions['measure'] = async (pair) => {
      // Another machine begins meanwhile.
      if (seen.length === 0) seen = await other.once({ outbox: join(folder, 'other'), measure: other.measure });
      return scene.measure(pair);
    };
    await scene.once({ measure });
    expect(seen).not.toContain('2-3');
    const all = [...seen, ...scene.log].map((pair) => pair.slice(2));
    expect(all.toSorted()).toEqual(['0', '1', '2', '3']);
  });

  it('takes the work of a process of this machine that was killed, and waits for those of others', async () => {
    const scene = new Scene();
    const store = await scene.openStore();
    const holders = [drawHolder().replace(/\/.*$/, '/999999999/x'), 'elsewhere/999999999/x'];
    for (const [index, holder] of holders.entries()) {
      const name = `watch parser ${commitAt(3 - index).id}`;
      expect(await store.lease({ name, holder, ms: 600_000, renews: false })).toBe(true);
    }
    expect(await scene.once()).toEqual(['1-3', '0-0', '0-1']);
    const name = `watch parser ${commitAt(2).id}`;
    await store.lease({ name, holder: holders[1] ?? '', ms: 0, renews: true });
    await store.close();
    expect(await scene.once()).toEqual(['1-2']);
  });

  it('stores what was finished before it was killed, and removes what was not', async () => {
    const scene = new Scene();
    await scene.record({ base: commitAt(2), commit: commitAt(3) });
    const torn = await scene.record({ base: commitAt(1), commit: commitAt(2) });
    for (const name of ['report.json', 'iterations.parquet']) rmSync(join(torn, name));
    writeFileSync(join(torn, 'trials.jsonl'), '');
    expect(await scene.once()).toEqual(['0-0', '0-1', '1-2']);
    expect(readdirSync(join(folder, 'outbox'))).toEqual([]);
  });

  it('measures a canary of its host when one is due, also without a branch', async () => {
    const scene = new Scene();
    let newest: string | null = null;
    const openStore = async (): ReturnType<typeof openHistory> => {
      const points = newest === null ? [] : [{ params: { host: hostname() }, startedAt: newest }];
      const others = [{ params: { host: 'another' }, startedAt: new Date(scene.nowMs).toISOString() }];
      return Object.assign(await scene.openStore(), {
        latest: async () => [...others, ...points] as unknown as HistoryPoint[],
      });
    };
    const measure = async (): Promise<string> => {
      newest = new Date(scene.nowMs).toISOString();
      return scene.record({ base: commitAt(0), commit: commitAt(0) });
    };
    const canaries = { branch: null, openStore, canary: { everyMs: 3_600_000, measure } };
    expect(await scene.once(canaries)).toEqual(['canary']);
    scene.nowMs += 3_599_999;
    expect(await scene.once(canaries)).toEqual([]);
    scene.nowMs += 1;
    expect(await scene.once(canaries)).toEqual(['canary']);
  });
});
