import type { FleetExperiment, FleetWorker } from '@deadheat/fleet';
import { type Held, html, type Markup, plainTable, printable } from '@deadheat/report';
import { noQuery } from '../api/queries.ts';
import { fleetOf, mayCancel, type ServerContext } from '../context.ts';
import { RequestError } from '../errors.ts';
import { momentOf } from '../html/words.ts';
import { definePage } from './page.ts';

/** Experiments of a fleet as a table; `results` are the ids of those that the history holds. */
export function experimentsPart(
  experiments: readonly FleetExperiment[],
  { mayCancel, results }: { readonly mayCancel: boolean; readonly results: ReadonlySet<string> },
): Markup {
  if (experiments.length === 0) {
    return html`<p class="note">
      The fleet was given no experiment yet: <code>deadheat run --on fleet:URL</code> gives it one.
    </p>`;
  }
  return plainTable({
    caption: 'Experiments of the fleet, the newest first.',
    columns: [
      'Experiment',
      'State',
      'Runs',
      ['Machines', 'n wide'],
      ['Given', 'wide'],
      ...(mayCancel ? ['Action'] : []),
    ],
    rows: experiments.map((experiment) => [
      ...experimentCells(experiment, results.has(experiment.id)),
      ...(mayCancel ? [experiment.state === 'running' ? cancelLink(experiment) : null] : []),
    ]),
  });
}

function experimentCells(experiment: FleetExperiment, hasResult: boolean): readonly Held[] {
  const { id, name, state, runs, plannedRuns, inFlight, hosts, failure, submittedAt } = experiment;
  const why = failure === null ? null : html`<p class="failure">${printable(failure)}</p>`;
  return [
    html`${hasResult ? html`<a href="/experiments/${encodeURIComponent(id)}">${printable(name)}</a>` : printable(name)}
      <small>${printable(id)}</small>`,
    html`<span class="state ${state}">${state}</span>${why}`,
    html`<progress max="${Math.max(1, plannedRuns)}" value="${runs}" aria-label="Runs of ${printable(name)}"></progress>
      ${runs} of ${plannedRuns}${inFlight === 0 ? null : `, ${inFlight} under way`}`,
    hosts.length,
    momentOf(submittedAt),
  ];
}

function cancelLink({ id, name }: FleetExperiment): Markup {
  const path = `/fleet/experiments/${encodeURIComponent(id)}/cancel`;
  return html`<a href="${path}" aria-label="Cancel ${printable(name)}">Cancel</a>`;
}

/** Machines of a fleet as a table. */
export function workersPart(workers: readonly FleetWorker[], experiments: readonly FleetExperiment[]): Markup {
  if (workers.length === 0) {
    return html`<p class="note">
      No machine takes part: <code>deadheat fleet worker --fleet URL</code> on each of them starts one.
    </p>`;
  }
  const names = new Map(experiments.map(({ id, name }) => [id, name]));
  return plainTable({
    caption: 'Machines of the fleet.',
    columns: ['Machine', 'State', ['CPU', 'wide'], ['Labels', 'wide'], 'Seen', ['deadheat', 'wide']],
    rows: workers.map(({ id, machine, labels, state, draining, experiment, seenAt, toolVersion }) => [
      html`${printable(machine?.hostname ?? '')} <small>${printable(id)}</small>`,
      html`<span class="state ${state}">${draining === true && state !== 'gone' ? `${state}, draining` : state}</span
        >${experiment === null ? null : ` with ${printable(names.get(experiment) ?? experiment)}`}`,
      machine === null
        ? 'what it says of its machine cannot be read'
        : `${printable(machine.cpuModel ?? 'not known')}, ${machine.onlineCpus} CPUs`,
      Object.entries(labels).map(([name, value]) => html`<code>${printable(name)}=${printable(value)}</code> `),
      momentOf(seenAt),
      printable(toolVersion),
    ]),
  });
}

/** Ids of the experiments that the history holds, as it is now. */
export async function resultsOf({ catalog }: ServerContext): Promise<ReadonlySet<string>> {
  return new Set((await catalog.now()).recordings.map(({ id }) => id));
}

const liveNote = html`<p class="note" id="live-state" role="status"></p>`;

/** Experiments of the fleet; the script replaces the table when something changed. */
export const fleetPage = definePage({
  path: '/fleet',
  menu: 'Fleet',
  isOfFleet: true,
  script: 'live',
  query: noQuery,
  show: async ({ context, caller }) => {
    const { experiments } = await fleetOf(context).feed.read();
    const part = experimentsPart(experiments, {
      mayCancel: mayCancel(context, caller),
      results: await resultsOf(context),
    });
    return {
      title: 'Fleet',
      content: html`${liveNote}
        <div data-live="experiments">${part}</div>`,
    };
  },
});

/** Machines of the fleet; the script replaces the table when something changed. */
export const workersPage = definePage({
  path: '/workers',
  menu: 'Workers',
  isOfFleet: true,
  script: 'live',
  query: noQuery,
  show: async ({ context }) => {
    const { experiments, workers } = await fleetOf(context).feed.read();
    return {
      title: 'Workers',
      content: html`${liveNote}
        <div data-live="workers">${workersPart(workers, experiments)}</div>`,
    };
  },
});

/**
 * The page that asks for confirmation before an experiment is cancelled. @throws RequestError `FORBIDDEN`, `NOT_FOUND`
 */
export const cancelPage = definePage({
  path: '/fleet/experiments/:id/cancel',
  section: '/fleet',
  query: noQuery,
  show: async ({ context, caller, id }) => {
    if (!mayCancel(context, caller) || caller.session === null) {
      throw new RequestError('FORBIDDEN', 'Only who logged in with a token to write cancels an experiment here.');
    }
    const { experiments } = await fleetOf(context).feed.read();
    const found = experiments.find((one) => one.id === id);
    if (found === undefined) throw new RequestError('NOT_FOUND', `The fleet has no experiment ${id}.`);
    return {
      title: `Cancel ${found.name}?`,
      content: html`<p>
          ${found.runs} of ${found.plannedRuns} runs of <b>${printable(found.name)}</b> are in, and stay. Those under
          way are ended, and no other is made.
        </p>
        <form method="post" action="/fleet/experiments/${encodeURIComponent(id)}/cancel">
          <input type="hidden" name="key" value="${caller.session.formKey}" />
          <button type="submit">Cancel the experiment</button> <a href="/fleet">Let it go on</a>
        </form>`,
    };
  },
});
