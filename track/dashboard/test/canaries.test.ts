import { describe, expect, it } from 'vitest';
import { type History, canaryProject, type HistoryPoint, type SeriesName } from '@deadheat/history';
import { createRandom } from '@deadheat/stats';
import type { ServerContext } from '../src/context.ts';
import { metricsText } from '../src/metrics.ts';
import { canariesPage } from '../src/pages/canaries-page.ts';
import type { Page } from '../src/pages/page.ts';
import { CatalogView } from '../src/source/catalog.ts';
import { ChangeSearch } from '../src/source/change-search.ts';
import { HistorySource } from '../src/source/history-source.ts';

const noise = createRandom('canaries');

/** A canary of one day: 5 % slower from day 30 on, on the host that ages. */
function canary(host: string, day: number): HistoryPoint {
  const timeNs = 5e7 * (host === 'ageing <1>' && day >= 30 ? 1.05 : 1) * Math.exp(0.001 * noise.normal());
  const differs = host === 'steady' && day === 12;
  return {
    project: canaryProject,
    benchmark: 'integer',
    params: { host },
    method: 'tandem',
    experiment: `${host} ${day}`,
    startedAt: new Date(Date.UTC(2026, 2, 1 + day)).toISOString(),
    commits: { A: null, B: null },
    hostname: host,
    metric: 'cpu',
    ratio: {
      estimate: differs ? 0.97 : 1,
      low: differs ? 0.96 : 0.999,
      high: differs ? 0.98 : 1.001,
      confidence: 0.99,
    },
    verdict: differs ? 'faster' : 'dead-heat',
    margin: 0.01,
    minimalDetectableSlowdown: 0.01,
    runs: 15,
    meanNs: { A: timeNs, B: timeNs },
  };
}

const points = ['ageing <1>', 'steady'].flatMap((host) => Array.from({ length: 50 }, (_, day) => canary(host, day)));

function viewOf(held: readonly HistoryPoint[]): { readonly view: CatalogView; readonly source: HistorySource } {
  async function series({
    params,
  }: {
    readonly params?: Readonly<Record<string, string>>;
  }): Promise<readonly HistoryPoint[]> {
    return held.filter((point) => params === undefined || point.params['host'] === params['host']);
  }
  const history = {
    series,
    seriesOf: async (names: readonly SeriesName[]) => Promise.all(names.map(series)),
    metrics: async () => [],
    close: async () => {},
  };
  const source = new HistorySource(async () => history as unknown as History);
  const hosts = new Map(held.map((point) => [point.params['host'], point]));
  const facts = { revision: '1', place: 'somewhere', latest: [...hosts.values()], recordings: [] };
  return { view: new CatalogView(source, facts), source };
}

function canariesOf(held: readonly HistoryPoint[]): Promise<Page> {
  const { view } = viewOf(held);
  const asked = { context: { catalog: { now: async () => view } }, query: { page: 1 } };
  return canariesPage.show(asked as never);
}

/** The text of a page without its tags. */
function textOf({ content }: Page): string {
  return content.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('the page of canaries', () => {
  it('lists their alarms, and shows the time of each over the months', async () => {
    const page = await canariesOf(points);
    const text = textOf(page);
    expect(text).toContain('2026-03-31 00:00 UTC ageing &lt;1&gt; integer became slower');
    expect(text).toContain('2026-03-13 00:00 UTC steady integer differed from itself -3.0 %');
    expect(text).toContain('It never differed from itself; its level changed 1 time.');
    expect(text).toContain('It differed from itself 1 time; its level never changed.');
    expect(page.content.text.match(/<figure/g)).toHaveLength(2);
  });

  it('says how to get one where there is none', async () => {
    expect(textOf(await canariesOf([]))).toContain('deadheat history watch');
  });
});

describe('canaries', () => {
  it('are in the metrics, by host', async () => {
    const { view, source } = viewOf(points);
    const context = {
      toolVersion: '1',
      fleet: null,
      catalog: { now: async () => view },
      changes: new ChangeSearch(source, () => {}),
      triage: { view: async () => ({ of: () => [] }) },
    } as unknown as ServerContext;
    const text = await metricsText(context);
    expect(text).toContain(
      'deadheat_canary_alarms{host="ageing <1>",workload="integer",method="tandem",kind="level"} 1',
    );
    expect(text).toContain('deadheat_canary_alarms{host="steady",workload="integer",method="tandem",kind="differs"} 1');
    expect(text).toMatch(/deadheat_canary_level_seconds\{host="steady",workload="integer",method="tandem"\} 0\.0[45]/);
  });

  it('are no changes of a program', async () => {
    const { view, source } = viewOf(points);
    const search = new ChangeSearch(source, () => {});
    expect(await search.of(view)).toMatchObject({ changes: [], pending: 0 });
    expect(search.tailOf(points[0] as HistoryPoint)?.changes).toHaveLength(1);
    await search.close();
  });
});
