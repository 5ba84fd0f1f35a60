import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sealDocument } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { toBlock } from '../src/files/index-file.ts';
import { PointIndex } from '../src/files/point-index.ts';
import { openHistory, type History } from '../src/index.ts';
import { failureOf, madeUpRecording, useFolder } from './support.ts';

const indexName = 'index-2.txt';

/** Writes a document of a recording anew. */
function change(path: string, how: (text: string) => string): void {
  writeFileSync(path, sealDocument(JSON.parse(how(readFileSync(path, 'utf8'))) as object));
}

describe('an index of points', () => {
  const commits = { A: null, B: null };

  function blockOf(benchmarks: readonly string[], at: number) {
    const [id, startedAt] = [`e${at}`, `2026-03-0${at + 1}T10:00:00.000Z`];
    const stored = { id, project: 'p', startedAt, commits, hostname: 'h', toolVersion: '1', comparisons: 1 };
    const points = benchmarks.map((benchmark) => ({
      ...nameOf(benchmark),
      experiment: id,
      startedAt,
      commits,
      hostname: 'h',
      metric: 'time',
      verdict: 'undecided' as const,
      ratio: { estimate: at, low: 0.5, high: 2, confidence: 0.9 },
      margin: 0,
      minimalDetectableSlowdown: 0.1,
      runs: 9,
      meanNs: { A: 1, B: 2 },
      metrics: [],
    }));
    return toBlock({ folder: id, mark: '1', stored }, points);
  }

  function nameOf(benchmark: string) {
    return { project: 'p', benchmark, params: { of: 'a,{b' }, method: 'tandem' as const };
  }

  it('finds the points of every series, whichever follow each other in a block', () => {
    const long = 'long'.repeat(200);
    const index = new PointIndex();
    index.add([['ä', long], ['ä', 'b'], ['b', long, 'ä'], [long]].map(blockOf));
    const names = ['ä', 'b', long, 'none'].map(nameOf);
    const whole = [...index.pointsOf(names)];
    expect(whole.map((points) => points.map(({ experiment, ratio }) => [experiment, ratio.estimate]))).toEqual(
      [[0, 1, 2], [1, 2], [0, 2, 3], []].map((blocks) => blocks.map((at) => [`e${at}`, at])),
    );
    expect(whole.slice(0, 3).map(([first]) => first)).toMatchObject(names.slice(0, 3));
    // Two that are read at the same time do not share what they hold.
    const [one, other] = [index.pointsOf(names), index.pointsOf(names.toReversed())];
    expect([...one]).toEqual(whole);
    expect([...other]).toEqual(whole.toReversed());
  });
});

