import { html, verdictBadge, verdictOrder, type Markup } from '@deadheat/report';
import { link } from '../html/link.ts';
import { momentOf } from '../html/words.ts';
import type { CatalogView, ProjectSummary } from '../source/catalog.ts';
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
      : html`<table class="plain">
          <caption>
            What ${place} holds, with the verdict of the newest comparison of every benchmark.
          </caption>
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col" class="n">Benchmarks</th>
              <th scope="col">Verdicts</th>
              <th scope="col" class="n wide">Experiments</th>
              <th scope="col" class="wide">Measured last</th>
            </tr>
          </thead>
          <tbody>
            ${projects.map(row)}
          </tbody>
        </table>`;
  return { title: 'Projects', section: '/', content };
}

function row({ project, benchmarks, verdicts, experiments, measuredAt }: ProjectSummary): Markup {
  return html`<tr>
    <th scope="row"><a href="${link('/benchmarks', { project })}">${project}</a></th>
    <td class="n">${benchmarks}</td>
    <td>
      <ul class="tally">
        ${verdictOrder
          .filter((verdict) => verdicts[verdict] > 0)
          .map(
            (verdict) =>
              html`<li>
                <a href="${link('/benchmarks', { project, verdict })}"
                  >${verdictBadge({ verdict })} <b>${verdicts[verdict]}</b></a
                >
              </li>`,
          )}
      </ul>
    </td>
    <td class="n wide"><a href="${link('/commits', { project })}">${experiments}</a></td>
    <td class="wide">${momentOf(measuredAt)}</td>
  </tr>`;
}
