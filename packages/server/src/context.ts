import type { FleetView } from '@deadheat/model';
import type { Access, Token } from './access/tokens.ts';
import type { Session, Sessions } from './access/sessions.ts';
import type { Catalog } from './source/catalog.ts';
import type { FleetFeed } from './source/fleet-feed.ts';
import type { ReportShelf } from './source/report-shelf.ts';

/** Who asks. */
export interface Caller {
  readonly access: Access;
  /** `open`: nobody has to say who they are. */
  readonly by: 'open' | 'token' | 'session';
  /** `null` = did not log in by the form. */
  readonly session: Session | null;
}

/** What every request carries along. */
export interface ServerEnv {
  Variables: { caller: Caller };
}

/** A fleet as the dashboard has it. */
export interface FleetAccess {
  readonly view: FleetView;
  /** Cancels an experiment; `null` = nobody may here. Throws `FleetError`. */
  readonly cancel: ((experiment: string) => Promise<void>) | null;
}

/** What requests are answered from. */
export interface ServerContext {
  readonly catalog: Catalog;
  readonly reports: ReportShelf;
  readonly fleet: (FleetAccess & { readonly feed: FleetFeed }) | null;
  /** None: nobody has to say who they are, and nobody may change anything. */
  readonly tokens: readonly Token[];
  readonly sessions: Sessions;
  readonly toolVersion: string;
  /** Told of what went wrong. */
  readonly tell: (error: unknown) => void;
}
