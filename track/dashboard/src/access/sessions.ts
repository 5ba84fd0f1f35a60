import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Access, Token } from './tokens.ts';

/** The session of a user who logged in with the form. */
export interface Session {
  readonly id: string;
  readonly access: Access;
  /** Name of the token; `null` = it has none. */
  readonly name: string | null;
  /** Key that every form that changes something must send back; other sites do not know it. */
  readonly formKey: string;
}

export const sessionHours = 12;
/** Largest number of sessions; beyond it the oldest are ended. */
const mostSessions = 2000;

/** Sessions of those who logged in; in memory, so that a restart logs everybody out. */
export class Sessions {
  readonly #now: () => number;
  readonly #open = new Map<string, { readonly session: Session; readonly endsMs: number }>();
  readonly #key = randomBytes(32);

  /** @param now ms of any clock. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  start({ access, name }: Pick<Token, 'access' | 'name'>): Session {
    for (const [id, { endsMs }] of this.#open) {
      if (endsMs > this.#now() && this.#open.size < mostSessions) break;
      this.#open.delete(id);
    }
    const id = randomBytes(32).toString('base64url');
    const formKey = createHmac('sha256', this.#key).update(id).digest('base64url');
    const session = { id, access, name, formKey };
    this.#open.set(id, { session, endsMs: this.#now() + sessionHours * 3600e3 });
    return session;
  }

  find(id: string): Session | null {
    const found = this.#open.get(id);
    return found !== undefined && found.endsMs > this.#now() ? found.session : null;
  }

  end(id: string): void {
    this.#open.delete(id);
  }
}

/** Checks whether a form sent the key of its session. */
export function isFormKey(typed: string, { formKey }: Session): boolean {
  const [one, other] = [Buffer.from(typed), Buffer.from(formKey)];
  return one.length === other.length && timingSafeEqual(one, other);
}
