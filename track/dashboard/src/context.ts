import type { FleetView } from '@deadheat/fleet';
import type { Access, Session, Sessions, Token } from './access/tokens.ts';
import type { EventStreams } from './event-stream.ts';
import type { Catalog } from './source/catalog.ts';
import type { ChangeSearch } from './source/change-search.ts';
import type { FleetFeed } from './source/fleet-feed.ts';
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
  readonly sessions: Sessions;
  readonly toolVersion: string;
  /** Called with errors that the operator should see. */
  readonly report: (error: unknown) => void;
}
