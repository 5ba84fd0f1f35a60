import { chmodSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLoopback, isLoopbackHeader } from '../src/access/guard.ts';
import { readTokenFile, sessionHours, Sessions, tokenWith } from '../src/access/tokens.ts';
import { type ServerError, toRequestError } from '../src/errors.ts';
import {
  bothTokens,
  FakeFleet,
  put,
  readToken,
  type TestServer,
  useFolder,
  useServers,
  writeToken,
} from './support.ts';

function bearer(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

describe('an address', () => {
  const folder = useFolder();
  const servers = useServers();
  beforeAll(() => put(folder('history'), { id: 'a1' }));

  it('with a control character, or badly encoded, is refused with 400', async () => {
    const server = await servers.start(folder('history'));
    for (const path of [
      '/experiments/%00',
      '/benchmarks?project=%00',
      '/api/v1/experiments/a%0d',
      '/experiments/%ff',
    ]) {
      expect((await server.ask(path)).status, path).toBe(400);
    }
    expect((await server.ask('/benchmarks?project=a+b%20%25')).status).toBe(200);
    expect(server.told).toEqual([]);
  });

  it('of a database is not shown to readers', () => {
    const error = Object.assign(
      new Error(
        'postgres://me@db.internal/x: no host has that name (getaddrinfo ENOTFOUND db.internal). Nothing was stored.',
      ),
      { name: 'HistoryError', code: 'NO_CONNECTION' },
    );
    expect(toRequestError(error).message).toBe('the database: no host has that name. Nothing was stored.');
  });
});

describe('who may look', () => {
  const folder = useFolder();
  const servers = useServers();
  const fleet = new FakeFleet();
  beforeAll(() => put(folder('history'), { id: 'a1' }));

  function start(options = {}): Promise<TestServer> {
    return servers.start(folder('history'), {
      tokens: bothTokens,
      fleet: { view: fleet, cancel: fleet.cancel },
      ...options,
    });
  }

  function logIn(server: TestServer, token: string, headers: Record<string, string> = {}): Promise<Response> {
    return server.ask('/login', {
      method: 'POST',
      body: new URLSearchParams({ token, next: '/commits?page=1' }),
      headers,
    });
  }

  async function cookieOf(server: TestServer, token: string): Promise<string> {
    return (await logIn(server, token)).headers.get('set-cookie')?.split(';')[0] ?? '';
  }

  async function keyIn(server: TestServer, path: string, cookie: string): Promise<string> {
    return /name="key" value="([^"]+)"/.exec(await server.page(path, { headers: { cookie } }))?.[1] ?? '';
  }

  it('is nobody without a token, but for the form that asks for it and what it looks like', async () => {
    const server = await start();
    for (const path of ['/', '/benchmarks', '/experiments/a1/report', '/fleet', '/fleet/events', '/no/page']) {
      const response = await server.ask(path);
      expect([path, response.status, response.headers.get('location')]).toEqual([
        path,
        303,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
    }
    for (const path of ['/projects', '/openapi.json', '/fleet/events', '/no/thing']) {
      const response = await server.ask(`/api/v1${path}`);
      expect([path, response.status, response.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
      expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    }
    const page = await server.page('/login?next=//evil.example');
    expect(page).toContain('<input type="hidden" name="next" value="/" />');
    expect(page).not.toContain('Benchmarks');
    const style = /href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1] ?? '';
    const answer = await server.ask(style);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect((await server.ask('/fleet/experiments/f1/cancel', { method: 'POST' })).status).toBe(401);
  });

  it('is who has a token, in a header or after the form', async () => {
    const server = await start();
    expect((await server.ask('/', bearer(readToken))).status).toBe(200);
    expect((await server.ask('/', bearer(`${readToken}x`))).status).toBe(303);
    expect((await server.ask('/', { headers: { authorization: `Basic ${readToken}` } })).status).toBe(303);
    expect((await server.ask('/', { headers: { authorization: `bearer  ${readToken}` } })).status).toBe(200);

    const wrong = await logIn(server, 'guess');
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await wrong.text()).toContain('That token opens nothing here.');
    const right = await logIn(server, readToken);
    expect([right.status, right.headers.get('location')]).toEqual([303, '/commits?page=1']);
    const setCookie = right.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(/^deadheat_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(setCookie).not.toContain(readToken);
    const cookie = setCookie.split(';')[0] ?? '';
    expect((await server.ask('/api/v1/projects', { headers: { cookie } })).status).toBe(200);
    const proxied = await logIn(server, readToken, { 'x-forwarded-proto': 'https' });
    expect(proxied.headers.get('set-cookie')).toMatch(/; Secure;/);

    const key = await keyIn(server, '/', cookie);
    const out = await server.ask('/logout', {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ key }),
    });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/login']);
    expect((await server.ask('/', { headers: { cookie } })).status).toBe(303);
  });

  it('cancels only with a token to write and a form of the own session', async () => {
    const server = await start();

    async function cancel(init: RequestInit & { readonly headers?: Record<string, string> }): Promise<number> {
      return (await server.ask('/fleet/experiments/f1/cancel', { method: 'POST', ...init })).status;
    }

    async function api(init: RequestInit): Promise<number> {
      return (await server.ask('/api/v1/fleet/experiments/f1/cancel', { method: 'POST', ...init })).status;
    }

    const reader = await cookieOf(server, readToken);
    const writer = await cookieOf(server, writeToken);
    const other = await cookieOf(server, writeToken);

    function form(key: string): URLSearchParams {
      return new URLSearchParams({ key });
    }

    const ownKey = await keyIn(server, '/fleet/experiments/f1/cancel', writer);
    const otherKey = await keyIn(server, '/', other);
    const readerKey = await keyIn(server, '/', reader);

    expect(await server.page('/fleet', { headers: { cookie: reader } })).not.toContain('/cancel');
    expect((await server.ask('/fleet/experiments/f1/cancel', { headers: { cookie: reader } })).status).toBe(403);
    expect(await cancel({ headers: { cookie: reader }, body: form(readerKey) })).toBe(403);
    expect(await cancel({ headers: { cookie: writer } })).toBe(403);
    expect(await cancel({ headers: { cookie: writer }, body: form(otherKey) })).toBe(403);
    expect(await cancel({ headers: { cookie: writer, 'sec-fetch-site': 'cross-site' }, body: form(ownKey) })).toBe(403);
    expect(await cancel({ headers: { cookie: writer, origin: 'https://evil.example' }, body: form(ownKey) })).toBe(403);
    expect(await cancel({ headers: { cookie: writer, origin: 'null' }, body: form(ownKey) })).toBe(403);
    expect(await api({ headers: { cookie: writer } })).toBe(403);
    expect(await api(bearer(readToken))).toBe(403);
    expect(fleet.cancelled).toEqual([]);

    expect(await server.page('/fleet', { headers: { cookie: writer } })).toContain('/fleet/experiments/f1/cancel');
    expect(await cancel({ headers: { cookie: writer, 'sec-fetch-site': 'same-origin' }, body: form(ownKey) })).toBe(
      303,
    );
    expect(await api(bearer(writeToken))).toBe(200);
    const shortened = await server.ask('/api/v1/fleet/experiments/f/cancel', { method: 'POST', ...bearer(writeToken) });
    expect(shortened.status).toBe(404);
    expect(fleet.cancelled).toEqual(['f1', 'f1']);
  });

  it('cancels nothing where nobody may', async () => {
    const open = await start({ tokens: [] });
    expect((await open.ask('/fleet/experiments/f1/cancel', { method: 'POST' })).status).toBe(403);
    expect((await open.ask('/api/v1/fleet/experiments/f1/cancel', { method: 'POST' })).status).toBe(403);
    const reading = await start({ fleet: { view: fleet, cancel: null } });
    expect(
      (await reading.ask('/api/v1/fleet/experiments/f1/cancel', { method: 'POST', ...bearer(writeToken) })).status,
    ).toBe(403);
  });

  it('is everybody on this machine where there is no token, but no page of a site whose name was made to lead here', async () => {
    const server = await start({ tokens: [] });
    expect((await server.ask('/')).status).toBe(200);
    expect((await server.ask('/login')).headers.get('location')).toBe('/');

    function withHost(host: string): Promise<number | undefined> {
      return new Promise((resolve, reject) => {
        request(server.url, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .once('error', reject)
          .end();
      });
    }

    expect(await withHost('evil.example:8080')).toBe(403);
    expect(await withHost('localhost:1')).toBe(200);
  });

  it('is sent to browsers, which load nothing from elsewhere', async () => {
    const server = await start({ tokens: [] });
    for (const path of ['/', '/api/v1/projects', '/no/page', '/login']) {
      const { headers } = await server.ask(path);
      expect(headers.get('content-security-policy'), path).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('x-frame-options'), path).toBe('DENY');
      expect(headers.get('referrer-policy'), path).toBe('same-origin');
      expect(headers.get('cache-control'), path).toBe('private, no-cache');
    }
    const large = await server.ask('/logout', {
      method: 'POST',
      body: new URLSearchParams({ key: 'x'.repeat(20_000) }),
    });
    expect(large.status).toBe(400);
  });

  it('is refused an address that others reach without a token, and one that is taken', async () => {
    await expect(start({ tokens: [], host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
      message: expect.stringContaining('--token-file') as unknown,
    });
    const server = await start();
    await expect(start({ port: Number(new URL(server.url).port) })).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' });
    await expect(start({ host: '203.0.113.7' })).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
  });
});

describe('a file of tokens', () => {
  const folder = useFolder();

  function read(text: string, mode = 0o600): ReturnType<typeof readTokenFile> {
    const path = folder('tokens');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return readTokenFile(path);
  }

  function failure(act: () => unknown): ServerError {
    try {
      act();
    } catch (error) {
      return error as ServerError;
    }
    throw new TypeError('nothing failed');
  }

  it('has a line for each, to read where it does not say', () => {
    const tokens = read(
      `# of the team\n\nread ${readToken}  # dashboards\nwrite\t${writeToken}\nplain-token-of-the-tests-0123\n`,
    );
    expect(
      [readToken, writeToken, 'plain-token-of-the-tests-0123', 'none'].map((secret) => {
        const token = tokenWith(secret, tokens);
        return token === null ? null : `${token.access} ${token.name ?? ''}`;
      }),
    ).toEqual(['read dashboards', 'write ', 'read ', null]);
  });

  it('is refused where others read it, it is empty, or a line is no token, which is not repeated', () => {
    expect(failure(() => readTokenFile(folder('none')))).toMatchObject({ code: 'BAD_TOKEN' });
    expect(failure(() => read(`read ${readToken}`, 0o640)).message).toContain('chmod 600');
    expect(failure(() => read('# nothing\n')).message).toContain('holds no token');
    for (const line of [
      'short-secret',
      `admin ${readToken}`,
      `read ${readToken} more`,
      'read sécret-sécret-sécret-sécret',
      'read secret=secret=secret=secret',
    ]) {
      const error = failure(() => read(`# first\n${line}\n`));
      expect(error).toMatchObject({ code: 'BAD_TOKEN', message: expect.stringContaining('tokens:2 ') as unknown });
      expect(error.message).not.toMatch(/secret|0123456789/);
    }
  });
});

describe('sessions', () => {
  it('end by themselves, and the oldest where there are too many', () => {
    let now = 0;
    const sessions = new Sessions(() => now);
    const first = sessions.start({ access: 'read', name: null });
    expect(sessions.find(first.id)).toEqual(first);
    now += sessionHours * 3600e3 - 1;
    expect(sessions.find(first.id)).toEqual(first);
    now += 1;
    expect(sessions.find(first.id)).toBeNull();
    const second = sessions.start({ access: 'write', name: 'the team' });
    for (let count = 0; count < 2000; count += 1) sessions.start({ access: 'read', name: null });
    expect(sessions.find(second.id)).toBeNull();
    expect(second.formKey).not.toBe(first.formKey);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.evil.example', false],
  ['10.0.0.1', false],
])('knows whether %s is this machine alone', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
  expect(isLoopbackHeader(`${host.includes(':') ? `[${host}]` : host}:8080`)).toBe(expected);
});
