import { countVerdicts, type HistoryPoint, seriesKey, type StoredRecording } from '@deadheat/history';
import { pointMetricName } from '@deadheat/model';
import {
  chooseTimeUnit,
  countOf,
  differenceMarkup,
  facts,
  formatShare,
  formatTime,
  type Held,
  html,
  type Markup,
  nameOf,
  plainTable,
  verdictBadge,
} from '@deadheat/report';
import { z } from 'zod';
import { pageNumber, seriesNameQuery, worstFirst } from '../api/queries.ts';
import { RequestError } from '../errors.ts';
import { comparisonTable } from '../html/comparison-table.ts';
import {
  commitName,
  commitPair,
  comparisonLink,
  experimentLink,
  link,
  momentOf,
  pagingLinks,
  pagingOf,
  projectChoice,
  sentenceOf,
  seriesLink,
  timeOf,
  verdictTally,
} from '../html/words.ts';
import { seriesAmong, type VerdictCounts } from '../source/catalog.ts';
import { definePage } from './page.ts';

const size = 200;

/** One experiment with its comparisons. */
export const experimentPage = definePage({
  path: '/experiments/:id',
  section: '/commits',
  query: z.object(pageNumber),
  show: async ({ context, id, query: { page } }) => {
    const catalog = await context.catalog.now();
    const { project, startedAt, commits, hostname, toolVersion } = catalog.recording(id);
    const [comparisons = []] = await catalog.comparisons([id]);
    const points = worstFirst(comparisons);
    const paging = pagingOf(points.length, { page, size });
    const path = experimentLink(id);
    const content = html`${verdictTally(countVerdicts(points))}
    ${facts([
      ['A', commitName(commits.A)],
      ['B', commitName(commits.B)],
      ['project', html`<a href="${link('/benchmarks', { project })}">${project}</a>`],
      ['measured', html`${momentOf(startedAt)} on ${hostname}, by deadheat ${toolVersion}`],
      [
        'more',
        html`<a href="${path}/report">the whole report</a> with every plot,
          <a href="/api/v1${path}/report">report.json</a>, or the recording: <code>deadheat history pull ${id}</code>`,
      ],
    ])}
    ${
      points.length === 0
        ? html`<p class="note">Its report has no comparison.</p>`
        : comparisonTable(points.slice(paging.from, paging.to), {
            caption: `${countOf(points.length, 'comparison')}, the worst first.`,
            leadsTo: 'comparison',
            shows: { project: false, commits: false },
          })
    }
    ${pagingLinks(paging, { total: points.length, linkTo: (at) => link(path, { page: at }) })}`;
    return { title: `Experiment ${id}`, content };
  },
});

/** One comparison, with those before and after it. @throws RequestError `NOT_FOUND` */
export const comparisonPage = definePage({
  path: '/experiments/:id/comparison',
  section: '/commits',
  query: seriesNameQuery,
  show: async ({ context, id, query: asked }) => {
    const catalog = await context.catalog.now();
    catalog.recording(id);
    const [comparisons = []] = await catalog.comparisons([id]);
    const name = seriesAmong(comparisons, asked);
    const key = seriesKey(name);
    const point = comparisons.find((one) => seriesKey(one) === key);
    if (point === undefined) {
      throw new RequestError(
        'NOT_FOUND',
        `Experiment ${id} has no comparison of ${nameOf(name)}${asked.method === undefined ? '' : ` by ${asked.method}`}.`,
      );
    }
    const { points } = await catalog.series({ name, quantity: undefined, against: undefined });
    const at = points.findIndex(({ experiment }) => experiment === id);
    const { commits, meanNs, runs, method, metric, margin, minimalDetectableSlowdown: seen } = point;
    const unit = chooseTimeUnit(meanNs.A / 1e9);
    const path = experimentLink(id);
    const content = html`<p class="sentence">${verdictBadge(point)} ${sentenceOf(point)}</p>
      ${facts([
        ['A', html`${commitName(commits.A)}, ${formatTime(meanNs.A / 1e9, unit)}`],
        ['B', html`${commitName(commits.B)}, ${formatTime(meanNs.B / 1e9, unit)}`],
        ['runs', `${runs}, ${method}, judged by ${pointMetricName(metric)}`],
        ['found in 4 of 5', seen > 1e6 ? 'no slowdown' : `a true slowdown of ${formatShare(seen)}`],
        ...(margin > 0 ? [['margin', formatShare(margin)] as const] : []),
        ['measured', html`${momentOf(point.startedAt)}${point.hostname === null ? null : ` on ${point.hostname}`}`],
        ['series', html`<a href="${seriesLink(point)}">this benchmark over the commits</a>`],
        [
          'report',
          html`<a href="${path}/report">everything that was measured</a>, of <a href="${path}">experiment ${id}</a>`,
        ],
      ])}
      <h2>Before and after it</h2>
      ${neighbours([points[at - 1], points[at + 1]])}`;
    return { title: nameOf(point), content };
  },
});

function neighbours([before, after]: readonly (HistoryPoint | undefined)[]): Markup {
  return html`<ul class="neighbours">
    ${[['Before', before] as const, ['After', after] as const].map(
      ([name, point]) =>
        html`<li>
          ${name}:
          ${point === undefined ? 'none' : html`<a href="${comparisonLink(point)}">${momentOf(timeOf(point))}</a> ${commitPair(point.commits)} ${differenceMarkup(point.ratio)} ${verdictBadge(point)}`}
        </li>`,
    )}
  </ul>`;
}

const commitsSize = 25;

/** Experiments with the commits that they compared, the newest commit of B first. */
export const commitsPage = definePage({
  path: '/commits',
  menu: 'Commits',
  query: z.object({ project: z.string().optional(), ...pageNumber }),
  show: async ({ context, query: { project, page } }) => {
    const catalog = await context.catalog.now();
    const all = catalog.recordings;
    const found = (project === undefined ? all : all.filter((one) => one.project === project))
      .map((recording) => ({
        recording,
        at: new Date(recording.commits.B?.committedAt ?? recording.startedAt).getTime(),
      }))
      .toSorted((a, b) => b.at - a.at)
      .map(({ recording }) => recording);
    const paging = pagingOf(found.length, { page, size: commitsSize });
    const shown = found.slice(paging.from, paging.to);
    const verdicts = await catalog.verdicts(shown.map(({ id }) => id));
    const rows = shown.map((recording, index) => row(recording, verdicts[index] ?? countVerdicts([])));
    const content = html`<form class="filter" method="get" action="/commits">
        ${projectChoice(catalog, project)}
        <button type="submit">Show</button>
      </form>
      ${
        rows.length === 0
          ? html`<p class="note">There is no experiment yet.</p>`
          : plainTable({
              caption: 'Experiments in the order of the commits of B, the newest first.',
              columns: ['B', 'against A', 'Verdicts', ['Project', 'wide'], ['Measured', 'wide'], ['On', 'wide']],
              rows,
            })
      }
      ${pagingLinks(paging, { total: found.length, linkTo: (at) => link('/commits', { project, page: at }) })}`;
    return { title: project === undefined ? 'Commits' : `Commits of ${project}`, content };
  },
});

function row(recording: StoredRecording, verdicts: VerdictCounts): readonly Held[] {
  const { id, commits, project, startedAt, hostname } = recording;
  const name = commits.B === null ? html`<code>${id}</code>` : commitName(commits.B);
  const link = html`<a href="${experimentLink(id)}">${name}</a>`;
  return [link, commitName(commits.A), verdictTally(verdicts), project, momentOf(startedAt), hostname];
}
