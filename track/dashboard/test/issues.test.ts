import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ChangeTriage, History } from '@deadheat/history';
import type { CommitRef } from '@deadheat/model';
import { openAlerts, type Look } from '../src/alerts/alerts.ts';
import type { AlertChannel, IssuesTarget } from '../src/alerts/alerts-file.ts';
import { MemoryHistory, useFolder } from './support.ts';

interface Issue {
  readonly number: number;
  title: string;
  text: string;
  labels: unknown;
  state: string;
  reason: string;
  readonly created_at: string;
}

const token = 'token-of-the-tests-0123456789';

/** The issues of one repository, as the REST interfaces of GitHub and GitLab have them, at the loopback address. */
class SimulatedTracker {
  readonly issues: Issue[] = [];
  readonly requests: string[] = [];
  /** What happens to the next requests that write: a status, or the connection ends after the work was done. */
  readonly faults: (number | 'cut')[] = [];
  place = '';
  readonly #kind: 'github' | 'gitlab';
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      this.requests.push(`${method} ${url}`);
      if (request.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401).end('{"message":"Bad credentials"}');
        return;
      }
      const fault = method === 'GET' ? undefined : this.faults.shift();
      if (typeof fault === 'number') {
        response.writeHead(fault).end('{}');
        return;
      }
      const content = body === '' ? {} : (JSON.parse(body) as Record<string, string | undefined>);
      const answer = this.#do(method, new URL(url, 'http://x'), content);
      if (fault === 'cut') request.socket.destroy();
      else if (answer === null) response.writeHead(404).end('{"message":"Not Found"}');
      else response.writeHead(method === 'POST' ? 201 : 200).end(JSON.stringify(answer));
    });
  });

  constructor(kind: 'github' | 'gitlab') {
    this.#kind = kind;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    const path = this.#kind === 'github' ? 'repos/owner/parser' : 'api/v4/projects/owner%2Fparser';
    this.place = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${path}`;
    onTestFinished(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return this;
  }

  /** The answer; `null` = there is no such thing. */
  #do(method: string, url: URL, content: Readonly<Record<string, string | undefined>>): unknown {
    const path = url.pathname.slice(new URL(this.place).pathname.length);
    const isGithub = this.#kind === 'github';
    if (path === '/issues' && method === 'GET') {
      const page = Number(url.searchParams.get('page') ?? 1);
      const size = Number(url.searchParams.get('per_page'));
      return this.issues
        .toReversed()
        .slice((page - 1) * size, page * size)
        .map((issue) => this.#shown(issue));
    }
    if (path === '/issues' && method === 'POST') {
      this.add(String(content['title']), String(content[isGithub ? 'body' : 'description']), content['labels']);
      return this.#shown(this.issues.at(-1));
    }
    const issue = this.issues.find(({ number }) => path === `/issues/${number}`);
    if (issue === undefined) return null;
    if (method === (isGithub ? 'PATCH' : 'PUT')) {
      issue.text = content[isGithub ? 'body' : 'description'] ?? issue.text;
      const event = { close: 'closed', reopen: 'open' }[String(content['state_event'])];
      issue.state = isGithub ? String(content['state']) : (event ?? issue.state);
      issue.reason = content['state_reason'] ?? '';
    } else if (method !== 'GET') return null;
    return this.#shown(issue);
  }

  add(title: string, text: string, labels: unknown = []): void {
    const number = this.issues.length + 1;
    this.issues.push({ number, title, text, labels, state: 'open', reason: '', created_at: new Date().toISOString() });
  }

  #shown(issue: Issue | undefined): unknown {
    if (issue === undefined) return null;
    const { number, title, text, created_at } = issue;
    const common = { title, created_at, state: issue.state };
    return this.#kind === 'github'
      ? { ...common, number, body: text, html_url: '' }
      : { ...common, iid: number, description: text, web_url: '' };
  }
}

const limits = { attemptMs: 30_000, deadlineMs: 60_000, firstPauseMs: 1, leaseMs: 60_000, leasePauseMs: 5 };

function channelOf(
  target: Omit<IssuesTarget, 'kind' | 'token' | 'labels'>,
  more: Partial<IssuesTarget> = {},
): AlertChannel {
  return {
    name: 'tracker',
    target: { kind: 'issues', token, labels: ['performance', 'deadheat'], ...target, ...more },
    on: ['slower'],
    projects: [],
    leastChange: 0,
    digest: null,
  };
}

/** Comparisons of a series with one baseline, 20 % slower from the ninth on, and as before from `back` on. */
function fill(
  history: MemoryHistory,
  [from, until]: readonly [number, number],
  { back = Infinity, name = 'parse' } = {},
): void {
  for (let at = from; at < until; at += 1) {
    history.add(at, { [name]: (1 + 0.001 * Math.sin(7 * at)) * (at < 8 || at >= back ? 1 : 1.2) });
  }
}

/** Comparison `at` of commits with the one before, of which the fourth is `slowdown` times as slow; `ratio` where it is measured again. */
function addPair(history: MemoryHistory, at: number, { ratio = at === 4 ? 1.2 : 1, again = '' } = {}): void {
  history.add(at, { parse: ratio });
  const point = history.points.pop();
  if (point === undefined) throw new TypeError('nothing was added');
  function commit(n: number): CommitRef {
    return {
      id: `${n}`.padEnd(40, 'f'),
      label: `c${n}`,
      committedAt: `2026-03-${String(n + 10)}T12:00:00Z`,
      subject: n === 4 ? 'close #7 | @everyone' : 'more',
      author: 'Ann',
    };
  }
  const verdict = ratio > 1.01 ? 'slower' : 'dead-heat';
  const isAgain = again !== '';
  const startedAt = isAgain ? '2026-04-01T00:00:00Z' : point.startedAt;
  const commits = { A: commit(at - 1), B: commit(at) };
  history.points.push({ ...point, experiment: `e${at}${again}`, startedAt, commits, verdict });
}

function decision(state: ChangeTriage['state']): ChangeTriage {
  const series = { project: 'p', benchmark: 'parse', params: {}, method: 'tandem' } as const;
  const rest = { ticket: null, note: '', by: 'Ann', at: '2026-03-01T10:00:00.000Z' };
  return { ...series, experiment: 'e8', direction: 'slower', state, ...rest };
}

describe('an issue of a change', () => {
  const close: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const one of close.splice(0)) await one();
  });
  const folder = useFolder();

  /** A look of a process of its own. */
  async function look(history: MemoryHistory, channel: AlertChannel, deadlineMs = limits.deadlineMs): Promise<Look> {
    const opened = openAlerts({
      settings: {
        dashboard: 'https://bench.example.org/',
        everyNs: 60e9,
        workerGraceNs: 0,
        digestHour: 7,
        channels: [channel],
      },
      fleet: null,
      toolVersion: '0.1.0',
      variables: {},
      limits: { ...limits, deadlineMs },
      openHistory: async () => history as unknown as History,
    });
    close.push(() => opened.close());
    return opened.alerts.look(new AbortController().signal);
  }

  function outcome(opened: number, closed = 0): object {
    return { channels: [{ opened, closed, error: null }] };
  }

  it('is opened at GitHub when a pair is confirmed, once, and says who did what', async () => {
    const tracker = await new SimulatedTracker('github').start();
    const channel = channelOf({ tracker: 'github', place: tracker.place });
    const history = new MemoryHistory();
    for (const at of [1, 2, 3]) addPair(history, at);
    expect(await look(history, channel)).toMatchObject(outcome(0));
    for (const at of [4, 5, 6]) addPair(history, at);
    expect(await look(history, channel)).toMatchObject(outcome(0));
    expect(tracker.requests).toEqual([]);
    addPair(history, 4, { again: 'x' });
    expect(await look(history, channel)).toMatchObject(outcome(1));
    addPair(history, 7);
    expect(await look(history, channel)).toMatchObject(outcome(0));
    expect(tracker.requests).toEqual(['POST /repos/owner/parser/issues']);
    const [issue] = tracker.issues;
    expect(issue).toMatchObject({ title: 'slower +20.0 % p: parse, tandem', labels: ['performance', 'deadheat'] });
    expect(issue?.text).toContain(`| first commit with it | ${'4'.padEnd(40, 'f')}, `);
    // Nobody is notified and no other issue closed by what a subject says.
    expect(issue?.text).not.toMatch(/@everyone|#7/);
    expect(issue?.text).toContain('https://bench.example.org/changes/');
    expect(JSON.stringify(await history.notes('alerts'))).not.toContain(token);
  });

  it.each(['github', 'gitlab'] as const)(
    'is closed at %s when the level returns, and reopened when it does not',
    async (kind) => {
      const tracker = await new SimulatedTracker(kind).start();
      const channel = channelOf({ tracker: kind, place: tracker.place });
      const history = new MemoryHistory();
      fill(history, [0, 8]);
      await look(history, channel);
      fill(history, [8, 20]);
      expect(await look(history, channel)).toMatchObject(outcome(1));
      const [issue] = tracker.issues;
      if (issue === undefined) throw new TypeError('no issue');
      expect(issue.labels).toEqual(kind === 'github' ? ['performance', 'deadheat'] : 'performance,deadheat');
      issue.text += '\nA remark of a person.';
      fill(history, [20, 32], { back: 20 });
      // A faster change is not asked for here.
      expect(await look(history, channel)).toMatchObject(outcome(0, 1));
      expect(issue).toMatchObject({ state: 'closed', reason: kind === 'github' ? 'completed' : '' });
      expect(issue.text).toMatch(/A remark of a person\.\n\nClosed: the level returned with `b2[01]`\.\n$/);
      expect(await look(history, channel)).toMatchObject(outcome(0));
      // What took it back was removed from the history.
      history.points = history.points.slice(0, 20);
      expect(await look(history, channel)).toMatchObject(outcome(1));
      expect(issue.state).toBe('open');
      expect(tracker.issues).toHaveLength(1);
    },
  );

  it('is opened once where the answer is lost, the note about it is, or two look at once', async () => {
    const tracker = await new SimulatedTracker('github').start();
    const channel = channelOf({ tracker: 'github', place: tracker.place });
    const history = new MemoryHistory();
    fill(history, [0, 8]);
    await look(history, channel);
    fill(history, [8, 20], { name: 'one' });
    fill(history, [0, 8], { name: 'one' });
    for (const name of ['one', 'two', 'three']) fill(history, [0, 20], { name });
    // A lost answer, and further attempts of the same look.
    tracker.faults.push('cut', 503);
    const notes: unknown[] = [];
    const add = history.addNote.bind(history);
    let isDead = false;
    history.addNote = async (topic, note) => {
      notes.push(note);
      // Dies between the answer about the first issue and the note about it.
      isDead ||= JSON.stringify(note).includes('"state":"open"');
      if (isDead) throw new Error('killed');
      await add(topic, note);
    };
    await look(history, channel).catch(() => undefined);
    expect(tracker.issues.length).toBeGreaterThan(0);
    history.addNote = add;
    for (let page = 0; page < 120; page += 1) tracker.add(`of a person ${page}`, 'Slow.');
    const looks = await Promise.all([look(history, channel), look(history, channel)]);
    expect(looks.map(({ channels: [one] }) => one?.error)).toEqual([null, null]);
    await look(history, channel);
    const ours = tracker.issues.filter(({ text }) => text.includes('deadheat:tracker:')).map(({ title }) => title);
    expect(ours.length).toBeGreaterThan(1);
    expect(new Set(ours).size).toBe(ours.length);
  });

  it('is closed when the change is expected, and not opened for one that was decided before', async () => {
    const tracker = await new SimulatedTracker('gitlab').start();
    const channel = channelOf({ tracker: 'gitlab', place: tracker.place });
    const history = new MemoryHistory();
    fill(history, [0, 8]);
    await look(history, channel);
    fill(history, [8, 20]);
    history.decisions = [decision('acknowledged')];
    expect(await look(history, channel)).toMatchObject(outcome(0));
    history.decisions.push(decision('new'));
    expect(await look(history, channel)).toMatchObject(outcome(1));
    history.decisions.push(decision('ticket'));
    expect(await look(history, channel)).toMatchObject(outcome(0));
    history.decisions.push(decision('expected'));
    expect(await look(history, channel)).toMatchObject(outcome(0, 1));
    expect(tracker.issues).toMatchObject([{ state: 'closed' }]);
    expect(tracker.issues[0]?.text).toMatch(/Closed: `Ann` decided that the change is expected\.\n$/);
  });

  it('is tried again by the next look where the tracker refuses it, and no message has the token', async () => {
    const tracker = await new SimulatedTracker('github').start();
    const history = new MemoryHistory();
    const bad = channelOf({ tracker: 'github', place: tracker.place }, { token: 'another-token' });
    fill(history, [0, 8]);
    await look(history, bad);
    fill(history, [8, 20]);
    const { channels } = await look(history, bad);
    expect(channels[0]?.error).toMatchObject({ message: 'tracker: not sent: GitHub answers 401 (Bad credentials).' });
    const good = channelOf({ tracker: 'github', place: tracker.place });
    tracker.faults.push(502);
    expect((await look(history, good, 0)).channels[0]?.error).toMatchObject({
      message: 'tracker: not sent: GitHub answers 502.',
    });
    expect(await look(history, good)).toMatchObject(outcome(1));
    expect(tracker.issues).toHaveLength(1);
  });

  it('needs a folder that can be made', async () => {
    const history = new MemoryHistory();
    fill(history, [0, 8]);
    const place = '/proc/nothing/issues';
    const channel = channelOf({ tracker: 'folder', place }, { token: '' });
    await look(history, channel);
    fill(history, [8, 20]);
    const { channels } = await look(history, channel);
    expect(String(channels[0]?.error)).toContain(`${place} cannot be used (ENOENT)`);
  });

  it('is a file of a folder, which a person may remove', async () => {
    const place = folder('issues');
    const channel = channelOf({ tracker: 'folder', place }, { token: '' });
    const history = new MemoryHistory();
    fill(history, [0, 8]);
    await look(history, channel);
    fill(history, [8, 20]);
    expect(await look(history, channel)).toMatchObject(outcome(1));
    const [name = ''] = readdirSync(place);
    function read(): string {
      return readFileSync(folder('issues', name), 'utf8');
    }
    expect(read()).toMatch(
      /^---\ntitle: "slower \+\S+ % p: parse, tandem"\nstate: open\nlabels: \["performance","deadheat"\]\n---\n\n\|/,
    );
    history.decisions = [decision('expected')];
    expect(await look(history, channel)).toMatchObject(outcome(0, 1));
    expect(read()).toMatch(/^state: closed$[^]*Closed: `Ann` decided/m);
    rmSync(folder('issues', name));
    history.decisions.push(decision('new'));
    expect(await look(history, channel)).toMatchObject(outcome(1));
    expect(readdirSync(place)).toEqual([]);
  });
});
