import { html, printable } from '@deadheat/report';
import type { Caller } from '../access/caller.ts';
import type { ServerContext } from '../context.ts';
import { fleetOf, mayCancel } from '../fleet-actions.ts';
import { RequestError } from '../request-error.ts';
import { experimentsPart, workersPart } from './fleet-parts.ts';
import type { Page } from './page.ts';

const liveNote = html`<p class="note" id="live-state" role="status"></p>`;

/** Experiments of the fleet; the script replaces the table when something changed. */
export const fleetPage = async (context: ServerContext, caller: Caller): Promise<Page> => {
  const { experiments } = await fleetOf(context).feed.read();
  const part = experimentsPart(experiments, { mayCancel: mayCancel(context, caller) });
  return {
    title: 'Fleet',
    section: '/fleet',
    isLive: true,
    content: html`${liveNote}
      <div data-live="experiments">${part}</div>`,
  };
};

/** Machines of the fleet; the script replaces the table when something changed. */
export const workersPage = async (context: ServerContext): Promise<Page> => {
  const { experiments, workers } = await fleetOf(context).feed.read();
  return {
    title: 'Workers',
    section: '/workers',
    isLive: true,
    content: html`${liveNote}
      <div data-live="workers">${workersPart(workers, experiments)}</div>`,
  };
};

/** Asks whether an experiment is really to be cancelled. @throws RequestError `FORBIDDEN`, `NOT_FOUND` */
export const cancelPage = async (
  context: ServerContext,
  { caller, id }: { readonly caller: Caller; readonly id: string },
): Promise<Page> => {
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
};
