import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyseRecorded } from '@deadheat/engine';
import type { CommitRef } from '@deadheat/model';
import { readRecording, sealDocument } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../../core/recording/test/read-rows.ts';
import type { ChangeTriage, History, HistoryNote } from '../src/history.ts';
import { openHistory } from '../src/open-history.ts';
import { countVerdicts } from '../src/points.ts';
import { recordingFolderName } from '../src/recording/read-folder.ts';
import { explanation } from '../../../core/report/test/support-explanation.ts';
import { failureOf, madeUpRecording, noPostgres, useFolder, useServer } from './support.ts';

function commit(id: string, day: number): CommitRef {
  return {
    id: id.repeat(40).slice(0, 40),
    label: id,
    committedAt: `2026-03-${String(day).padStart(2, '0')}T12:00:00+02:00`,
  };
}

/** Where the histories of a test lie. */
interface Place {
  /** Another history each time. */
  readonly create: () => string;
}

/** Adds to the first comparison of a report. */
function addMetrics(directory: string, added: object): void {
  const path = join(directory, 'report.json');
  const report = JSON.parse(readFileSync(path, 'utf8')) as { comparisons: { sides: Record<'A' | 'B', object> }[] };
  const [comparison] = report.comparisons;
  if (comparison === undefined) throw new TypeError('no comparison');
  const { A, B } = comparison.sides;
  const sides = { A: { ...A, maxRssBytes: 8192 }, B: { ...B, maxRssBytes: 8192 } };
  writeFileSync(path, sealDocument({ ...report, comparisons: [{ ...comparison, ...added, sides }] }));
}

