import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openHistory, type History, canaryProject, type ChangeTriage } from '@deadheat/history';
import { digestBoundary, openAlerts, type AlertsOptions, type Look } from '../src/alerts/alerts.ts';
import { messageOf, safe, sampleEvents } from '../src/alerts/alert-message.ts';
import { mailOf } from '../src/alerts/delivery.ts';
import { FakeFleet, machine, MemoryHistory, noPostgres, put, useDatabase, useFolder } from './support.ts';
import { alertMessageSchema, type AlertMessage } from '../src/alerts/alert.ts';
import { alertTopics, type AlertChannel, type AlertSettings } from '../src/alerts/alerts-file.ts';
import type { FleetWorker } from '@deadheat/fleet';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: AlertMessage;
}

/** A receiver at the loopback address that keeps what it gets, and answers with the next of some statuses, 200 behind them. */
class Receiver {
  readonly received: Received[] = [];
  readonly statuses: number[] = [];
  headers: Readonly<Record<string, string>> = {};
  /** Answers wait for it. */
  hold: Promise<void> = Promise.resolve();
  /** Attempts, also those that were refused. */
  attempts = 0;
  url = '';
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      this.attempts += 1;
      const status = this.statuses.shift() ?? 200;
      if (status < 300) {
        const message = alertMessageSchema.parse(JSON.parse(body));
        this.received.push({ headers: request.headers, body, message });
      }
      void this.hold.then(() => response.writeHead(status, this.headers).end('x'.repeat(10_000)));
    });
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  get messages(): readonly AlertMessage[] {
    return this.received.map(({ message }) => message);
  }
}

/** Numbers of events that were sent, the smallest first. */
function sentBy(looks: readonly Look[]): readonly number[] {
  return looks.flatMap(({ channels }) => channels.map(({ events }) => events)).toSorted((a, b) => a - b);
}

function firstOf({ received: [first] }: Receiver): Received {
  if (first === undefined) throw new TypeError('nothing was received');
  return first;
}

/** A certificate of localhost that nobody vouches for: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSQLvlvZQ4CB85Scq
8UpgCn8SeDybTzDiCQGza0X5odqhRANCAAQ8/cxp+g3u5qBGWpwFrBQBG+uvQCqN
9jJrW2LMClrfz0nSwslv/fCXm6khu8ZUx9r7NnxamqtByq/FSCsCynAL
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUNr8Jy8B2dzefaDRJVD8kYLkL72gwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE5MzkyN1oYDzIxMjYxMDI5
MTkzOTI3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQ8/cxp+g3u5qBGWpwFrBQBG+uvQCqN9jJrW2LMClrfz0nSwslv/fCX
m6khu8ZUx9r7NnxamqtByq/FSCsCynALo2kwZzAdBgNVHQ4EFgQUgMInUEe4j2Ev
Pijkdmof1JZB3hMwHwYDVR0jBBgwFoAUgMInUEe4j2EvPijkdmof1JZB3hMwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIhAJoOuAJy+69soSZ/lBl67iXxMoHv4JXUU8FsO6rW/M5HAiAveq99hEd8
Il7cHqUQgE7Q72elFc5tXvDIqNMvBCQECQ==
-----END CERTIFICATE-----`,
};

const never = new AbortController().signal;
const limits = { attemptMs: 30_000, deadlineMs: 60_000, firstPauseMs: 1, leaseMs: 60_000, leasePauseMs: 5 };
const impatient = { ...limits, deadlineMs: 0 };

function webhook(url: string, more: Partial<AlertChannel> = {}): AlertChannel {
  return {
    name: 'chat',
    target: { kind: 'webhook', url, key: null },
    on: alertTopics,
    projects: [],
    leastChange: 0,
    digest: null,
    ...more,
  };
}

function settingsOf(channels: readonly AlertChannel[], more: Partial<AlertSettings> = {}): AlertSettings {
  return { dashboard: null, everyNs: 60e9, workerGraceNs: 0, digestHour: 7, channels, ...more };
}

/** Comparisons of a series whose ratio changes with the ninth. */
function fill(history: MemoryHistory, until: number, { from = 0, slowdown = 1.2, name = 'parse' } = {}): void {
  for (let at = from; at < until; at += 1) {
    history.add(at, { [name]: (1 + 0.001 * Math.sin(7 * at)) * (at < 8 ? 1 : slowdown) });
  }
}

