import { html, verdictBadge, verdictOrder, type Markup } from '@deadheat/report';
import { countVerdicts, type StoredRecording, type VerdictCounts } from '@deadheat/history';
import { z } from 'zod';
import { choice, pagingLinks, pagingOf } from '../html/parts.ts';
import { experimentLink, link } from '../html/link.ts';
import { commitName, momentOf } from '../html/words.ts';
import type { CatalogView } from '../source/catalog.ts';
import type { Page } from './page.ts';

const size = 25;

export const commitsPageQuery = z.object({
  project: z.string().optional(),
  page: z.coerce.number().int().min(1).default(1),
});

/** Experiments with the commits that they compared, the newest commit of B first. */
export async function commitsPage(
  catalog: CatalogView,
  { project, page }: z.output<typeof commitsPageQuery>,
): Promise<Page> {
  const all = catalog.recordings;
  const found = (project === undefined ? all : all.filter((one) => one.project === project))
    .map((recording) => ({
      recording,
      at: new Date(recording.commits.B?.committedAt ?? recording.startedAt).getTime(),
    }))
    .toSorted((a, b) => b.at - a.at)
    .map(({ recording }) => recording);
  const paging = pagingOf(found.length, { page, size });
  const shown = found.slice(paging.from, paging.to);
  const verdicts = await catalog.verdicts(shown.map(({ id }) => id));
  const rows = shown.map((recording, index) => row(recording, verdicts[index] ?? countVerdicts([])));
  const projects = catalog.projects.map((one) => one.project);
  const content = html`<form class="filter" method="get" action="/commits">
      ${choice('project', { label: 'Project', options: [['', 'all'], ...projects.map((name) => [name, name] as const)], chosen: project })}
      <button type="submit">Show</button>
    </form>
    ${
      rows.length === 0
        ? html`<p class="note">There is no experiment yet.</p>`
        : html`<table class="plain">
            <caption>
              Experiments in the order of the commits of B, the newest first.
            </caption>
            <thead>
              <tr>
                <th scope="col">B</th>
                <th scope="col">against A</th>
                <th scope="col">Verdicts</th>
                <th scope="col" class="wide">Project</th>
                <th scope="col" class="wide">Measured</th>
                <th scope="col" class="wide">On</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
    ${pagingLinks(paging, { total: found.length, linkTo: (at) => link('/commits', { project, page: at }) })}`;
  return { title: project === undefined ? 'Commits' : `Commits of ${project}`, section: '/commits', content };
}

function row(recording: StoredRecording, verdicts: VerdictCounts): Markup {
  const { id, commits, project, startedAt, hostname } = recording;
  const name = commits.B === null ? html`<code>${id}</code>` : commitName(commits.B);
  return html`<tr>
    <th scope="row"><a href="${experimentLink(id)}">${name}</a></th>
    <td>${commitName(commits.A)}</td>
    <td>${verdictTally(verdicts)}</td>
    <td class="wide">${project}</td>
    <td class="wide">${momentOf(startedAt)}</td>
    <td class="wide">${hostname}</td>
  </tr>`;
}

/** Number of comparisons for each verdict, as a list of badges. */
export function verdictTally(verdicts: VerdictCounts): Markup {
  return html`<ul class="tally">
    ${verdictOrder.flatMap((verdict) => {
      const count = verdicts[verdict];
      return count === 0 ? [] : [html`<li>${verdictBadge({ verdict })} <b>${count}</b></li>`];
    })}
  </ul>`;
}