/** What both ways to keep recordings must do. */
function holds(place: Place, folder: ReturnType<typeof useFolder>): void {
  function open(at: string, forWriting = true): Promise<History> {
    return openHistory(at, { forWriting, variables: process.env });
  }

  async function recorded(name: string, options: Parameters<typeof madeUpRecording>[1]): Promise<string> {
    const directory = folder.path(name);
    await madeUpRecording(directory, options);
    return directory;
  }

  it('keeps what a commit says of itself, and nothing of one that does not say it', async () => {
    const directory = await recorded('said', { id: 'said', startedAt: '2026-02-26T10:00:00.000Z' });
    const history = await open(place.create());
    const [A, said] = [{ ...commit('v1', 1) }, { subject: "Drop the cache; --' \\ ü", author: '<b>Ada</b>' }];
    const commits = { A, B: { ...commit('c1', 2), ...said } };
    await history.put({ directory, commits });
    expect(await history.list()).toMatchObject([{ commits }]);
    const points = await history.series({});
    expect(points[0]?.commits).toEqual(commits);
    expect((await history.latest())[0]?.commits).toEqual(commits);
    await history.close();
  });

  it('keeps the functions behind a difference where a recording has them, and refuses a file of them that is damaged', async () => {
    const history = await open(place.create());
    const explained = await recorded('explained', { id: 'explained', startedAt: '2026-02-26T11:00:00.000Z' });
    const text = JSON.stringify(explanation);
    writeFileSync(join(explained, 'explanation.json'), text);
    await history.put({ directory: explained });
    await history.put({ directory: await recorded('plain', { id: 'plain', startedAt: '2026-02-26T12:00:00.000Z' }) });
    expect(await history.explanation('explained')).toBe(text);
    expect(await history.explanation('plain')).toBeNull();
    await history.pull('explained', folder.path('explained-pulled'));
    expect(readFileSync(folder.path('explained-pulled', 'explanation.json'), 'utf8')).toBe(text);
    const damaged = await recorded('damaged', { id: 'damaged', startedAt: '2026-02-26T13:00:00.000Z' });
    writeFileSync(join(damaged, 'explanation.json'), text.slice(0, -9));
    await expect(history.put({ directory: damaged })).rejects.toThrow(/explanation\.json/);
    await history.close();
  });

  it('makes no path of an id, neither where it is put nor where it is pulled', async () => {
    const id = '../../outside/a';
    const directory = await recorded('named', { id, startedAt: '2026-02-27T10:00:00.000Z' });
    const history = await open(place.create());
    expect(await history.put({ directory })).toBe('added');
    expect(await history.list()).toMatchObject([{ id }]);
    const [stored] = await history.list();
    expect(stored === undefined ? '' : recordingFolderName(stored)).toBe('20260227T100000Z-.._.._outside_a');
    expect(existsSync(folder.path('outside'))).toBe(false);
    await history.pull(id, folder.path('pulled'));
    expect((await readRecording(folder.path('pulled'))).experiment.id).toBe(id);
    await history.close();
  });

  it('lists what was put, in the order of time, and once however often it was put', async () => {
    const late = await recorded('late', { id: 'b1', startedAt: '2026-03-05T10:00:00.123Z', hostname: 'one' });
    const early = await recorded('early', { id: 'a1', startedAt: '2026-02-27T10:00:00.000Z' });
    const at = place.create();
    const history = await open(at);
    expect(await history.put({ directory: late })).toBe('added');
    expect(await history.put({ directory: early, project: 'other' })).toBe('added');
    expect(await history.put({ directory: late })).toBe('present');
    await history.close();

    const again = await open(at, false);
    expect(await again.list()).toEqual([
      {
        id: 'a1',
        project: 'other',
        startedAt: '2026-02-27T10:00:00.000Z',
        commits: { A: null, B: null },
        hostname: 'bench',
        toolVersion: '0.1.0',
        comparisons: 1,
      },
      expect.objectContaining({ id: 'b1', project: 'parser', startedAt: '2026-03-05T10:00:00.123Z', hostname: 'one' }),
    ]);
    expect(await again.series({})).toHaveLength(2);
    await again.close();
  });

  it('keeps what the report says of a benchmark', async () => {
    const directory = await recorded('one', { id: 'a1', startedAt: '2026-03-01T10:00:00.000Z', slowdown: 1.1 });
    const [comparison] = (await analyseRecorded(directory)).comparisons;
    const history = await open(place.create());
    await history.put({ directory });
    const [point, ...more] = await history.latest();
    expect(more).toEqual([]);
    expect(point).toEqual({
      project: 'parser',
      benchmark: 'parse',
      params: { size: '5' },
      method: 'sync-duet',
      experiment: 'a1',
      startedAt: '2026-03-01T10:00:00.000Z',
      commits: { A: null, B: null },
      hostname: 'bench',
      metric: comparison?.metric,
      ratio: expect.objectContaining({
        estimate: comparison?.interval.estimate,
        low: comparison?.interval.low,
        high: comparison?.interval.high,
        confidence: 0.99,
      }) as unknown,
      verdict: 'slower',
      margin: 0,
      minimalDetectableSlowdown: comparison?.minimalDetectableSlowdown,
      runs: 8,
      meanNs: { A: (comparison?.sides.A.mean ?? 0) * 1e9, B: (comparison?.sides.B.mean ?? 0) * 1e9 },
    });
    await history.close();
  });

  it('keeps every metric of a report as a series of its own', async () => {
    const directory = await recorded('one', { id: 'a1', startedAt: '2026-03-01T10:00:00.000Z', method: 'tandem' });
    const later = await recorded('two', { id: 'a2', startedAt: '2026-03-02T10:00:00.000Z', method: 'tandem' });
    const ends = { estimate: 1.25, low: 1.2, high: 1.3 };
    const ratio = { ...ends, confidence: 0.99 };
    const interval = { ...ends, level: 0.99, kind: 't', replicates: 0 };
    addMetrics(directory, {
      otherMetrics: [
        { metric: 'time', interval, fixedInterval: null, verdict: 'undecided' },
        { metric: 'rss', interval, fixedInterval: null, verdict: 'slower' },
      ],
      resources: [{ metric: 'rss', A: 4096, B: 5120 }],
      quantities: [
        {
          name: 'allocs/op',
          unit: 'allocs/op',
          A: { mean: 0, samples: 3 },
          B: { mean: 2, samples: 3 },
          ratio: null,
          verdict: 'more',
        },
        {
          name: 'rss',
          unit: 'pages',
          A: { mean: 1, samples: 3 },
          B: { mean: 1, samples: 3 },
          ratio: null,
          verdict: 'same',
        },
      ],
    });
    const history = await open(place.create());
    await history.put({ directory });
    await history.put({ directory: later });
    expect(await history.metrics({ benchmark: 'parse' })).toEqual([
      { name: 'allocs/op', unit: 'allocs/op' },
      { name: 'cpu', unit: 'ns' },
      { name: 'max-rss', unit: 'bytes' },
      { name: 'rss', unit: 'bytes' },
      { name: 'time', unit: 'ns' },
    ]);
    expect(await history.metrics({ benchmark: 'absent' })).toEqual([]);
    const [decided] = await history.series({ experiments: ['a1'] });
    expect(await history.series({ benchmark: 'parse', metric: 'rss' })).toEqual([
      { ...decided, metric: 'rss', ratio, verdict: 'slower', measured: { unit: 'bytes', mean: { A: 4096, B: 5120 } } },
    ]);
    expect(await history.latest({ metric: 'allocs/op' })).toMatchObject([
      {
        metric: 'allocs/op',
        verdict: 'slower',
        ratio: { low: 0, high: Number.MAX_VALUE },
        measured: { unit: 'allocs/op', mean: { A: 0, B: 2 } },
      },
    ]);
    // The wall time of a tandem is that of both sides together: there is a ratio, and no mean of one.
    expect(await history.series({ metric: 'time', experiments: ['a1'] })).toMatchObject([
      { ratio, measured: { unit: 'ns', mean: null } },
    ]);
    // What decides is a metric as the others.
    const cpu = await history.series({ metric: 'cpu' });
    expect(cpu.map(({ experiment, measured, meanNs }) => [experiment, measured?.mean === meanNs])).toEqual([
      ['a1', true],
      ['a2', true],
    ]);
    expect(await history.series({ metric: 'no such' })).toEqual([]);
    await history.close();
  });

  it('lists what did not change as it was, and sees what was put and removed by others', async () => {
    const at = place.create();
    const [history, other] = [await open(at), await open(at)];
    for (const day of [3, 1, 2]) {
      const id = `d${day}`;
      const directory = await recorded(id, { id, startedAt: `2026-03-0${day}T10:00:00.000Z` });
      await other.put({ directory });
      expect((await history.list()).map((one) => one.id)).toContain(id);
    }
    const before = await history.list();
    expect(before.map(({ id }) => id)).toEqual(['d1', 'd2', 'd3']);
    await other.prune('2026-03-02T00:00:00.000Z', { dryRun: false });
    await other.put({ directory: await recorded('d4', { id: 'd4', startedAt: '2026-03-04T10:00:00.000Z' }) });
    expect((await history.list()).map(({ id }) => id)).toEqual(['d2', 'd3', 'd4']);
    const present = await history.list();
    await other.put({ directory: await recorded('d5', { id: 'd5', startedAt: '2026-03-05T10:00:00.000Z' }) });
    const now = await history.list();
    expect(now.slice(0, 3).every((one, index) => one === present[index])).toBe(true);
    expect(now.map(({ id }) => id)).toEqual(['d2', 'd3', 'd4', 'd5']);
    await Promise.all([history.close(), other.close()]);
  });

  it('orders a series by the commits, however late they were measured', async () => {
    const history = await open(place.create());
    const commits = { A: commit('a', 1), B: commit('c', 3) };
    const made = [
      await recorded('third', { id: 'x3', startedAt: '2026-04-01T10:00:00.000Z', commits }),
      await recorded('second', { id: 'x2', startedAt: '2026-04-02T10:00:00.000Z' }),
    ];
    await history.put({ directory: made[0] ?? '' });
    await history.put({ directory: made[1] ?? '', commits: { A: commit('a', 1), B: commit('b', 2) } });
    const series = await history.series({ benchmark: 'parse' });
    expect(series.map(({ experiment, commits: { B } }) => [experiment, B?.label])).toEqual([
      ['x2', 'b'],
      ['x3', 'c'],
    ]);
    expect((await history.latest()).map(({ experiment }) => experiment)).toEqual(['x3']);
    await history.close();
  });

  it('gives only what is asked for', async () => {
    const history = await open(place.create());
    const directory = await recorded('one', {
      id: 'a1',
      startedAt: '2026-03-01T10:00:00.000Z',
      runs: 2,
      iterations: 40,
    });
    await history.put({ directory });

    async function names(filter: Parameters<History['series']>[0]): Promise<readonly string[]> {
      return (await history.series(filter)).map(({ benchmark, params }) => `${benchmark} ${params['size'] ?? ''}`);
    }

    expect(await names({ benchmark: 'scan' })).toEqual(['scan 1', 'scan 2']);
    expect(await names({ benchmark: 'scan', params: { size: '2' } })).toEqual(['scan 2']);
    expect(await names({ method: 'sequential' })).toEqual([]);
    expect(await names({ project: 'parser', method: 'sync-duet' })).toEqual(['scan 1', 'scan 2']);
    expect(await names({ project: 'another' })).toEqual([]);
    const [one, two] = await history.series({ benchmark: 'scan' });
    if (one === undefined || two === undefined) throw new TypeError('a series is missing');
    expect([...(await history.seriesOf([two, one]))]).toEqual([[two], [one]]);
    expect(await names({ benchmark: "'; drop schema deadheat cascade; --" })).toEqual([]);
    await history.close();
  });

  it('tells when it holds something else, and gives what it holds of one experiment', async () => {
    const at = place.create();
    const [writer, reader] = [await open(at), await open(at)];
    const revisions = [await reader.revision()];
    const one = await recorded('one', {
      id: 'a1',
      startedAt: '2026-03-01T10:00:00.000Z',
      commits: { A: null, B: commit('c', 3) },
    });
    const two = await recorded('two', { id: 'a2', startedAt: '2026-03-02T10:00:00.000Z', runs: 2, iterations: 40 });
    for (const directory of [one, two]) {
      await writer.put({ directory });
      revisions.push(await reader.revision());
      expect(await reader.revision()).toBe(revisions.at(-1));
      expect(await reader.latest()).toEqual(await writer.latest());
    }
    await writer.put({ directory: two });
    expect(await reader.revision()).toBe(revisions.at(-1));
    expect(new Set(revisions).size).toBe(3);

    const names = (await reader.series({ experiments: ['a2'] })).map(({ experiment, params }) => [
      experiment,
      params['size'],
    ]);
    expect(names).toEqual([
      ['a2', '1'],
      ['a2', '2'],
    ]);
    expect(await reader.series({ experiments: ['a2'], benchmark: 'parse' })).toEqual([]);
    expect((await reader.latest({ experiments: ['a1'] })).map(({ benchmark }) => benchmark)).toEqual(['parse']);
    expect(await reader.series({ experiments: ['a2', 'a1', 'zz'] })).toHaveLength(3);
    expect(await reader.series({ experiments: [] })).toEqual([]);
    const verdicts = await reader.verdicts(['a2', 'a1', 'zz']);
    expect([...verdicts.keys()].toSorted()).toEqual(['a1', 'a2']);
    for (const experiment of ['a1', 'a2']) {
      expect(verdicts.get(experiment)).toEqual(countVerdicts(await reader.series({ experiments: [experiment] })));
    }
    expect(await reader.verdicts([])).toEqual(new Map());
    expect(await reader.report('a1')).toBe(readFileSync(join(one, 'report.json'), 'utf8'));
    expect(await failureOf(() => reader.report('zz'))).toMatchObject({ code: 'NOT_FOUND' });
    await writer.close();
    await reader.close();
  });

  it('keeps decisions about changes in their order, apart from the recordings', async () => {
    const at = place.create();
    const [writer, reader] = [await open(at), await open(at)];
    expect(await reader.triage()).toEqual([]);
    const entry: ChangeTriage = {
      project: 'parser',
      benchmark: 'a "quoted" name',
      params: { size: '5', kind: 'x' },
      method: 'tandem',
      experiment: 'a1',
      direction: 'slower',
      state: 'ticket',
      ticket: 'https://example.org/1',
      note: 'line one\nline two',
      by: 'Ann',
      at: '2026-03-01T10:00:00.000Z',
    };
    const later: ChangeTriage = { ...entry, state: 'expected', ticket: null, note: '', at: '2026-02-01T10:00:00.500Z' };
    const revision = await reader.revision();
    await writer.addTriage(entry);
    await writer.addTriage(later);
    expect(await reader.triage()).toEqual([entry, later]);
    expect(await reader.revision()).toBe(revision);
    await writer.close();
    await reader.close();
  });

  it('keeps notes by topic, in one order for all who add them at the same time', async () => {
    const at = place.create();
    const writers = [await open(at), await open(at), await open(at)];

    function note(content: unknown): HistoryNote {
      return { at: '2026-03-01T10:00:00.000Z', content };
    }

    expect(await writers[0]?.notes('watch')).toEqual([]);
    const seen = await Promise.all(
      writers.map(async (history, writer) => {
        for (let number = 0; number < 5; number += 1) await history.addNote('watch', note({ writer, number }));
        return history.notes('watch');
      }),
    );
    const all = (await writers[0]?.notes('watch')) ?? [];
    expect(all).toHaveLength(15);
    // What each saw is how the whole begins.
    for (const one of seen) expect(one).toEqual(all.slice(0, one.length));
    await writers[1]?.addNote('alerts', note('text "quoted"\nand \u0000'));
    expect(await writers[2]?.notes('alerts')).toEqual([note('text "quoted"\nand \u0000')]);
    expect(await writers[2]?.list()).toEqual([]);
    await expect(writers[0]?.notes('../x')).rejects.toThrow(RangeError);
    for (const history of writers) await history.close();
  });

  it('gives a lease to one of all who ask at the same time, until it is given back or over', async () => {
    const at = place.create();
    const askers = [await open(at), await open(at), await open(at)];
    const [first] = askers as [History];

    function lease(holder: string, ms: number, renews = false): Promise<boolean> {
      return first.lease({ name: 'a', holder, ms, renews });
    }

    const asked = await Promise.all(
      askers.map((history, index) => history.lease({ name: 'a', holder: `h${index}`, ms: 60_000, renews: false })),
    );
    expect(asked.filter((holds) => holds)).toHaveLength(1);
    const holder = `h${asked.indexOf(true)}`;
    expect(await first.leases()).toEqual(new Map([['a', holder]]));
    expect([await lease(holder, 60_000), await lease('other', 60_000), await lease('other', 0, true)]).toEqual([
      true,
      false,
      false,
    ]);
    await lease(holder, 0, true);
    expect(await first.leases()).toEqual(new Map());
    // It may be renewed after its end, but not once another one had it.
    expect([await lease(holder, 60_000, true), await lease(holder, 0, true)]).toEqual([true, true]);
    expect([await lease('other', 60_000), await lease('other', 0, true)]).toEqual([true, true]);
    expect(await lease(holder, 60_000, true)).toBe(false);
    expect(await first.leases()).toEqual(new Map());
    for (const history of askers) await history.close();
  });

  it('keeps pilot runs in the journal, and counts them nowhere', async () => {
    const options = {
      id: 'a1',
      startedAt: '2026-03-01T10:00:00.000Z',
      method: 'tandem',
      pilotRuns: 3,
      runs: 4,
    } as const;
    const directory = await recorded('one', { ...options, slowdown: 1.1 });
    const history = await open(place.create());
    await history.put({ directory });
    const [point, ...others] = await history.series({});
    expect(others).toEqual([]);
    expect(point).toMatchObject({ method: 'tandem', metric: 'cpu', runs: 4 });
    // In the pilot runs B took ten times as long.
    expect(point?.ratio.estimate).toBeCloseTo(1.1, 1);
    const pulled = folder.path('pulled');
    await history.pull('a1', pulled);
    const { experiment, trials } = await readRecording(pulled);
    expect(trials.map(({ phase }) => phase).join(' ')).toBe('pilot pilot pilot measure measure measure measure');
    expect(experiment.config.benchmarks[0]?.chosen).toMatchObject({ method: 'tandem' });
    expect((await analyseRecorded(pulled)).comparisons[0]).toMatchObject({ method: 'tandem', runs: 4 });
    await history.close();
  });

  it('gives a recording back that says the same', async () => {
    const directory = await recorded('one', {
      id: 'a1',
      startedAt: '2026-03-01T10:00:00.000Z',
      runs: 2,
      iterations: 60,
    });
    const history = await open(place.create());
    await history.put({ directory, commits: { B: commit('b', 2) }, project: 'nightly' });
    const pulled = folder.path('pulled');
    await history.pull('a1', pulled);
    for (const file of [
      'trials.jsonl',
      'iterations/0-A.jsonl',
      'iterations/1-B.jsonl',
      'iterations.parquet',
      'report.json',
    ]) {
      expect(readFileSync(join(pulled, file)).equals(readFileSync(join(directory, file))), file).toBe(true);
    }
    const { experiment } = await readRecording(pulled);
    expect(experiment).toEqual({
      ...(await readRecording(directory)).experiment,
      project: 'nightly',
      commits: { A: null, B: commit('b', 2) },
    });
    expect((await analyseRecorded(pulled)).comparisons).toEqual((await analyseRecorded(directory)).comparisons);

    // and it says so wherever it is put next
    const next = await open(place.create());
    await next.put({ directory: pulled });
    expect(await next.list()).toEqual(await history.list());
    expect(await failureOf(() => history.pull('a1', pulled))).toMatchObject({ code: 'DIRECTORY_NOT_EMPTY' });
    expect(await failureOf(() => history.pull('zz', folder.path('none')))).toMatchObject({ code: 'NOT_FOUND' });
    await next.close();
    await history.close();
  });

  it('is put once by two that put the same at the same time, and loses nothing of others', async () => {
    const same = await recorded('same', { id: 's', startedAt: '2026-03-01T10:00:00.000Z', runs: 2, iterations: 500 });
    const others = await Promise.all(
      [1, 2].map((number) =>
        recorded(`other${number}`, { id: `o${number}`, startedAt: `2026-05-0${number}T10:00:00.000Z` }),
      ),
    );
    const at = place.create();
    const [one, two] = [await open(at), await open(at)];
    const outcomes = await Promise.all([
      one.put({ directory: same }).then(async (outcome) => [outcome, await one.put({ directory: others[0] ?? '' })]),
      two.put({ directory: same }).then(async (outcome) => [outcome, await two.put({ directory: others[1] ?? '' })]),
    ]);
    expect(outcomes.map(([first]) => first).toSorted()).toEqual(['added', 'present']);
    expect(outcomes.map(([, second]) => second)).toEqual(['added', 'added']);
    expect((await one.list()).map(({ id }) => id)).toEqual(['s', 'o1', 'o2']);
    expect(await two.series({ benchmark: 'scan' })).toHaveLength(2);
    await one.close();
    await two.close();
  });

  it('refuses what is not finished or does not fit together, and stores nothing of it', async () => {
    const history = await open(place.create());
    const directory = await recorded('one', { id: 'a1', startedAt: '2026-03-01T10:00:00.000Z' });

    function refused(): ReturnType<typeof failureOf> {
      return failureOf(() => history.put({ directory }));
    }

    expect(await failureOf(() => history.put({ directory: folder.path('nowhere') }))).toMatchObject({
      code: 'NOT_FOUND',
    });

    writeFileSync(join(directory, 'lock'), 'x');
    expect(await refused()).toMatchObject({ code: 'RECORDING_IN_USE' });
    rmSync(join(directory, 'lock'));

    const report = readFileSync(join(directory, 'report.json'), 'utf8');
    const unfinished = JSON.parse(report.replace('"complete": true', '"complete": false')) as object;
    writeFileSync(join(directory, 'report.json'), sealDocument(unfinished));
    expect(await refused()).toMatchObject({
      code: 'INCOMPLETE_RECORDING',
      message: expect.stringContaining('--resume') as unknown,
    });
    writeFileSync(join(directory, 'report.json'), report.slice(0, 200));
    expect(await refused()).toMatchObject({ code: 'MALFORMED' });
    writeFileSync(join(directory, 'report.json'), report);

    const table = readFileSync(join(directory, 'iterations.parquet'));
    writeFileSync(join(directory, 'iterations.parquet'), table.subarray(0, table.length / 2));
    expect(await refused()).toMatchObject({
      code: 'MALFORMED',
      message: expect.stringContaining('iterations.parquet') as unknown,
    });
    writeFileSync(join(directory, 'iterations.parquet'), table);

    const journal = readFileSync(join(directory, 'trials.jsonl'), 'utf8');
    writeFileSync(join(directory, 'trials.jsonl'), journal.split('\n').slice(1).join('\n'));
    expect(await refused()).toMatchObject({ code: 'JOURNAL_DAMAGED' });
    expect(await history.list()).toEqual([]);
    expect(await history.series({})).toEqual([]);

    writeFileSync(join(directory, 'trials.jsonl'), `${journal}{"torn`);
    expect(await history.put({ directory })).toBe('added');
    await history.close();
  });
}