function decision(state: ChangeTriage['state'], experiment = 'e9'): ChangeTriage {
  return {
    project: 'p',
    benchmark: 'parse',
    params: {},
    method: 'tandem',
    experiment,
    direction: 'slower',
    state,
    ticket: state === 'ticket' ? 'https://example.org/7' : null,
    note: '',
    by: 'Ann',
    at: '2026-03-01T10:00:00.000Z',
  };
}

const goneWorker: FleetWorker = {
  id: 'w9',
  machine: { ...machine, hostname: 'rack-9' },
  labels: {},
  toolVersion: '0.1.0',
  state: 'gone',
  left: false,
  seenAt: '2026-03-20T09:00:00.000Z',
  experiment: null,
};

function useAlerts(): (
  history: History | MemoryHistory,
  settings: AlertSettings,
  more?: Partial<AlertsOptions>,
) => {
  readonly look: () => Promise<Look>;
  readonly digest: () => Promise<Look>;
  readonly test: () => Promise<unknown>;
} {
  const open: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  return (history, settings, more = {}) => {
    const opened = openAlerts({
      settings,
      fleet: null,
      toolVersion: '0.1.0',
      variables: process.env,
      limits,
      openHistory: async () => history as History,
      ...more,
    });
    open.push(opened);
    const { alerts } = opened;
    return {
      look: () => alerts.look(never),
      digest: () => alerts.look(never, { digest: true }),
      test: () => alerts.test(never),
    };
  };
}

