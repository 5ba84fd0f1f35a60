import { countVerdicts } from '@deadheat/history';
import { countOf, facts, html } from '@deadheat/report';
import { z } from 'zod';
import { comparisonTable } from '../html/comparison-table.ts';
import { pagingLinks, pagingOf } from '../html/parts.ts';
import { experimentLink, link } from '../html/link.ts';
import { commitName, momentOf, verdictTally } from '../html/words.ts';
import { pageNumber, worstFirst } from '../api/queries.ts';
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
