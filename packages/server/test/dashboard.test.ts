import { beforeAll, describe, expect, it } from 'vitest';
import { comparisonSchema, experimentSchema, pageOf, projectSchema, seriesSchema } from '../src/api/schemas.ts';
import { commit, noPostgres, put, useDatabase, useFolder, useServers, type TestServer } from './support.ts';

/** What the dashboard must show of both ways to keep recordings. */
function shows(place: () => string): void {
  const servers = useServers();

  function start(): Promise<TestServer> {
    return servers.start(place());
  }

  beforeAll(async () => {
    // B takes 10 % longer from the fifth commit on; a second project has two benchmarks of one experiment.
    for (let at = 0; at < 8; at += 1) {
      await put(place(), {
        id: `exp${at}`,
        a: commit('v1', 1),
        b: commit(`c${at}`, 10 + at),
        slowdown: at < 4 ? 1 : 1.1,
      });
    }
    await put(place(), { id: 'scans', project: 'scan & <i>', iterations: 40, b: commit('s1', 2) });
  });

  it('lists projects with the verdicts of their newest comparisons', async () => {
    const server = await start();
    const page = await server.page('/');
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

  it('shows experiments in the order of their commits, and one with its comparisons', async () => {
    const server = await start();
    const commits = await server.page('/commits?project=parser');
    expect([...commits.matchAll(/\/experiments\/(exp\d)"/g)].map(([, id]) => id)).toEqual(
      [7, 6, 5, 4, 3, 2, 1, 0].map((at) => `exp${at}`),
    );
    const page = await server.page('/experiments/scans');
    expect(page).toContain('2 comparisons, the worst first.');
    expect(page).toContain('<code>deadheat pull scans</code>');
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

  it('shows what was put meanwhile', async () => {
    const server = await start();
    expect(await server.page('/')).not.toContain('late');
    await put(place(), { id: 'new', project: 'late' });
    expect(await server.page('/')).toContain('/benchmarks?project=late');
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
      expect(await server.page('/')).toContain('/benchmarks?project=parser');
    }
    expect(server.told).toEqual([]);
  });
});
