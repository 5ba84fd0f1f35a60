import type { FleetView } from '@deadheat/fleet';
import type { Access, Session, Sessions, Token } from './access/tokens.ts';
import { RequestError } from './errors.ts';
import type { EventStreams, StateEvents } from './event-stream.ts';
import type { Catalog } from './source/catalog.ts';
import type { ChangeSearch } from './source/change-search.ts';
import type { FleetFeed, FleetState } from './source/fleet-feed.ts';
import type { ReportShelf } from './source/report-shelf.ts';
import type { Repositories } from './source/repositories.ts';
import type { TriageShelf } from './source/triage-shelf.ts';

/** The user that sends a request. */
export interface Caller {
  readonly access: Access;
  /** Name of the token; `null` = it has none, or none is needed. */
  readonly name: string | null;
  /** The way in which the user was recognised; `open` = no authentication is required. */
  readonly by: 'open' | 'token' | 'session';
  /** `null` = the user did not log in with the form. */
  readonly session: Session | null;
}

/** Variables of every request. */
export interface ServerEnv {
  Variables: { caller: Caller };
}

/** A fleet that the dashboard shows. */
export interface FleetAccess {
  readonly view: FleetView;
  /** Cancels an experiment; `null` = cancelling is not allowed here. Throws `FleetError`. */
  readonly cancel: ((experiment: string) => Promise<void>) | null;
}

/** The data and settings from which requests are answered. */
export interface ServerContext {
  readonly catalog: Catalog;
  readonly changes: ChangeSearch;
  readonly triage: TriageShelf;
  readonly reports: ReportShelf;
  readonly repositories: Repositories;
  readonly fleet: (FleetAccess & { readonly feed: FleetFeed }) | null;
  /** Accepted tokens. When there are none, no authentication is required and nobody may change anything. */
  readonly tokens: readonly Token[];
  readonly streams: EventStreams;
  /** Changes of the fleet for those who follow it. */
  readonly fleetEvents: StateEvents<FleetState>;
  readonly sessions: Sessions;
  readonly toolVersion: string;
  /** Called with errors that the operator should see. */
  readonly report: (error: unknown) => void;
}

/** The fleet of this dashboard. @throws RequestError `NO_FLEET` */
export function fleetOf({ fleet }: ServerContext): NonNullable<ServerContext['fleet']> {
  if (fleet !== null) return fleet;
  throw new RequestError('NO_FLEET', 'This dashboard shows no fleet. deadheat history serve --fleet URL shows one.');
}

/** Checks whether a user may cancel experiments. */
export function mayCancel({ fleet }: ServerContext, { access }: Caller): boolean {
  return access === 'write' && fleet !== null && fleet.cancel !== null;
}

/**
 * Cancels an experiment of the fleet.
 *
 * @throws RequestError `NO_FLEET`, `FORBIDDEN`, `NOT_FOUND`
 */
export async function cancelExperiment(
  context: ServerContext,
  { caller, experiment }: { readonly caller: Caller; readonly experiment: string },
): Promise<void> {
  const { cancel, feed } = fleetOf(context);
  if (cancel !== null && mayCancel(context, caller)) {
    if ((await feed.read()).experiments.some(({ id }) => id === experiment)) return cancel(experiment);
    throw new RequestError('NOT_FOUND', `The fleet has no experiment ${experiment}.`);
  }
  throw new RequestError(
    'FORBIDDEN',
    'Only a token to write cancels an experiment: a line `write TOKEN` of --token-file.',
  );
}
