import type { Caller } from './access/caller.ts';

/** What every request carries along. */
export interface ServerEnv {
  Variables: { caller: Caller };
}
