import type { History } from '@deadheat/history';
import { describe, expect, it } from 'vitest';
import { ServerError } from '../src/errors.ts';
import { Catalog } from '../src/source/catalog.ts';
import { ChangeSearch } from '../src/source/change-search.ts';
import { quotient } from '../src/source/commit-comparison.ts';
import { HistorySource } from '../src/source/history-source.ts';
import { rangeUrl, readRepository } from '../src/source/repositories.ts';
import { TriageView } from '../src/source/triage-shelf.ts';
import { commit, MemoryHistory } from './support.ts';

function noise(at: number): number {
  return 1 + 0.001 * Math.sin(7 * at);
}

function searchOf(history: MemoryHistory) {
  const source = new HistorySource(async () => history as unknown as History);
  const errors: unknown[] = [];
  const [catalog, search] = [new Catalog(source), new ChangeSearch(source, (error) => errors.push(error))];
  return { catalog, search, errors, now: async () => search.of(await catalog.now()) };
}

describe('the catalog', () => {
  it('reads after a push only what was pushed, and everything where a recording changed', async () => {
    const history = new MemoryHistory();
    history.add(1, { one: 1, two: 1 });
    const { catalog } = searchOf(history);
    await catalog.now();
    // A commit before that of the newest comparison moves nothing; a new series takes its place.
    history.add(3, { one: 1.3 });
    history.add(2, { one: 1.2, between: 1 });
    const { latest } = await catalog.now();
    expect(latest.map(({ benchmark, experiment }) => [benchmark, experiment])).toEqual([
      ['between', 'e2'],
      ['one', 'e3'],
      ['two', 'e1'],
    ]);
    expect(history.latestReads).toBe(1);
    history.add(3, { two: 1 });
    expect((await catalog.now()).latest.map(({ experiment }) => experiment)).toContain('e3');
    expect(history.latestReads).toBe(2);
  });
});

describe('the search for changes', () => {
  it('knows the health of every series, those that scatter most first', async () => {
    const history = new MemoryHistory();
    for (let at = 0; at < 20; at += 1) history.add(at, { calm: noise(at), wild: 1 + 0.1 * Math.sin(7 * at) });
    const { now, search } = searchOf(history);
    await now();
    const [first, second] = search.health();
    expect([first?.benchmark, second?.benchmark]).toEqual(['wild', 'calm']);
    expect(first?.spread ?? 0).toBeGreaterThan(10 * (second?.spread ?? 1));
    expect(first).toMatchObject({ comparisons: 20, undecided: 0, repeated: 0, takenBack: 0, smallestSlowdown: 0.01 });
  });

  it('finds what changed, the newest first, and after a push searches only what the push touched', async () => {
    const history = new MemoryHistory();
    for (let at = 0; at < 20; at += 1) {
      history.add(at, {
        steady: noise(at),
        early: noise(at) * (at < 8 ? 1 : 1.2),
        late: noise(at) * (at < 12 ? 1 : 0.8),
      });
    }
    const { now, search } = searchOf(history);
    const { changes, pending, series } = await now();
    expect([pending, series]).toEqual([0, 3]);
    expect(
      changes.map(({ benchmark, first, last, since }) => [benchmark, last.experiment, first.experiment, since]),
    ).toEqual([
      ['late', 'e11', 'e12', 8],
      ['early', 'e7', 'e8', 12],
    ]);
    const [late] = changes;
    expect(late?.ratio).toBeCloseTo(0.8, 2);
    expect(late?.near).toEqual(['e9', 'e10', 'e11', 'e12', 'e13', 'e14', 'e15']);
    const tail = search.tailOf({ project: 'p', benchmark: 'early', params: {}, method: 'tandem' });
    expect([tail?.values.length, tail?.changes]).toEqual([20, [8]]);
    expect(history.read.toSorted()).toEqual(['early', 'late', 'steady']);

    history.read.length = 0;
    await now();
    expect(history.read).toEqual([]);
    history.add(20, { late: 0.8 });
    expect((await now()).changes.map(({ benchmark, since }) => [benchmark, since])).toEqual([
      ['late', 9],
      ['early', 12],
    ]);
    expect(history.read).toEqual(['late']);
  });

  it('forgets a series that is not there any more', async () => {
    const history = new MemoryHistory();
    for (let at = 0; at < 20; at += 1) history.add(at, { gone: noise(at) * (at < 8 ? 1 : 1.2), kept: noise(at) });
    const { now } = searchOf(history);
    expect((await now()).changes).toHaveLength(1);
    history.points = history.points.filter(({ benchmark }) => benchmark !== 'gone');
    expect(await now()).toMatchObject({ changes: [], series: 1, pending: 0 });
  });

  it('tells how far it is where it takes long, and goes on in the background', async () => {
    const history = new MemoryHistory();
    // More comparisons than a request waits for.
    for (let at = 0; at < 10; at += 1) {
      history.add(at, Object.fromEntries(Array.from({ length: 2500 }, (_, k) => [`b${k}`, noise(at + k)])));
    }
    const { now, search } = searchOf(history);
    const first = await now();
    expect(first.pending).toBeGreaterThan(0);
    expect(first.pending).toBeLessThanOrEqual(2500);
    await search.close();
    expect(history.read.length).toBeLessThan(2500);
  });

  it('tells of an error, and tries again with the next request', async () => {
    const history = new MemoryHistory();
    for (let at = 0; at < 20; at += 1) history.add(at, { one: noise(at) * (at < 8 ? 1 : 1.2) });
    const { now, errors } = searchOf(history);
    const series = history.series.bind(history);
    history.series = () => Promise.reject(new TypeError('no'));
    expect(await now()).toMatchObject({ changes: [], pending: 1 });
    expect(errors).toHaveLength(1);
    history.series = series;
    expect(await now()).toMatchObject({ changes: [{ benchmark: 'one' }], pending: 0 });
  });

  it('knows a change again that moved by a comparison, but not another direction', async () => {
    const history = new MemoryHistory();
    for (let at = 0; at < 20; at += 1) history.add(at, { one: noise(at) * (at < 8 ? 1 : 1.2) });
    const { now } = searchOf(history);
    const [change] = (await now()).changes;
    if (change === undefined) throw new TypeError('nothing was found');
    const entry = {
      project: 'p',
      benchmark: 'one',
      params: {},
      method: 'tandem',
      experiment: 'e9',
      direction: 'slower',
      state: 'expected',
      ticket: null,
      note: '',
      by: 'Ann',
      at: '2026-01-01T00:00:00.000Z',
    } as const;
    const later = { ...entry, state: 'new' } as const;
    expect(new TriageView([entry, later]).of(change)).toEqual([later, entry]);
    expect(new TriageView([{ ...entry, direction: 'faster' }]).of(change)).toEqual([]);
    expect(new TriageView([{ ...entry, experiment: 'e15' }]).of(change)).toEqual([]);
    expect(new TriageView([{ ...entry, benchmark: 'two' }]).of(change)).toEqual([]);
  });
});

