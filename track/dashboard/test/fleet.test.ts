import { Hono } from 'hono';
import { beforeAll, describe, expect, it } from 'vitest';
import { fleetExperimentSchema, workerSchema } from '../src/api/schemas.ts';
import type { RequestError } from '../src/errors.ts';
import { eventOf, EventStreams, type SendEvent, StateEvents, type StreamEvent } from '../src/event-stream.ts';
import { FleetFeed } from '../src/source/fleet-feed.ts';
import { FakeFleet, put, useFolder, useServers, type TestServer } from './support.ts';

/** Events of a stream, one after the other. */
async function* eventsOf(response: Response): AsyncGenerator<{ readonly event: string; readonly data: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as unknown };
    }
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a fleet on the dashboard', () => {
  const folder = useFolder();
  const servers = useServers();
  beforeAll(() => put(folder('history'), { id: 'a1' }));

  function start(fleet: FakeFleet): Promise<TestServer> {
    return servers.start(folder('history'), { fleet: { view: fleet, cancel: null } });
  }

  it('shows experiments with their progress, and machines', async () => {
    const fleet = new FakeFleet();
    fleet.experimentList = fleet.experimentList.map((one) => (one.id === 'f0' ? { ...one, id: 'a1' } : one));
    fleet.workerList = fleet.workerList.map((one) => ({ ...one, draining: true }));
    const server = await start(fleet);
    const page = await server.page('/fleet');
    // What the history holds of it is one click away.
    expect(page).toContain('<a href="/experiments/a1">weekly</a>');
    expect(page).not.toContain('href="/experiments/f1"');
    expect(page).toContain('nightly &lt;b&gt;');
    expect(page).toContain('12 of 40, 2 under way');
    expect(page).toContain('<p class="failure">the repository is not allowed</p>');
    expect(page).toContain('<noscript><meta http-equiv="refresh" content="10" /></noscript>');
    const workers = await server.page('/workers');
    expect(workers).toContain('with nightly &lt;b&gt;');
    expect(workers).toContain('busy, draining');
    expect(workers).not.toContain('gone, draining');
    expect(workers).toContain('<code>region=north</code>');
    expect(fleetExperimentSchema.array().parse(await server.json('/fleet/experiments'))).toHaveLength(2);
    expect(
      workerSchema
        .array()
        .parse(await server.json('/fleet/workers'))
        .map(({ state }) => state),
    ).toEqual(['busy', 'gone']);
    expect(await server.page('/')).toContain('<a href="/workers">');
  });

  it('is read once however many watch, tells what changed, and is not read when nobody watches', async () => {
    const fleet = new FakeFleet();
    const feed = new FleetFeed(fleet, () => undefined, 10);
    const states: string[] = [];
    const ends = ['a', 'b'].map((name) =>
      feed.watch(({ experiments }) => states.push(`${name}${experiments[0]?.runs}`)),
    );
    await until(() => fleet.reads > 3);
    fleet.change({ runs: 13 });
    await until(() => states.length > 2);
    for (const end of ends) end();
    const { reads } = fleet;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fleet.reads - reads).toBeLessThan(2);
    expect(states).toEqual(['a12', 'b12', 'a13', 'b13']);
  });

  it('sends changes to all who watch', async () => {
    const fleet = new FakeFleet();
    const server = await start(fleet);
    const ends = [new AbortController(), new AbortController()];
    const [json, parts] = await Promise.all([
      server.ask('/api/v1/fleet/events', { signal: (ends[0] as AbortController).signal }),
      server.ask('/fleet/events', { signal: (ends[1] as AbortController).signal }),
    ]);
    expect(json.headers.get('content-type')).toBe('text/event-stream');
    const [states, pieces] = [eventsOf(json), eventsOf(parts)];
    expect((await states.next()).value).toMatchObject({ event: 'fleet', data: { experiments: [{ runs: 12 }, {}] } });
    expect((await pieces.next()).value).toMatchObject({
      data: {
        experiments: expect.stringContaining('12 of 40') as unknown,
        workers: expect.stringContaining('rack-1') as unknown,
      },
    });
    fleet.change({ runs: 14 });
    expect((await states.next()).value).toMatchObject({ data: { experiments: [{ runs: 14 }, {}] } });
    expect((await pieces.next()).value).toMatchObject({
      data: { experiments: expect.stringContaining('14 of 40') as unknown },
    });
    for (const end of ends) end.abort();
    expect(server.told).toEqual([]);
  });

  it('keeps nothing for readers that do not read, and has a limit of them', async () => {
    const app = new Hono();
    const streams = new EventStreams(1);
    const following: { send: SendEvent; ended: boolean } = { send: () => {}, ended: false };
    app.get('/', (c) =>
      streams.answer(c, (send) => {
        following.send = send;
        return () => (following.ended = true);
      }),
    );
    app.onError((error) => new Response((error as RequestError).code, { status: 503 }));
    const events = eventsOf(await app.request('/'));
    expect(await (await app.request('/')).text()).toBe('BUSY');
    for (let state = 1; state <= 100; state++) {
      following.send(eventOf('fleet', state));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const seen: unknown[] = [];
    while (seen.at(-1) !== 100) seen.push((await events.next()).value?.data);
    expect(seen.length).toBeLessThan(10);
    await events.return(undefined);
    await until(() => following.ended);
    expect((await app.request('/')).status).toBe(200);
  });

  it('is sent to one reader after the other, so that pages are answered between them', async () => {
    const app = new Hono();
    const streams = new EventStreams(40);
    const following: SendEvent[] = [];
    app.get('/', (c) => streams.answer(c, (send) => (following.push(send), () => undefined)));
    const readers = await Promise.all(Array.from({ length: 40 }, async () => eventsOf(await app.request('/'))));
    let served = 0;
    const all = Promise.all(readers.map(async (reader) => void (await reader.next(), (served += 1))));
    for (const send of following) send(eventOf('fleet', 1));
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(served).toBeLessThan(20);
    await all;
    await Promise.all(readers.map((reader) => reader.return(undefined)));
  });

  it('is written once for all readers of a kind', async () => {
    const made = new StateEvents<object>();
    const [state, next] = [{}, {}];
    let count = 0;

    async function make(): Promise<StreamEvent> {
      return eventOf('parts', (count += 1));
    }

    const [one, two] = await Promise.all([made.of(state, 'reads', make), made.of(state, 'reads', make)]);
    expect(two.bytes).toBe(one.bytes);
    await made.of(state, 'cancels', make);
    await made.of(next, 'reads', make);
    expect(count).toBe(3);
  });

  it('is not read and written anew for everybody who begins to follow it', async () => {
    const fleet = new FakeFleet();
    const server = await start(fleet);
    const end = new AbortController();

    async function follow(path: string): Promise<unknown> {
      return (await eventsOf(await server.ask(path, { signal: end.signal })).next()).value?.data;
    }

    const first = await follow('/api/v1/fleet/events');
    await until(() => fleet.reads >= 2);
    const before = fleet.reads;
    const paths = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? '/api/v1/fleet/events' : '/fleet/events'));
    const seen = await Promise.all(paths.map(follow));
    expect(seen[0]).toEqual(first);
    expect(new Set(seen.map((data) => JSON.stringify(data))).size).toBe(2);
    expect(fleet.reads - before).toBeLessThan(10);
    end.abort();
  });

  it('is shown again once it can be asked again', async () => {
    const fleet = new FakeFleet();
    const server = await start(fleet);
    const end = new AbortController();
    const events = eventsOf(await server.ask('/api/v1/fleet/events', { signal: end.signal }));
    await events.next();
    fleet.failure = Object.assign(new Error('the connection was cut'), { name: 'FleetError', code: 'NO_CONNECTION' });
    const response = await server.ask('/fleet');
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('the connection was cut')]);
    await until(() => server.told.length >= 2);
    fleet.failure = null;
    fleet.change({ runs: 20 });
    expect((await events.next()).value).toMatchObject({ data: { experiments: [{ runs: 20 }, {}] } });
    end.abort();
  });
});
