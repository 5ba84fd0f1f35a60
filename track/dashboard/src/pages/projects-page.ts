import { html, plainTable } from '@deadheat/report';
import { isDatabaseUrl } from '@deadheat/history';
import { noQuery } from '../api/queries.ts';
import { link } from '../html/link.ts';
import { momentOf, verdictTally } from '../html/words.ts';
import { definePage } from './page.ts';

/** Every project with its verdicts. */
export const projectsPage = definePage({
  path: '/projects',
  menu: 'Projects',
  query: noQuery,
  show: async ({ context }) => {
    const catalog = await context.catalog.now();

    const { projects } = catalog;
    // Who looks is not to see where a database is, or as whom it is asked.
    const isDatabase = isDatabaseUrl(catalog.place);
    const [place, to] = isDatabase ? ['The database', 'URL'] : [catalog.place, catalog.place];
    const content =
      projects.length === 0
        ? html`<p class="note">
            ${place} holds no comparison yet. Experiments in it are shown here, and
            <code>deadheat history push RECORDING --to ${to}</code>
            adds others.
          </p>`
        : plainTable({
            caption: `What ${isDatabase ? 'the database' : place} holds, with the verdict of the newest comparison of every benchmark.`,
            columns: ['Project', ['Benchmarks', 'n'], 'Verdicts', ['Experiments', 'n wide'], ['Measured last', 'wide']],
            rows: projects.map(({ project, benchmarks, verdicts, experiments, measuredAt }) => [
              html`<a href="${link('/benchmarks', { project })}">${project}</a>`,
              benchmarks,
              verdictTally(verdicts, (verdict) => link('/benchmarks', { project, verdict })),
              html`<a href="${link('/commits', { project })}">${experiments}</a>`,
              momentOf(measuredAt),
            ]),
          });
    return { title: 'Projects', content };
  },
});
