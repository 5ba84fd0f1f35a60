import { html, printable, type Markup } from '@deadheat/report';
import type { FleetExperiment, FleetWorker } from '@deadheat/model';
import { link } from '../html/link.ts';
import { momentOf } from '../html/words.ts';
import type { Caller, ServerContext } from '../context.ts';
import { fleetOf, mayCancel } from '../fleet-actions.ts';
import { RequestError } from '../errors.ts';
import type { Page } from './page.ts';

/** Experiments of a fleet as a table. */
export function experimentsPart(
  experiments: readonly FleetExperiment[],
  { mayCancel }: { readonly mayCancel: boolean },
): Markup {
  if (experiments.length === 0) {
    return html`<p class="note">
      The fleet was given no experiment yet: <code>deadheat run --fleet URL</code> gives it one.
    </p>`;
  }
  return html`<table class="plain">
    <caption>
      Experiments of the fleet, the newest first.
    </caption>
    <thead>
      <tr>
        <th scope="col">Experiment</th>
        <th scope="col">State</th>
        <th scope="col">Runs</th>
        <th scope="col" class="wide">Machines</th>
        <th scope="col" class="wide">Given</th>
        ${mayCancel ? html`<th scope="col">Action</th>` : null}
      </tr>
    </thead>
    <tbody>
      ${experiments.map((experiment) => experimentRow(experiment, mayCancel))}
    </tbody>
  </table>`;
}

function experimentRow(experiment: FleetExperiment, mayCancel: boolean): Markup {
  const { id, name, state, runs, plannedRuns, inFlight, hosts, failure, submittedAt } = experiment;
  return html`<tr>
    <th scope="row">${printable(name)} <small>${printable(id)}</small></th>
    <td>
      <span class="state ${state}">${state}</span
      >${failure === null ? null : html`<p class="failure">${printable(failure)}</p>`}
    </td>
    <td>
      <progress max="${Math.max(1, plannedRuns)}" value="${runs}" aria-label="Runs of ${printable(name)}"></progress>
      ${runs} of ${plannedRuns}${inFlight === 0 ? null : `, ${inFlight} under way`}
    </td>
    <td class="n wide">${hosts.length}</td>
    <td class="wide">${momentOf(submittedAt)}</td>
    ${mayCancel ? html`<td>${state === 'running' ? html`<a href="${link(`/fleet/experiments/${encodeURIComponent(id)}/cancel`)}" aria-label="Cancel ${printable(name)}">Cancel</a>` : null}</td>` : null}
  </tr>`;
}

/** Machines of a fleet as a table. */
export function workersPart(workers: readonly FleetWorker[], experiments: readonly FleetExperiment[]): Markup {
  if (workers.length === 0) {
    return html`<p class="note">
      No machine takes part: <code>deadheat worker --fleet URL</code> on each of them starts one.
    </p>`;
  }
  const names = new Map(experiments.map(({ id, name }) => [id, name]));
  return html`<table class="plain">
    <caption>
      Machines of the fleet.
    </caption>
    <thead>
      <tr>
        <th scope="col">Machine</th>
        <th scope="col">State</th>
        <th scope="col" class="wide">CPU</th>
        <th scope="col" class="wide">Labels</th>
        <th scope="col">Seen</th>
        <th scope="col" class="wide">deadheat</th>
      </tr>
    </thead>
    <tbody>
      ${workers.map(({ id, machine, labels, state, experiment, seenAt, toolVersion }) => {
        const inHand = experiment === null ? null : ` with ${printable(names.get(experiment) ?? experiment)}`;
        return html`<tr>
          <th scope="row">${printable(machine.hostname)} <small>${printable(id)}</small></th>
          <td><span class="state ${state}">${state}</span>${inHand}</td>
          <td class="wide">${printable(machine.cpuModel ?? 'not known')}, ${machine.onlineCpus} CPUs</td>
          <td class="wide">
            ${Object.entries(labels).map(([name, value]) => html`<code>${printable(name)}=${printable(value)}</code> `)}
          </td>
          <td>${momentOf(seenAt)}</td>
          <td class="wide">${printable(toolVersion)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

const liveNote = html`<p class="note" id="live-state" role="status"></p>`;

/** Experiments of the fleet; the script replaces the table when something changed. */
export async function fleetPage(context: ServerContext, caller: Caller): Promise<Page> {
  const { experiments } = await fleetOf(context).feed.read();
  const part = experimentsPart(experiments, { mayCancel: mayCancel(context, caller) });
  return {
    title: 'Fleet',
    section: '/fleet',
    isLive: true,
    content: html`${liveNote}
      <div data-live="experiments">${part}</div>`,
  };
}

/** Machines of the fleet; the script replaces the table when something changed. */
export async function workersPage(context: ServerContext): Promise<Page> {
  const { experiments, workers } = await fleetOf(context).feed.read();
  return {
    title: 'Workers',
    section: '/workers',
    isLive: true,
    content: html`${liveNote}
      <div data-live="workers">${workersPart(workers, experiments)}</div>`,
  };
}

/**
 * The page that asks for confirmation before an experiment is cancelled. @throws RequestError `FORBIDDEN`, `NOT_FOUND`
 */
export async function cancelPage(
  context: ServerContext,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<Page> {
  if (!mayCancel(context, caller) || caller.session === null) {
    throw new RequestError('FORBIDDEN', 'Only who logged in with a token to write cancels an experiment here.');
  }
  const { experiments } = await fleetOf(context).feed.read();
  const found = experiments.find((one) => one.id === id);
  if (found === undefined) throw new RequestError('NOT_FOUND', `The fleet has no experiment ${id}.`);
  return {
    title: `Cancel ${found.name}?`,
    section: '/fleet',
    content: html`<p>
        ${found.runs} of ${found.plannedRuns} runs of <b>${printable(found.name)}</b> are in, and stay. Those under way
        are ended, and no other is made.
      </p>
      <form method="post" action="/fleet/experiments/${encodeURIComponent(id)}/cancel">
        <input type="hidden" name="key" value="${caller.session.formKey}" />
        <button type="submit">Cancel the experiment</button> <a href="/fleet">Let it go on</a>
      </form>`,
  };
}