describe('a folder of recordings', () => {
  const folder = useFolder();

  function open(): Promise<History> {
    return openHistory(folder.path('.deadheat'), { forWriting: false, variables: {} });
  }

  async function ids(): Promise<readonly string[]> {
    return (await (await open()).list()).map(({ id }) => id);
  }

  function measure(name: string, day: number): Promise<void> {
    return madeUpRecording(folder.path('.deadheat', name), { id: name, startedAt: `2026-03-0${day}T10:00:00.000Z` });
  }

  it('is a history as it is, though nothing was ever put', async () => {
    await measure('one', 1);
    await measure('two', 2);
    expect(await ids()).toEqual(['one', 'two']);
    expect(existsSync(folder.path('.deadheat', indexName))).toBe(true);

    await measure('three', 3);
    rmSync(folder.path('.deadheat', 'one'), { recursive: true });
    expect(await ids()).toEqual(['two', 'three']);
    expect(await (await open()).series({})).toHaveLength(2);
    expect(readFileSync(folder.path('.deadheat', indexName), 'utf8')).not.toContain('"one"');
  });

  it('gives several series that are read together as each of them alone', async () => {
    const place = folder.path('together');
    const options = { forWriting: false, variables: {} };
    for (const [id, day] of [
      ['late', 3],
      ['early', 1],
      ['between', 2],
    ] as const) {
      const startedAt = `2026-03-0${day}T10:00:00.000Z`;
      await madeUpRecording(join(place, id), {
        id,
        startedAt,
        runs: 2,
        ...(id === 'between' ? {} : { iterations: 40 }),
      });
      // Each is added to the index, from which the next one reads those before.
      await (await openHistory(place, options)).list();
    }
    const history = await openHistory(place, options);
    const names = (await history.latest()).map(({ project, benchmark, params, method }) => ({
      project,
      benchmark,
      params,
      method,
    }));
    const absent = { project: 'parser', benchmark: 'none', params: {}, method: 'tandem' } as const;
    const found = [...(await history.seriesOf([...names, absent]))];
    expect(found).toEqual(await Promise.all([...names, absent].map((name) => history.series(name))));
    expect(found.map((points) => points.map(({ experiment }) => experiment))).toEqual([
      ['between'],
      ['early', 'late'],
      ['early', 'late'],
      [],
    ]);
    await history.close();
  });

  it('takes no recording with a link among its files, which could lead to what only this user may read', async () => {
    const secrets = folder.path('secrets');
    mkdirSync(secrets);
    writeFileSync(join(secrets, 'key.jsonl'), 'secret');
    await madeUpRecording(folder.path('artifact'), { id: 'artifact', startedAt: '2026-03-01T10:00:00.000Z' });
    const history = await openHistory(folder.path('.deadheat'), { forWriting: true, variables: {} });

    function pushed(): Promise<unknown> {
      return history.put({ directory: folder.path('artifact') });
    }

    rmSync(folder.path('artifact', 'iterations'), { recursive: true, force: true });
    symlinkSync(secrets, folder.path('artifact', 'iterations'));
    expect(await failureOf(pushed)).toMatchObject({
      code: 'NOT_READABLE',
      message: expect.stringContaining('is a link'),
    });
    rmSync(folder.path('artifact', 'iterations'));
    mkdirSync(folder.path('artifact', 'iterations'));
    symlinkSync(join(secrets, 'key.jsonl'), folder.path('artifact', 'iterations', '000000-A.jsonl'));
    expect(await failureOf(pushed)).toMatchObject({ code: 'NOT_READABLE' });
    rmSync(folder.path('artifact', 'iterations'), { recursive: true });
    expect(await pushed()).toBe('added');
    expect(readdirSync(folder.path('.deadheat'), { recursive: true }).join()).not.toContain('key');
  });

  it('goes on beside a recording with a pipe in the place of a file', async () => {
    await measure('one', 1);
    await measure('two', 2);
    rmSync(folder.path('.deadheat', 'two', 'report.json'));
    execFileSync('mkfifo', [folder.path('.deadheat', 'two', 'report.json')]);
    expect(await ids()).toEqual(['one']);
  });

  it('lists a recording anew whose report was made anew, and leaves out what is not finished', async () => {
    await measure('one', 1);
    const report = folder.path('.deadheat', 'one', 'report.json');

    async function margin(): Promise<number | undefined> {
      return (await (await open()).series({}))[0]?.margin;
    }

    expect(await margin()).toBe(0);
    change(report, (text) => text.replaceAll('"margin": 0,', '"margin": 0.125,'));
    expect(await margin()).toBe(0.125);
    expect(await margin()).toBe(0.125);
    change(report, (text) => text.replace('"complete": true', '"complete": false'));
    expect(await ids()).toEqual([]);
  });

  it('tells of every change to those who keep it open', async () => {
    await measure('one', 1);
    const history = await open();

    async function seen(): Promise<readonly string[]> {
      return (await history.latest()).map(({ experiment }) => experiment);
    }

    const first = await history.revision();
    expect(await seen()).toEqual(['one']);
    await measure('two', 2);
    expect(await history.revision()).not.toBe(first);
    expect(await seen()).toEqual(['two']);
    const report = folder.path('.deadheat', 'two', 'report.json');
    change(report, (text) => text.replaceAll('"margin": 0,', '"margin": 0.125,'));
    expect((await history.latest())[0]?.margin).toBe(0.125);
    rmSync(folder.path('.deadheat', 'two'), { recursive: true });
    expect(await history.revision()).toBe(first);
    expect(await seen()).toEqual(['one']);
  });

  it('shows what was there at the last look at its revision, to those who ask for that', async () => {
    await measure('one', 1);
    const history = await openHistory(folder.path('.deadheat'), { forWriting: false, variables: {}, mayLag: true });

    async function seen(): Promise<readonly number[]> {
      const lists = await Promise.all([history.list(), history.latest(), history.series({})]);
      return lists.map((list) => list.length);
    }

    const first = await history.revision();
    await measure('two', 2);
    expect(await seen()).toEqual([1, 1, 1]);
    expect(await history.report('two')).toContain('comparisons');
    expect(await history.revision()).not.toBe(first);
    expect(await seen()).toEqual([2, 1, 2]);
    await history.close();
  });

  it('holds a copy of a recording once', async () => {
    await measure('one', 1);
    cpSync(folder.path('.deadheat', 'one'), folder.path('.deadheat', 'copy'), { recursive: true });
    expect(await ids()).toEqual(['one']);
    expect(await (await open()).series({})).toHaveLength(1);
  });

  it('loses the recordings that began before a time when it is pruned, and no other folder', async () => {
    for (const [name, day] of [
      ['old', 1],
      ['new', 5],
    ] as const)
      await measure(name, day);
    mkdirSync(folder.path('.deadheat', 'kept'));
    const history = await openHistory(folder.path('.deadheat'), { forWriting: true, variables: {} });
    const before = '2026-03-05T10:00:00.000Z';

    async function pruned(dryRun: boolean): Promise<readonly string[]> {
      return (await history.prune(before, { dryRun })).map(({ id }) => id);
    }

    expect(await pruned(true)).toEqual(['old']);
    expect(await ids()).toEqual(['old', 'new']);
    expect(await pruned(false)).toEqual(['old']);
    expect(await ids()).toEqual(['new']);
    expect(existsSync(folder.path('.deadheat', 'old'))).toBe(false);
    expect(existsSync(folder.path('.deadheat', 'kept'))).toBe(true);
    expect((await history.latest()).map(({ experiment }) => experiment)).toEqual(['new']);
    expect(await pruned(false)).toEqual([]);
    await measure('old', 1);
    expect(await ids()).toEqual(['old', 'new']);
    await history.close();
  });

  it('mends its index, whatever was done to it', async () => {
    for (const [name, day] of [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ] as const)
      await measure(name, day);
    const index = folder.path('.deadheat', indexName);
    const before = await (await open()).series({});
    expect(before).toHaveLength(3);
    const whole = readFileSync(index);
    const damages: readonly ((bytes: Buffer) => Buffer)[] = [
      () => Buffer.alloc(0),
      () => Buffer.from('no index at all\n#\n'),
      (bytes) => bytes.subarray(0, bytes.length - 40),
      (bytes) => bytes.subarray(25),
      (bytes) => Buffer.concat([bytes, bytes.subarray(0, 100)]),
      // a digit of a number, which leaves every line well-formed
      (bytes) => Buffer.from(bytes.toString('latin1').replace(/(\d)\.(\d)/, '$1.9'), 'latin1'),
      (bytes) => Buffer.concat([bytes, bytes]),
    ];
    for (const damage of damages) {
      writeFileSync(index, damage(whole));
      expect(await (await open()).series({}), String(damage)).toEqual(before);
      expect(await ids()).toEqual(['one', 'two', 'three']);
    }
    rmSync(index);
    expect(await (await open()).series({})).toEqual(before);
    expect(readFileSync(index)).toHaveLength(whole.length);
  });

  it('is read where it may not be written', async () => {
    await measure('one', 1);
    mkdirSync(folder.path('.deadheat', indexName));
    expect(await ids()).toEqual(['one']);
  });

  it('writes nothing where it only looks', async () => {
    expect(await failureOf(open)).toMatchObject({ code: 'NOT_FOUND' });
    expect(existsSync(folder.path('.deadheat'))).toBe(false);
  });

  it('says that a file stands in its place', async () => {
    writeFileSync(folder.path('file'), '');

    function to(place: string): Promise<History> {
      return openHistory(place, { forWriting: true, variables: {} });
    }

    expect(await failureOf(() => to(folder.path('file', 'below')))).toMatchObject({ code: 'BAD_URL' });
    expect(await failureOf(() => to(folder.path('file')))).toMatchObject({ code: 'BAD_URL' });
  });

  async function fillAndTryAgain(disk: string): Promise<void> {
    const large = folder.path('large');
    await madeUpRecording(large, { id: 'large', startedAt: '2026-03-01T10:00:00.000Z', runs: 2, iterations: 2000 });
    const history = await openHistory(join(disk, 'history'), { forWriting: true, variables: {} });
    const failure = await failureOf(() => history.put({ directory: large }));
    expect(failure).toMatchObject({ code: 'DISK_FULL' });
    expect(failure.message).toContain('disk is full');
    expect(readdirSync(join(disk, 'history')).filter((name) => name !== indexName)).toEqual([]);
    expect(await history.list()).toEqual([]);

    const small = folder.path('small');
    await madeUpRecording(small, { id: 'small', startedAt: '2026-03-01T10:00:00.000Z' });
    expect(await history.put({ directory: small })).toBe('added');
  }

  it('leaves nothing half written on a full disk', async (context) => {
    const disk = folder.path('disk');
    mkdirSync(disk, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return context.skip('a small file system cannot be mounted here');
    }
    try {
      await fillAndTryAgain(disk);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('says that a disk is full which can hold no folder more', async (context) => {
    const directory = folder.path('made');
    await madeUpRecording(directory, { id: 'abc', startedAt: '2026-03-01T10:00:00.000Z' });
    const disk = folder.path('disk');
    mkdirSync(disk, { recursive: true });
    // The root of the file system is one of them, the history's folder and the one that becomes the recording two more.
    for (const inodes of [1, 2, 3, 4]) {
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `nr_inodes=${inodes}`, 'tmpfs', disk], { stdio: 'ignore' });
      } catch {
        return context.skip('a small file system cannot be mounted here');
      }
      try {
        const place = join(disk, 'history');
        const failure = await failureOf(async () =>
          (await openHistory(place, { forWriting: true, variables: {} })).put({ directory }),
        );
        expect(failure, `${inodes} inodes`).toMatchObject({ code: 'DISK_FULL' });
      } finally {
        execFileSync('umount', [disk]);
      }
    }
  });

  it('keeps what stands in the way of a recording', async () => {
    const directory = folder.path('made');
    await madeUpRecording(directory, { id: 'abc', startedAt: '2026-03-01T10:00:00.000Z' });
    const obstacle = folder.path('.deadheat', '20260301T100000Z-abc');
    mkdirSync(obstacle, { recursive: true });
    appendFileSync(join(obstacle, 'precious'), 'x');
    chmodSync(join(obstacle, 'precious'), 0o600);
    const history = await open();
    expect(await failureOf(() => history.put({ directory }))).toMatchObject({ code: 'STORE_FAILED' });
    expect(readdirSync(folder.path('.deadheat')).filter((name) => name !== indexName)).toEqual([
      '20260301T100000Z-abc',
    ]);
    expect(readdirSync(obstacle)).toEqual(['precious']);
  });
});
