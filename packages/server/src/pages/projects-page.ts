import { html, plainTable } from '@deadheat/report';
import { link } from '../html/link.ts';
import { momentOf, verdictTally } from '../html/words.ts';
import type { CatalogView } from '../source/catalog.ts';
import type { Page } from './page.ts';

/** Every project with its verdicts. */
export function projectsPage(catalog: CatalogView): Page {
  const { projects, place } = catalog;
  const content =
    projects.length === 0
      ? html`<p class="note">
          ${place} holds no comparison yet. Experiments in it are shown here, and
          <code>deadheat push RECORDING --to ${place}</code>
          adds others.
        </p>`
      : plainTable({
          caption: `What ${place} holds, with the verdict of the newest comparison of every benchmark.`,
          columns: ['Project', ['Benchmarks', 'n'], 'Verdicts', ['Experiments', 'n wide'], ['Measured last', 'wide']],
          rows: projects.map(({ project, benchmarks, verdicts, experiments, measuredAt }) => [
            html`<a href="${link('/benchmarks', { project })}">${project}</a>`,
            benchmarks,
            verdictTally(verdicts, (verdict) => link('/benchmarks', { project, verdict })),
            html`<a href="${link('/commits', { project })}">${experiments}</a>`,
            momentOf(measuredAt),
          ]),
        });
  return { title: 'Projects', section: '/projects', content };
}
