import type { Access } from './token.ts';
import type { Session } from './sessions.ts';

/** Who asks. */
export interface Caller {
  readonly access: Access;
  /** `open`: nobody has to say who they are. */
  readonly by: 'open' | 'token' | 'session';
  /** `null` = did not log in by the form. */
  readonly session: Session | null;
}
