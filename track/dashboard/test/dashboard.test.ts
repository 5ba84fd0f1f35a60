import { beforeAll, describe, expect, it } from 'vitest';
import {
  commitRowSchema,
  comparisonSchema,
  experimentSchema,
  foundChangeSchema,
  pageOf,
  projectSchema,
  seriesSchema,
  summarySchema,
} from '../src/api/schemas.ts';
import { explanation } from '../../../core/report/test/support-explanation.ts';
import type { ServerOptions } from '../src/start-server.ts';
import {
  bothTokens,
  commit,
  noPostgres,
  put,
  readToken,
  useDatabase,
  useFolder,
  useServers,
  writeToken,
  type TestServer,
} from './support.ts';

/** What the dashboard must show of both ways to keep recordings. */
function shows(place: () => string): void {
  const servers = useServers();

  function start(options: Partial<ServerOptions> = {}): Promise<TestServer> {
    return servers.start(place(), options);
  }

  beforeAll(async () => {
    // B takes 10 % longer from the fifth commit on; a second project has two benchmarks of one experiment.
    for (let at = 0; at < 8; at += 1) {
      await put(place(), {
        id: `exp${at}`,
        a: commit('v1', 1),
        b: commit(`c${at}`, 10 + at),
        slowdown: at < 4 ? 1 : 1.1,
        ...(at === 4 ? { explanation } : {}),
      });
    }
    await put(place(), { id: 'scans', project: 'scan & <i>', iterations: 40, b: commit('s1', 2) });
  });

  it('lists projects with the verdicts of their newest comparisons', async () => {
    const server = await start();
    const page = await server.page('/projects');
    expect(page).toContain('<a href="/benchmarks?project=parser">parser</a>');
    expect(page).toContain('scan &amp; &lt;i&gt;');
    expect(page).not.toContain('<i>');
    const projects = projectSchema.array().parse(await server.json('/projects'));
    expect(projects.map(({ project, benchmarks, experiments }) => [project, benchmarks, experiments])).toEqual([
      ['parser', 1, 8],
      ['scan & <i>', 2, 1],
    ]);
    expect(projects[0]).toMatchObject({
      verdicts: { slower: 1 },
      measuredAt: expect.stringMatching(/^2026-03-17T12:00:00/) as unknown,
    });
  });

  it('finds benchmarks by name, project and verdict, and shows them in parts', async () => {
    const server = await start();

    async function names(query: string): Promise<readonly string[]> {
      const { items } = pageOf(comparisonSchema).parse(await server.json(`/benchmarks?${query}`));
      return items.map(({ benchmark, params }) => `${benchmark} ${params['size'] ?? ''}`);
    }

    expect((await names('')).toSorted()).toEqual(['parse 5', 'scan 1', 'scan 2']);
    expect((await names(''))[0]).toBe('parse 5');
    expect(await names('sort=name')).toEqual(['parse 5', 'scan 1', 'scan 2']);
    expect((await names('sort=newest'))[0]).toBe('parse 5');
    expect(await names('q=SIZE%3D2')).toEqual(['scan 2']);
    expect(await names('verdict=slower')).toEqual(['parse 5']);
    expect(await names('method=sequential')).toEqual([]);
    expect(await names('sort=name&offset=1&limit=1')).toEqual(['scan 1']);
    expect(await server.json('/benchmarks?limit=1')).toMatchObject({ total: 3 });

    const page = await server.page('/benchmarks?q=scan&verdict=&page=99');
    expect(page).toContain('The newest comparison of 2 benchmarks.');
    expect(page).toContain('/series?project=scan+%26+%3Ci%3E&amp;benchmark=scan&amp;params=%7B%22size%22%3A%221%22%7D');
    expect(page).not.toContain('>parse size=5<');
    expect(await server.page('/benchmarks?q=nothing')).toContain('No benchmark fits.');
  });

  it('shows one benchmark over the commits, and where its level changed', async () => {
    const server = await start();
    const query = 'project=parser&benchmark=parse&params=%7B%22size%22%3A%225%22%7D';
    const series = seriesSchema.parse(await server.json(`/series?${query}`));
    expect(series.points.map(({ commits }) => commits.B?.label)).toEqual([
      'c0',
      'c1',
      'c2',
      'c3',
      'c4',
      'c5',
      'c6',
      'c7',
    ]);
    expect(series.quantity).toBe('ratio');
    expect(series.changes).toEqual([
      expect.objectContaining({ at: 4, after: commit('c3', 13), until: commit('c4', 14) }),
    ]);
    expect(series.changes[0]?.ratio).toBeCloseTo(1.1, 1);
    const page = await server.page(`/series?${query}`);
    expect(page).toMatch(/<svg [^>]*aria-label="Ratio of B to A [^"]*8 comparisons [^"]*changes of level: 1"/);
    expect(page).toMatch(
      /<li>\s*<b>\+\S+ %<\/b> after\s*<code title="c30+">c3<\/code> and until\s*<code title="c40+">c4<\/code>/,
    );
    expect(page).toContain('/experiments/exp7/comparison?project=parser&amp;benchmark=parse');

    expect(page).toContain('Changes smaller than 0.5 % are not shown.');
    expect(series.leastChange).toBe(0.005);
    expect(seriesSchema.parse(await server.json(`/series?${query}&leastChange=0.3`))).toMatchObject({
      leastChange: 0.3,
      changes: [],
    });
    expect(await server.page(`/series?${query}&leastChange=0.3`)).toContain('Changes smaller than 30 % are not shown.');
    expect((await server.ask(`/api/v1/series?${query}&leastChange=-1`)).status).toBe(400);

    expect(await server.page(`/series?${query}&of=time`)).toContain('Mean time of B, 8 comparisons');
    const against = await server.ask(`/series?${query}&against=v9`);
    expect(against.status).toBe(404);
    expect(await against.text()).toContain('There is no comparison of parse here that fits.');
  });

  it('follows every metric that the reports hold', async () => {
    const server = await start();
    const query = 'project=parser&benchmark=parse&params=%7B%22size%22%3A%225%22%7D';
    const { metric, metrics } = seriesSchema.parse(await server.json(`/series?${query}`));
    expect(metric).toBeNull();
    expect(metrics.map(({ name }) => name)).toEqual(['cpu', 'time']);
    const cpu = seriesSchema.parse(await server.json(`/series?${query}&metric=cpu&of=value`));
    expect(cpu).toMatchObject({ metric: 'cpu', quantity: 'time', metrics });
    expect(cpu.points.map((point) => [point.metric, point.measured?.unit])).toEqual(
      Array.from({ length: 8 }, () => ['cpu', 'ns']),
    );
    const page = await server.page(`/series?${query}&metric=cpu`);
    expect(page).toMatch(/<option value="cpu" selected>\s*CPU time/);
    expect(page).toContain('B / A of CPU time against the one baseline');
    const absent = await server.ask(`/series?${query}&metric=%3Cb%3E`);
    expect(absent.status).toBe(404);
    expect(await absent.text()).toContain('Its comparisons hold cpu, time.');
  });

  it('shows several benchmarks in one picture, each against its first level', async () => {
    const server = await start();
    const keys = [
      ['parser', 'parse', '{"size":"5"}', 'sync-duet'],
      ['scan & <i>', 'scan', '{"size":"1"}', 'sync-duet'],
    ].map((key) => `series=${encodeURIComponent(JSON.stringify(key))}`);
    expect(await server.page('/benchmarks')).toContain('form="together"');
    const page = await server.page(`/together?${keys.join('&')}`);
    expect(page).toMatch(
      /<svg [^>]*aria-label="against the first level, as a difference in percent: 2 series over 9 commits"/,
    );
    expect(page).toContain('<span class="key r1">scan size=1, scan &amp; &lt;i&gt;</span>');
    expect(page.match(/class="points t[01] few r[01]"/g)).toHaveLength(2);
    expect(page).toMatch(new RegExp(`href="/together\\?${keys[1]?.replaceAll('%20', '\\+') ?? ''}"`));
    expect(await server.page('/together')).toContain('No benchmark was chosen.');
    expect((await server.ask('/together?series=%5B1%5D')).status).toBe(400);
    const unknown = encodeURIComponent(JSON.stringify(['p', 'b', '{}', 'tandem']));
    expect((await server.ask(`/together?series=${unknown}`)).status).toBe(404);
  });

  it('sums a project up over its commits', async () => {
    const server = await start();
    const { base, isBaseCommon, series, points } = summarySchema.parse(await server.json('/summary?project=parser'));
    expect([base?.commit?.label, isBaseCommon, series]).toEqual(['c0', true, 1]);
    expect(points.map(({ commit: ref, measured }) => `${ref?.label ?? ''} ${measured}`)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => `c${at} 1`),
    );
    expect(points[0]?.score).toBe(1);
    expect(points[7]?.score).toBeCloseTo(1.1, 1);
    expect((await server.ask('/api/v1/summary?project=none')).status).toBe(404);
    const page = await server.page('/summary?project=parser');
    expect(page).toMatch(/<svg [^>]*aria-label="summary score, as a difference in percent: 1 series over 8 commits"/);
    expect(page).toContain('class="joined"');
    expect(await server.page('/summary?project=none')).toContain('There is no comparison of none that fits.');
    expect(await server.page('/summary')).toContain('<h1>Summary of');
  });

  it('begins with what changed, the commits between which it did, and what finds the one', async () => {
    const server = await start({ repositories: new Map([['parser', 'https://git.example.org/parser']]) });
    const { items, total } = pageOf(foundChangeSchema).parse(await server.json('/changes'));
    expect(total).toBe(1);
    const [change] = items;
    expect(change).toMatchObject({
      project: 'parser',
      benchmark: 'parse',
      after: { label: 'c3' },
      until: { label: 'c4' },
      experiment: 'exp4',
      since: 4,
      triage: null,
    });
    expect(change?.ratio).toBeCloseTo(1.1, 1);
    expect(change?.low).toBeLessThan(change?.ratio ?? 0);
    const page = await server.page('/');
    const [c3, c4] = ['c3', 'c4'].map((label) => commit(label, 1).id);
    expect(page).toContain(`href="https://git.example.org/parser/compare/${c3 ?? ''}...${c4 ?? ''}"`);
    expect(page).toContain('class="spark"');
    expect(await server.page('/?direction=faster')).toContain('No change fits.');
    expect(await server.page('/?state=new&q=size%3D5')).toContain(`/changes/${change?.id ?? ''}"`);

    const detail = await server.page(`/changes/${change?.id ?? ''}`);
    expect(detail).toMatch(/deadheat bisect c30+ c40+ -- \S+/);
    expect(detail).not.toContain('COMMAND');
    expect(detail).toContain('/experiments/exp4/comparison');
    expect(detail).toContain('x&lt;/script&gt;|y');
    expect(detail).toContain('href="/experiments/exp4/report#functions"');
    expect((await server.ask('/changes/none')).status).toBe(404);
  });

  it('keeps what is decided about a change, with who and when, for a token to write alone', async () => {
    const server = await start({ tokens: bothTokens });

    function by(token: string): RequestInit {
      return { headers: { authorization: `Bearer ${token}` } };
    }

    const list = await server.json<{ items: { id: string }[] }>('/changes', by(readToken));
    const id = list.items[0]?.id ?? '';

    async function decide(token: string, query: string): Promise<number> {
      return (await server.ask(`/api/v1/changes/${id}/triage?${query}`, { method: 'POST', ...by(token) })).status;
    }

    expect(await decide(readToken, 'state=expected')).toBe(403);
    expect(await decide(writeToken, 'state=wanted')).toBe(400);
    expect(await decide(writeToken, 'state=ticket')).toBe(400);
    expect(await decide(writeToken, `state=acknowledged&note=${'x'.repeat(3000)}`)).toBe(400);
    expect(await server.page('/', by(readToken))).toContain('<span class="triage new">new</span>');

    const ticket = 'https://example.org/7?a=<b>';
    expect(await decide(writeToken, `state=ticket&ticket=${encodeURIComponent(ticket)}&note=%3Ci%3E`)).toBe(200);
    expect(await server.page('/', by(readToken))).toMatch(
      /<span class="triage ticket">ticket<\/span\s*>\s*<a href="https:\/\/example.org\/7\?a=&lt;b&gt;" rel="noreferrer">.*\s*<small>the team<span class="at">, <time/,
    );
    expect(await server.page(`/changes/${id}`, by(readToken))).toContain('&lt;i&gt;');
    expect(await decide(writeToken, 'state=expected&by=Ann')).toBe(200);
    expect(await server.json('/changes?state=expected', by(readToken))).toMatchObject({
      total: 1,
      items: [{ triage: { state: 'expected', by: 'Ann', ticket: null } }],
    });
    expect(await server.json('/changes?state=open', by(readToken))).toMatchObject({ total: 0 });

    const login = await server.ask('/login', { method: 'POST', body: new URLSearchParams({ token: writeToken }) });
    const headers = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const key = /name="key" value="([^"]+)"/.exec(await server.page(`/changes/${id}`, { headers }))?.[1] ?? '';

    async function send(form: Readonly<Record<string, string>>, more = {}): Promise<number> {
      const body = new URLSearchParams(form);
      return (await server.ask(`/changes/${id}`, { method: 'POST', body, headers: { ...headers, ...more } })).status;
    }

    expect(await send({ state: 'new' })).toBe(403);
    expect(await send({ state: 'new', key: 'x' })).toBe(403);
    expect(await send({ state: 'new', key }, { 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await send({ state: 'new', key, note: 'once more' })).toBe(303);
    const page = await server.page(`/changes/${id}`, { headers });
    expect([...page.matchAll(/<span class="triage (\w+)"/g)].map(([, state]) => state)).toEqual([
      'new',
      'new',
      'expected',
      'ticket',
    ]);
    // A program that has only the cookie cannot decide.
    expect((await server.ask(`/api/v1/changes/${id}/triage?state=new`, { method: 'POST', headers })).status).toBe(403);
  });

  it('compares two commits over all benchmarks', async () => {
    const server = await start();

    async function compared(query: string): Promise<unknown> {
      return server.json(`/compare?${query}`);
    }

    const answer = pageOf(commitRowSchema).parse(await compared('from=c1&to=c6'));
    expect(answer.items).toMatchObject([
      { project: 'parser', benchmark: 'parse', basis: 'baseline', verdict: 'slower', experiment: 'exp6' },
    ]);
    expect(answer.items[0]?.estimate).toBeCloseTo(1.1, 1);
    expect(await compared('from=c6&to=c10')).toMatchObject({ items: [{ verdict: 'faster', basis: 'baseline' }] });
    expect(await compared('from=v1&to=c6')).toMatchObject({ items: [{ verdict: 'slower', basis: 'direct' }] });
    expect(await compared('from=c6&to=v1')).toMatchObject({ items: [{ verdict: 'faster', basis: 'direct' }] });
    expect(await compared('from=c0&to=c1')).toMatchObject({ total: 0, geometricMean: expect.closeTo(1, 2) as unknown });
    expect(await compared('from=c0&to=c1&show=all')).toMatchObject({ items: [{ verdict: 'undecided' }] });
    expect((await server.ask('/api/v1/compare?from=zz&to=c1')).status).toBe(404);
    expect((await server.ask('/api/v1/compare?from=c&to=c1')).status).toBe(400);

    const page = await server.page('/compare?from=c1&to=c6');
    expect(page).toMatch(/1 benchmark, 1 slower and 0 faster; the\s+geometric mean of their ratios is <b>\+\S+ %<\/b>/);
    expect(page).toContain('aria-label="1 ratios as differences in percent, 1 slower, ');
    expect(await server.page('/compare?from=c0&to=c1')).toContain('No difference is certain.');
    expect(await server.page('/compare')).toContain('<option value="c7">');
    expect((await server.ask('/compare?from=c1&to=zz')).status).toBe(404);
  });

  it('shows experiments in the order of their commits, and one with its comparisons', async () => {
    const server = await start();
    const commits = await server.page('/commits?project=parser');
    expect([...commits.matchAll(/\/experiments\/(exp\d)"/g)].map(([, id]) => id)).toEqual(
      [7, 6, 5, 4, 3, 2, 1, 0].map((at) => `exp${at}`),
    );
    const page = await server.page('/experiments/scans');
    expect(page).toContain('2 comparisons, the worst first.');
    expect(page).toContain('<code>deadheat history pull scans</code>');
    const { items, total } = pageOf(experimentSchema).parse(await server.json('/experiments?limit=2'));
    expect([total, ...items.map(({ id }) => id)]).toEqual([9, 'exp7', 'exp6']);
    expect(await server.json('/experiments/scans')).toMatchObject({
      experiment: { id: 'scans', comparisons: 2 },
      comparisons: [{ benchmark: 'scan' }, { benchmark: 'scan' }],
    });
    expect(await server.json('/experiments/scans/report')).toMatchObject({ schema: 'deadheat.report/1' });
  });

  it('shows one comparison with its neighbours and the report of its experiment', async () => {
    const server = await start();
    const query = 'project=parser&benchmark=parse&params=%7B%22size%22%3A%225%22%7D';
    const page = await server.page(`/experiments/exp5/comparison?${query}`);
    expect(page).toMatch(/SLOWER<\/span\s*>\s*B against A: \+\S+ % \[\+\S+ % … \+\S+ %\], 99 % CI/);
    expect(page).toMatch(/Before:\s*<a href="\/experiments\/exp4\/comparison/);
    expect(page).toMatch(/After:\s*<a href="\/experiments\/exp6\/comparison/);
    const report = await server.ask('/experiments/exp5/report');
    expect(await report.text()).toContain('<title>exp5</title>');
    expect(report.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect((await server.ask(`/experiments/exp5/comparison?project=parser&benchmark=other`)).status).toBe(404);
  });

  it('shows the series of the method that was measured last, unless another is asked for', async () => {
    const methods = ['sync-duet', 'sync-duet', 'tandem'] as const;
    for (const [at, method] of methods.entries()) {
      await put(place(), { id: `moved${at}`, project: 'moved', method, b: commit(`m${at}`, 10 + at) });
    }
    const server = await start();
    const query = 'project=moved&benchmark=parse&params=%7B%22size%22%3A%225%22%7D';

    async function idsOf(more: string): Promise<readonly string[]> {
      const { method, points } = seriesSchema.parse(await server.json(`/series?${query}${more}`));
      return [method, ...points.map(({ experiment }) => experiment)];
    }

    expect(await idsOf('')).toEqual(['tandem', 'moved2']);
    expect(await idsOf('&method=sync-duet')).toEqual(['sync-duet', 'moved0', 'moved1']);
    expect((await server.ask(`/api/v1/series?${query}&method=sequential`)).status).toBe(404);
    const page = await server.page(`/series?${query}`);
    expect(page).toMatch(/tandem:\s+1 comparison in the order/);
    // A link without a method leads to what the experiment compared.
    expect(await server.page(`/experiments/moved0/comparison?${query}`)).toMatch(/\d+, sync-duet, judged by/);
    const none = await server.ask(`/experiments/moved0/comparison?${query}&method=tandem`);
    expect(await none.text()).toContain('no comparison of parse size=5 by tandem');
  });

  it('tells monitors how it is: its health to everybody, its numbers with a token', async () => {
    const server = await start({ tokens: bothTokens });
    const health = await server.ask('/healthz');
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
    expect((await server.ask('/metrics')).status).toBe(401);
    const metrics = await server.ask('/metrics', { headers: { authorization: `Bearer ${readToken}` } });
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = (await metrics.text()).split('\n');
    expect(lines).toContain('deadheat_build_info{version="0.1.0"} 1');
    expect(lines).toContain('deadheat_history_verdicts{project="parser",verdict="slower"} 1');
    expect(lines).toContain('# TYPE deadheat_changes gauge');
    expect(lines).toContain('deadheat_changes_pending_series 0');
    expect(lines.filter((line) => line !== '' && !/^(?:# (?:HELP|TYPE) )?[a-z_]+(?:\{.*\})? .+$/.test(line))).toEqual(
      [],
    );
  });

  it('shows what was put meanwhile', async () => {
    const server = await start();
    expect(await server.page('/projects')).not.toContain('late');
    await put(place(), { id: 'new', project: 'late' });
    expect(await server.page('/projects')).toContain('/benchmarks?project=late');
    expect(await server.json('/experiments/new')).toMatchObject({ experiment: { project: 'late' } });
  });

  it('tells what cannot be asked, with a code', async () => {
    const server = await start();

    async function codeOf(path: string, init: RequestInit = {}): Promise<string> {
      const response = await server.ask(`/api/v1${path}`, init);
      const { error } = (await response.json()) as { readonly error: { readonly code: string } };
      return `${response.status} ${error.code}`;
    }

    expect(await codeOf('/experiments/none')).toBe('404 NOT_FOUND');
    expect(await codeOf('/experiments/none/report')).toBe('404 NOT_FOUND');
    expect(await codeOf('/nothing')).toBe('404 NOT_FOUND');
    expect(await codeOf('/projects', { method: 'DELETE' })).toBe('405 METHOD_NOT_ALLOWED');
    expect(await codeOf('/benchmarks?verdict=worse')).toBe('400 BAD_REQUEST');
    expect(await codeOf('/benchmarks?limit=5000')).toBe('400 BAD_REQUEST');
    expect(await codeOf('/series?project=parser&benchmark=parse&params=%5B1%5D')).toBe('400 BAD_REQUEST');
    expect(await codeOf('/series?benchmark=parse')).toBe('400 BAD_REQUEST');
    expect(await codeOf('/fleet/workers')).toBe('404 NO_FLEET');
    const missing = await server.ask('/no/page');
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain('<h1>Nothing here</h1>');
    expect(server.told).toEqual([]);
  });
}

describe('a dashboard of files', () => {
  const folder = useFolder();
  shows(() => folder('history'));
});

describe.skipIf(noPostgres !== null)('a dashboard of PostgreSQL', () => {
  const database = useDatabase();
  const servers = useServers();
  shows(() => database.get().url());

  it('goes on after its connection was cut', async () => {
    const server = await servers.start(database.get().url());
    const cut = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'deadheat'";
    for (let time = 0; time < 2; time += 1) {
      database.get().sql(cut);
      expect(await server.page('/projects')).toContain('/benchmarks?project=parser');
    }
    expect(server.told).toEqual([]);
  });
});