describe('a history in files', () => {
  const folder = useFolder();
  let made = 0;
  holds({ create: () => folder.path(`history-${(made += 1)}`) }, folder);
});

describe.skipIf(noPostgres !== null)('a history in PostgreSQL', () => {
  const folder = useFolder();
  const server = useServer();
  holds({ create: () => server.get().url('postgres', server.newDatabase()) }, folder);

  it('holds every iteration, with what was not measured', async () => {
    const directory = folder.path('iterations');
    await madeUpRecording(directory, { id: 'a1', startedAt: '2026-03-01T10:00:00.000Z', runs: 2, iterations: 60 });
    const database = server.newDatabase();
    const history = await openHistory(server.get().url('postgres', database), {
      forWriting: true,
      variables: process.env,
    });
    await history.put({ directory });
    await history.close();
    const held = server.get().sql(
      `select json_agg(json_build_array(run, side, first_iteration + k - 1, is_warmup, start_ns[k], duration_ns[k],
        coalesce(invocations[k], 1), nullif(cpu_ns[k], 'NaN'), nullif(metric_values[k], 'NaN'))
        order by position, k) from deadheat.iterations, generate_subscripts(start_ns, 1) k`,
      database,
    );
    const rows = await readRows(join(directory, 'iterations.parquet'));
    expect(rows.some(({ phase }) => phase === 'warmup')).toBe(true);
    expect(JSON.parse(held)).toEqual(
      rows.map(({ iteration: k, startNs, durationNs: ns, invocations: n, cpuNs, metrics, ...row }) => [
        row.run,
        row.side,
        k,
        row.phase === 'warmup',
        startNs,
        ns,
        n,
        cpuNs ?? null,
        metrics['misses'] ?? null,
      ]),
    );
  });
});