describe('alerts', () => {
  const alertsOf = useAlerts();

  async function receiver(): Promise<Receiver> {
    const started = await new Receiver().start();
    onTestFinished(() => started.close());
    return started;
  }

  it('tell a change once, and nothing of what was there before the first look', async () => {
    const chat = await receiver();
    const history = new MemoryHistory();
    fill(history, 20, { name: 'old' });
    fill(history, 8);
    const settings = settingsOf([webhook(chat.url)], { dashboard: 'https://bench.example.org/x/' });
    const { look } = alertsOf(history, settings);
    expect(await look()).toMatchObject({ channels: [{ channel: 'chat', events: 0, error: null }] });
    fill(history, 20, { from: 8 });
    expect(await look()).toMatchObject({ channels: [{ channel: 'chat', events: 1, error: null }] });
    const [message] = chat.messages;
    expect(message).toMatchObject({ kind: 'alert', channel: 'chat', digest: null });
    expect(message?.events).toMatchObject([
      { kind: 'change', benchmark: 'parse', direction: 'slower', after: { label: 'b7' }, until: { label: 'b8' } },
    ]);
    const [event] = message?.events ?? [];
    expect(event).toMatchObject({ url: `https://bench.example.org/x/changes/${event?.id ?? ''}` });
    expect(message?.subject).toMatch(/^deadheat: slower \+\S+ % p: parse, tandem$/);
    expect(message?.text).toMatch(/^1 slower\n\nSLOWER {2}\+\S+ % {2}\[.* … .*\] at 99 % {2}p: parse, tandem\n/);

    // A comparison more, and another process.
    history.add(20, { parse: 1.2 });
    expect(await alertsOf(history, settings).look()).toMatchObject({ channels: [{ events: 0 }] });
    expect(chat.attempts).toBe(1);
  });

  it('write nothing where nothing is new, and search only what was pushed', async () => {
    const chat = await receiver();
    const history = new MemoryHistory();
    fill(history, 20);
    const settings = settingsOf([webhook(chat.url)]);
    await alertsOf(history, settings).look();
    const written = (await history.notes('alerts')).length;
    history.read.length = 0;
    await alertsOf(history, settings).look();
    expect([(await history.notes('alerts')).length, history.read]).toEqual([written, []]);
  });

  it('are signed so that the receiver can tell who sent what and when', async () => {
    const chat = await receiver();
    const secret = 'a secret of the tests 0123456789';
    const channel = webhook(chat.url, { target: { kind: 'webhook', url: chat.url, key: Buffer.from(secret) } });
    await alertsOf(new MemoryHistory(), settingsOf([channel])).test();
    const { headers, body, message } = firstOf(chat);
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(id).toBe(message.id);
    expect(message.kind).toBe('test');
  });

  it('are verified by the example of the documentation, and what was changed or is old is not', async () => {
    const page = readFileSync(new URL('../../../docs/alerts.md', import.meta.url), 'utf8');
    const [, snippet = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
    const { verify } = (await import(`data:text/javascript,${encodeURIComponent(snippet)}`)) as {
      verify: (request: { headers: Record<string, string>; body: string }, secret: string) => boolean;
    };
    const chat = await receiver();
    const secret = 'a secret of the tests 0123456789';
    const channel = webhook(chat.url, { target: { kind: 'webhook', url: chat.url, key: Buffer.from(secret) } });
    await alertsOf(new MemoryHistory(), settingsOf([channel])).test();
    const { headers: got, body } = firstOf(chat);
    const headers = got as Record<string, string>;
    expect(verify({ headers, body }, secret)).toBe(true);
    expect(verify({ headers, body: `${body} ` }, secret)).toBe(false);
    expect(verify({ headers, body }, 'another secret 0123456789')).toBe(false);
    const old = String(Number(headers['webhook-timestamp']) - 3600);
    const id = headers['webhook-id'];
    const signature = `v1,${createHmac('sha256', secret).update(`${id}.${old}.${body}`).digest('base64')}`;
    const replayed = { ...headers, 'webhook-timestamp': old, 'webhook-signature': signature };
    expect(verify({ headers: replayed, body }, secret)).toBe(false);
  });

  it('are tried again with pauses while the webhook fails, and by the next look when that does not help', async () => {
    const chat = await receiver();
    const history = new MemoryHistory();
    const settings = settingsOf([webhook(chat.url)]);
    await alertsOf(history, settings).look();
    fill(history, 20);
    chat.statuses.push(503, 429);
    expect(await alertsOf(history, settings).look()).toMatchObject({ channels: [{ events: 1, error: null }] });
    expect([chat.attempts, chat.received.length]).toEqual([3, 1]);

    fill(history, 20, { name: 'scan' });
    chat.statuses.push(500);
    const failed = await alertsOf(history, settings, { limits: impatient }).look();
    expect(failed.channels[0]?.error).toMatchObject({ code: 'ALERT_NOT_SENT' });
    expect(await alertsOf(history, settings).look()).toMatchObject({ channels: [{ events: 1, error: null }] });
    expect(chat.messages.map(({ events }) => events.map((event) => 'benchmark' in event && event.benchmark))).toEqual([
      ['parse'],
      ['scan'],
    ]);
    await chat.close();
    fill(history, 20, { name: 'down' });
    const down = await alertsOf(history, settings, { limits: impatient }).look();
    expect(String((down.channels[0]?.error as Error | null)?.message)).toMatch(/cannot be reached \(ECONNREFUSED\)/);
  });

  it('follow no redirect, and wait for what the receiver asks for', async () => {
    const [chat, elsewhere] = [await receiver(), await receiver()];
    chat.statuses.push(307);
    chat.headers = { location: elsewhere.url };
    const alerts = alertsOf(new MemoryHistory(), settingsOf([webhook(chat.url)]));
    expect(await alerts.test()).toMatchObject([
      { error: { message: 'chat: not sent: the webhook answers 307, a redirect, which is not followed.' } },
    ]);
    expect([chat.attempts, elsewhere.attempts]).toEqual([1, 0]);
    chat.headers = { 'retry-after': '3600' };
    chat.statuses.push(503);
    // Longer than the deadline.
    expect(await alerts.test()).toMatchObject([{ error: { message: 'chat: not sent: the webhook answers 503.' } }]);
  });

  it('go to nobody whose certificate is not trusted, whatever the environment says', async () => {
    let asked = 0;
    const server = createTlsServer(selfSigned, (_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const settings = settingsOf([webhook(url)]);
    const [outcome] = (await alertsOf(new MemoryHistory(), settings, { limits: impatient }).test()) as readonly {
      readonly error: Error;
    }[];
    expect(outcome?.error.message).toMatch(/cannot be reached \(\w*SELF_SIGNED_CERT\w*\)/);
    expect(asked).toBe(0);
  });

  it('end at the deadline of an attempt where nobody answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const settings = settingsOf([webhook(url)]);
    // What nothing names is collected while it is waited for.
    setFlagsFromString('--expose-gc');
    const collect = setInterval(runInNewContext('gc') as () => void, 10);
    onTestFinished(() => clearInterval(collect));
    expect(
      await alertsOf(new MemoryHistory(), settings, { limits: { ...impatient, attemptMs: 300 } }).test(),
    ).toMatchObject([{ error: { message: 'chat: not sent: the webhook does not answer in time.' } }]);
  });

  it('are sent once by several that look at the same time', async () => {
    const chat = await receiver();
    const history = new MemoryHistory();
    const settings = settingsOf([webhook(chat.url)]);
    const all = [1, 2, 3, 4].map(() => alertsOf(history, settings));
    await Promise.all(all.map(({ look }) => look()));
    fill(history, 20);
    chat.statuses.push(503, 503);
    const looks = await Promise.all(all.map(({ look }) => look()));
    expect(sentBy(looks)).toEqual([0, 0, 0, 1]);
    expect(chat.received).toHaveLength(1);
  });

  it('go on after one that was killed, and one that hung sends nothing of its own then', async () => {
    const [chat, slow] = [await receiver(), await receiver()];
    const history = new MemoryHistory();
    const settings = settingsOf([webhook(chat.url)]);
    await alertsOf(history, settings).look();
    fill(history, 20);
    // One that hangs in an attempt, for longer than a lease lasts.
    const hanging = alertsOf(history, settingsOf([webhook(slow.url)]), { limits: { ...limits, leaseMs: 40 } });
    slow.statuses.push(503);
    const releases: (() => void)[] = [];
    slow.hold = new Promise((resolve) => releases.push(resolve));
    const looking = hanging.look();
    await expect.poll(() => slow.attempts, { timeout: 30_000 }).toBe(1);
    expect(await alertsOf(history, settings, { limits: { ...limits, leaseMs: 40 } }).look()).toMatchObject({
      channels: [{ events: 1, error: null }],
    });
    for (const release of releases) release();
    const { channels } = await looking;
    expect(channels[0]?.error).toMatchObject({ message: expect.stringContaining('This process hung') as unknown });
    expect([chat.received.length, slow.attempts]).toEqual([1, 1]);
  });

  it.each(['expected', 'acknowledged', 'ticket'] as const)('leave out a change that was %s before', async (state) => {
    const chat = await receiver();
    const history = new MemoryHistory();
    const settings = settingsOf([webhook(chat.url)]);
    await alertsOf(history, settings).look();
    fill(history, 20);
    history.decisions = [decision(state)];
    expect(await alertsOf(history, settings).look()).toMatchObject({ channels: [{ events: 0, error: null }] });
    // What is new again was told already, or not at all.
    history.decisions = [decision(state), decision('new')];
    history.add(20, { parse: 1.2 });
    expect(await alertsOf(history, settings).look()).toMatchObject({ channels: [{ events: 0 }] });
    expect(chat.attempts).toBe(0);
  });

  it('go to each channel as it asks: directions, projects, sizes, and only what came after it', async () => {
    const history = new MemoryHistory();
    const channels: AlertChannel[] = [];
    const received = new Map<string, Receiver>();

    async function add(name: string, more: Partial<AlertChannel>): Promise<void> {
      const one = await receiver();
      received.set(name, one);
      channels.push(webhook(one.url, { name, ...more }));
    }

    await add('faster', { on: ['faster'] });
    await add('large', { leastChange: 0.5 });
    await add('other', { projects: ['q*'] });
    await add('star', { projects: ['x', '*'] });
    await alertsOf(history, settingsOf(channels)).look();
    fill(history, 20, { name: 'slow' });
    fill(history, 20, { name: 'fast', slowdown: 0.8 });
    await add('late', {});
    await alertsOf(history, settingsOf(channels)).look();
    const told = [...received].map(([name, { messages }]) => [
      name,
      messages.flatMap(({ events }) => events.map((event) => ('direction' in event ? event.direction : ''))).toSorted(),
    ]);
    expect(Object.fromEntries(told)).toEqual({
      faster: ['faster'],
      large: [],
      other: [],
      star: ['faster', 'slower'],
      late: [],
    });
  });

  it('tell of canaries that fired, and not of them as changes', async () => {
    const chat = await receiver();
    const history = new MemoryHistory();
    const settings = settingsOf([webhook(chat.url)]);
    await alertsOf(history, settings).look();
    fill(history, 20, { name: 'integer' });
    history.points = history.points.map((point, at) => ({
      ...point,
      project: canaryProject,
      params: { host: 'rack-1' },
      verdict: at === 3 ? 'faster' : 'dead-heat',
    }));
    await alertsOf(history, settings).look();
    const events = chat.messages.flatMap((message) => message.events);
    expect(events).toMatchObject([
      { kind: 'canary', what: 'differs', hostname: 'rack-1', benchmark: 'integer', experiment: 'e3' },
      { kind: 'canary', what: 'level', hostname: 'rack-1', benchmark: 'integer', experiment: 'e8' },
    ]);
    expect(chat.messages[0]?.subject).toBe('deadheat: 2 canaries fired');
  });

  it('tell of a worker that is gone for a while, not of one that left or came back', async () => {
    const chat = await receiver();
    const [history, fleet] = [new MemoryHistory(), new FakeFleet()];
    fleet.workerList = [];
    let now = Date.parse('2026-03-20T12:00:00.000Z');
    const settings = settingsOf([webhook(chat.url)], { workerGraceNs: 300e9 });
    const { look } = alertsOf(history, settings, { fleet, now: () => new Date(now) });
    await look();
    const left = { ...goneWorker, id: 'left', left: true };
    const brief = { ...goneWorker, id: 'brief' };
    fleet.workerList = [goneWorker, left, brief];
    expect(await look()).toMatchObject({ channels: [{ events: 0 }] });
    now += 299_000;
    expect(await look()).toMatchObject({ channels: [{ events: 0 }] });
    fleet.workerList = [goneWorker, left, { ...brief, state: 'idle' }];
    now += 2000;
    expect(await look()).toMatchObject({ channels: [{ events: 1 }], fleetError: null });
    expect(chat.messages.at(-1)?.subject).toBe('deadheat: worker w9 on rack-9 is gone');
    now += 900_000;
    expect(await look()).toMatchObject({ channels: [{ events: 0 }] });
    // Back, and gone again.
    fleet.workerList = [{ ...goneWorker, seenAt: '2026-03-20T12:30:00.000Z' }];
    await look();
    now += 900_000;
    expect(await look()).toMatchObject({ channels: [{ events: 1 }] });
    fleet.failure = new TypeError('no fleet');
    expect(await look()).toMatchObject({ fleetError: fleet.failure });
  });

  it('send a digest when it is due, with what was decided and the workers', async () => {
    const chat = await receiver();
    const [history, fleet] = [new MemoryHistory(), new FakeFleet()];
    let now = Date.parse('2026-03-18T12:00:00.000Z');
    const settings = settingsOf([webhook(chat.url, { name: 'team', on: [], digest: 'week' })]);
    const options = { fleet, now: () => new Date(now) };
    await alertsOf(history, settings, options).look();
    fill(history, 20);
    fill(history, 20, { name: 'scan', slowdown: 0.8 });
    history.decisions = [decision('ticket')];
    fleet.workerList = [...fleet.workerList, goneWorker];
    expect(await alertsOf(history, settings, options).look()).toMatchObject({ channels: [{ digests: 0 }] });
    // Monday, seven o'clock.
    now = Date.parse('2026-03-23T06:59:59.000Z');
    expect(await alertsOf(history, settings, options).look()).toMatchObject({ channels: [{ digests: 0 }] });
    now += 1000;
    expect(await alertsOf(history, settings, options).look()).toMatchObject({ channels: [{ digests: 1, events: 3 }] });
    expect(await alertsOf(history, settings, options).look()).toMatchObject({ channels: [{ digests: 0 }] });
    const [message] = chat.messages;
    expect(message?.digest).toEqual({
      from: '2026-03-18T12:00:00.000Z',
      to: '2026-03-23T07:00:00.000Z',
      more: 0,
      decisions: { new: 1, acknowledged: 0, expected: 0, ticket: 1 },
      workers: [
        { id: 'w1', hostname: 'rack-1', state: 'busy' },
        { id: 'w2', hostname: 'rack-2', state: 'gone' },
        { id: 'w9', hostname: 'rack-9', state: 'gone' },
      ],
    });
    await expect(message?.text).toMatchFileSnapshot('fixtures/digest.txt');
    expect(await alertsOf(history, settings, options).digest()).toMatchObject({
      channels: [{ digests: 1, events: 0 }],
    });
    expect(chat.messages.at(-1)?.subject).toBe('deadheat digest: nothing changed');
  });

  describe.skipIf(noPostgres !== null)('of a history in PostgreSQL', () => {
    const database = useDatabase();
    const folder = useFolder();

    it('are sent once by several that look at the same time', async () => {
      const [chat, fleet] = [await receiver(), new FakeFleet()];
      const url = database.get().url();
      await put(url, { id: 'exp0', iterations: 20 });
      expect(folder()).not.toBe('');
      const settings = settingsOf([webhook(chat.url)]);
      const all = await Promise.all(
        [1, 2, 3].map(async () => {
          const history = await openHistory(url, { forWriting: false, variables: process.env });
          return alertsOf(history, settings, { fleet });
        }),
      );
      await Promise.all(all.map(({ look }) => look()));
      fleet.workerList = [...fleet.workerList, goneWorker];
      const looks = await Promise.all(all.map(({ look }) => look()));
      expect(sentBy(looks)).toEqual([0, 0, 1]);
      expect(chat.messages.map(({ subject }) => subject)).toEqual(['deadheat: worker w9 on rack-9 is gone']);
    });
  });

  describe('to a command', () => {
    const folder = useFolder();

    function script(name: string, text: string): string {
      const path = folder(name);
      writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      return path;
    }

    function toCommand(words: readonly string[], mail: { to: readonly string[]; from: string } | null): AlertChannel {
      return webhook('', { name: 'mail', target: { kind: 'command', words, mail } });
    }

    it('are mail on its standard input, and its arguments are read by no shell', async () => {
      const [out, args] = [folder('out'), folder('args')];
      const words = [script('sendmail', `cat > '${out}'; printf '%s\\n' "$@" > '${args}'`), '-t', '$(touch x); `id` *'];
      const channel = toCommand(words, { to: ['a@example.org', 'B <b@example.org>'], from: 'deadheat@example.org' });
      expect(await alertsOf(new MemoryHistory(), settingsOf([channel])).test()).toMatchObject([{ error: null }]);
      expect(readFileSync(args, 'utf8')).toBe('-t\n$(touch x); `id` *\n');
      const [head = '', ...body] = readFileSync(out, 'utf8').split('\n\n');
      expect(head).toMatch(
        /^From: deadheat@example.org\nTo: a@example.org, B <b@example.org>\nSubject: deadheat test: /,
      );
      expect(body.join('\n\n')).toMatch(/^This is a test\. .*\n\n1 slower, 1 worker gone\n\nSLOWER/);
    });

    it('are kept where it fails, is missing or does not end', async () => {
      const cases = [
        [script('refuses', 'echo "no such\tuser" >&2; exit 3'), /refuses ends with status 3: no such user\.$/],
        [folder('missing'), /cannot be started: there is no such program\.$/],
        [script('hangs', 'sleep 600 & wait'), /hangs does not end in time\.$/],
      ] as const;
      for (const [path, why] of cases) {
        const settings = settingsOf([toCommand([path], null)]);
        const own = { limits: { ...impatient, attemptMs: path.endsWith('hangs') ? 50 : 30_000 } };
        const [outcome] = (await alertsOf(new MemoryHistory(), settings, own).test()) as readonly { error: Error }[];
        expect(outcome?.error.message).toMatch(why);
      }
    });
  });
});

describe('what others named', () => {
  const evil = 'x\r\nBcc: evil@example.org\r\n\r\n\u001B[2Jhello\u202Egpj.exe\uD800 ü';
  const [, worker] = sampleEvents(new Date('2026-03-01T10:00:00.000Z'), null);
  const [change] = sampleEvents(new Date('2026-03-01T10:00:00.000Z'), null);

  function mailAbout(name: string): string {
    if (change?.kind !== 'change' || worker?.kind !== 'worker') throw new TypeError('no sample');
    const message = messageOf({
      kind: 'alert',
      channel: 'mail',
      at: new Date('2026-03-01T10:00:00.000Z'),
      events: [{ ...change, project: safe(name), benchmark: safe(name), params: { [safe(name)]: safe(name) } }],
      digest: null,
    });
    return mailOf(message, { to: ['a@example.org'], from: null });
  }

  it('adds no header to a mail and steers nothing that shows it', () => {
    const mail = mailAbout(evil);
    const [head = ''] = mail.split('\n\n');
    expect(head.split('\n').map((line) => line.split(':')[0])).toEqual([
      'To',
      'Subject',
      'Date',
      'Message-ID',
      'Auto-Submitted',
      'MIME-Version',
      'Content-Type',
      'Content-Transfer-Encoding',
    ]);
    expect(mail.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202E]/u);
    expect(mail).not.toMatch(/^Bcc/m);
    const words = /^Subject: (.*)$/m.exec(head)?.[1]?.split(' ') ?? [];
    for (const word of words) expect(word.length).toBeLessThanOrEqual(75);
    const text = words
      .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? '', 'base64').toString())
      .join('');
    expect(text).toContain(String.raw`x Bcc: evil@example.org \u{1b}[2Jhello\u{202e}gpj.exe� ü`);
  });

  it('fills no line and no message, however long it is', () => {
    const mail = mailAbout('ü'.repeat(100_000));
    for (const line of mail.split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(998);
    expect(mail.length).toBeLessThan(5000);
  });
});

it.each([
  ['day', '2026-03-18T12:00:00.000Z', '2026-03-18T07:00:00.000Z'],
  ['day', '2026-03-18T06:00:00.000Z', '2026-03-17T07:00:00.000Z'],
  ['day', '2026-03-18T07:00:00.000Z', '2026-03-18T07:00:00.000Z'],
  ['week', '2026-03-18T12:00:00.000Z', '2026-03-16T07:00:00.000Z'],
  ['week', '2026-03-16T06:00:00.000Z', '2026-03-09T07:00:00.000Z'],
  ['week', '2026-03-01T12:00:00.000Z', '2026-02-23T07:00:00.000Z'],
] as const)('a digest of a %s is due at %s since %s', (digest, now, expected) => {
  expect(digestBoundary(digest, { now: new Date(now), hour: 7 }).toISOString()).toBe(expected);
});