it('makes the interval of a quotient wider than that of either ratio', () => {
  const over = { estimate: 1.1, low: 1.1 / 1.03, high: 1.1 * 1.03, confidence: 0.99 };
  const under = { estimate: 1, low: 1 / 1.04, high: 1.04, confidence: 0.95 };
  const { estimate, interval } = quotient(over, under);
  expect(estimate).toBeCloseTo(1.1, 12);
  // sqrt(ln(1.03)^2 + ln(1.04)^2) on both sides
  const reach = Math.hypot(Math.log(1.03), Math.log(1.04));
  expect(Math.log(interval.high / estimate)).toBeCloseTo(reach, 12);
  expect(Math.log(estimate / interval.low)).toBeCloseTo(reach, 12);
  expect(interval.confidence).toBe(0.95);
});

describe('the address of a repository', () => {
  const [after, until] = [commit('a', 1), commit('b', 2)];

  it.each([
    ['https://github.com/o/n.git', `https://github.com/o/n/compare/${after.id}...${until.id}`],
    ['https://gitlab.example.org/o/n/', `https://gitlab.example.org/o/n/-/compare/${after.id}...${until.id}`],
    ['https://bitbucket.org/o/n', `https://bitbucket.org/o/n/branches/compare/${until.id}..${after.id}`],
    ['https://x.org/c?from={from}&to={to}', `https://x.org/c?from=${after.id}&to=${until.id}`],
  ])('%s leads to a range of commits', (text, expected) => {
    const repositories = new Map([readRepository(text)]);
    expect(rangeUrl(repositories, { project: 'p', after, until })).toBe(expected);
    expect(rangeUrl(repositories, { project: 'p', after: null, until })).toBeNull();
  });

  it('may be that of one project, and nothing else', () => {
    const repositories = new Map([readRepository('my parser=https://x.org/p')]);
    expect(rangeUrl(repositories, { project: 'my parser', after, until })).toContain('https://x.org/p/compare/');
    expect(rangeUrl(repositories, { project: 'other', after, until })).toBeNull();
    for (const text of ['', 'x', 'javascript:alert(1)', 'p=ftp://x.org', 'https://']) {
      expect(() => readRepository(text), text).toThrow(ServerError);
    }
  });
});
