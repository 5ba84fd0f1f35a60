import { html, plainTable, type Held } from '@deadheat/report';
import { countVerdicts, type StoredRecording, type VerdictCounts } from '@deadheat/history';
import { z } from 'zod';
import { pageNumber } from '../api/queries.ts';
import { pagingLinks, pagingOf, projectChoice } from '../html/parts.ts';
import { experimentLink, link } from '../html/link.ts';
import { commitName, momentOf, verdictTally } from '../html/words.ts';
import { definePage } from './page.ts';

const size = 25;

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
    const paging = pagingOf(found.length, { page, size });
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
