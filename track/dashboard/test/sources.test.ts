import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HistoryError, openHistory, type History } from '@deadheat/history';
import { HistorySource } from '../src/source/history-source.ts';
import { ReportShelf } from '../src/source/report-shelf.ts';
import { startServer } from '../src/start-server.ts';
import { put, useFolder } from './support.ts';

function cut(): HistoryError {
  return new HistoryError('NO_CONNECTION', 'the connection was cut');
}

/** A history of which only `revision` and `pull` are asked, as a test says. */
function fake(revision: () => Promise<string>, log: string[]): History {
  const parts: Partial<History> = {
    place: 'here',
    revision,
    pull: async (experiment) => {
      log.push(`pull ${experiment}`);
    },
    close: async () => {
      log.push('close');
    },
  };
  return parts as History;
}

describe('the history behind a dashboard', () => {
  it('is opened again when its connection was lost', async () => {
    const log: string[] = [];
    let opened = 0;
    let isCut = false;
    const source = new HistorySource(async () => {
      opened += 1;
      const number = opened;
      return fake(async () => {
        if (isCut && number === 1) throw cut();
        return `revision of ${number}`;
      }, log);
    });

    function ask(): Promise<string> {
      return source.use((history) => history.revision());
    }

    expect([await ask(), await ask(), opened]).toEqual(['revision of 1', 'revision of 1', 1]);
    isCut = true;
    expect([await ask(), opened, log]).toEqual(['revision of 2', 2, ['close']]);
    await source.close();
    expect(log).toEqual(['close', 'close']);
  });

  it('fails while it cannot be opened, and no longer', async () => {
    let isDown = true;
    const source = new HistorySource(async () => {
      if (isDown) throw cut();
      return fake(async () => 'up', []);
    });

    function ask(): Promise<string> {
      return source.use((history) => history.revision());
    }

    await expect(ask()).rejects.toMatchObject({ code: 'NO_CONNECTION' });
    isDown = false;
    expect(await ask()).toBe('up');
  });

  it('is given up on where it does not answer, and asked one thing after the other', async () => {
    const log: string[] = [];
    let isHanging = true;
    const source = new HistorySource(
      async () => fake(() => (isHanging ? new Promise(() => undefined) : Promise.resolve('answer')), log),
      { mostWaitMs: 50 },
    );
    await expect(source.use((history) => history.revision())).rejects.toMatchObject({
      code: 'NO_CONNECTION',
      message: expect.stringContaining('does not answer') as unknown,
    });
    isHanging = false;
    expect(await source.use((history) => history.revision())).toBe('answer');

    const order: string[] = [];
    await Promise.all(
      ['one', 'two'].map((name) =>
        source.use(async () => {
          order.push(`${name} begins`);
          await Promise.resolve();
          order.push(`${name} ends`);
        }),
      ),
    );
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });
});

describe('a large folder', () => {
  const folder = useFolder();

  it('is read for the first time however long that takes, unless its reader ends that', async () => {
    const slow = { prepare: async () => new Promise<void>((resolve) => void setTimeout(resolve, 200)) };
    const source = new HistorySource(
      async () =>
        Object.assign(
          fake(async () => 'read', []),
          slow,
        ),
      { mostWaitMs: 50 },
    );
    await source.prepare();
    expect(await source.use((history) => history.revision())).toBe('read');

    for (const id of ['one', 'two', 'three']) await put(folder('history'), { id });
    rmSync(folder('history', 'index-2.txt'));
    const ending = new AbortController();
    const options = { forWriting: false, mayLag: true, variables: {}, signal: ending.signal };
    const reading = new HistorySource(() => openHistory(folder('history'), options)).prepare();
    ending.abort();
    await expect(reading).rejects.toThrow('aborted');
  });

  it('is read before a dashboard listens', async () => {
    const log: string[] = [];
    const ending = new AbortController();

    async function prepare(): Promise<void> {
      log.push('prepare');
      ending.abort();
      await new Promise((resolve) => setTimeout(resolve, 20));
      ending.signal.throwIfAborted();
    }

    const options = { fleet: null, renderReport: async () => '', tokens: [], host: '127.0.0.1', port: 0 };
    const starting = startServer({
      ...options,
      openHistory: async () =>
        Object.assign(
          fake(async () => '', log),
          { prepare },
        ),
      signal: ending.signal,
      toolVersion: '0.1.0',
      report: () => undefined,
    });
    await expect(starting).rejects.toThrow('aborted');
    expect(log).toEqual(['prepare', 'close']);
  });
});

describe('pages of experiments', () => {
  it('are made once, one at a time, and again after a failure', async () => {
    const log: string[] = [];
    const source = new HistorySource(async () => fake(async () => '', log));
    let fails = true;
    const shelf = new ReportShelf(source, async (_, name) => {
      log.push(`render ${name}`);
      if (name === 'bad' && fails) throw new Error('torn');
      return `page of ${name}`;
    });
    const [one, again, two] = await Promise.all([shelf.page('one'), shelf.page('one'), shelf.page('two')]);
    expect([one, again, two]).toEqual(['page of one', 'page of one', 'page of two']);
    expect(log).toEqual(['pull one', 'close', 'render one', 'pull two', 'close', 'render two']);
    await expect(shelf.page('bad')).rejects.toThrow('torn');
    fails = false;
    expect(await shelf.page('bad')).toBe('page of bad');
  });
});
