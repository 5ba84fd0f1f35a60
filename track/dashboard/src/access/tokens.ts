import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { ServerError } from '../errors.ts';

/** Rights of a user: to read everything, or also to decide about changes and to cancel experiments of the fleet. */
export type Access = 'read' | 'write';

/** A token that opens the dashboard. */
export interface Token {
  readonly access: Access;
  /** The comment behind `#` in the file of tokens; `null` = none. */
  readonly name: string | null;
  /** SHA-256 of the secret, so that it is compared in constant time and the secret itself is not kept in memory. */
  readonly digest: Buffer;
}

export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * The token that a secret is, one to write where several fit; `null` = none. Every token is compared, so that the time does not depend on which
 * one fits.
 */
export function tokenWith(secret: string, tokens: readonly Token[]): Token | null {
  const digest = digestOf(secret);
  let found: Token | null = null;
  for (const token of tokens) if (timingSafeEqual(token.digest, digest) && found?.access !== 'write') found = token;
  return found;
}

const leastLength = 20;
/** A token is what RFC 6750, section 2.1, lets stand in the header Authorization. */
const line = /^(?:(?<access>read|write)\s+)?(?<secret>[\w.~+/-]+=*)(?:\s+#\s*(?<name>.*))?$/;

/**
 * Reads the tokens of a file: a line each, `read TOKEN`, `write TOKEN` or `TOKEN` (the same as `read TOKEN`); `#`
 * begins a comment.
 *
 * @throws ServerError `BAD_TOKEN`: the file cannot be read, users other than its owner can read it, or a line is not a
 *   token; the message repeats no token
 */
export function readTokenFile(path: string): readonly Token[] {
  const tokens = textOf(path)
    .split('\n')
    .flatMap((text, index) => {
      const found = text.trim();
      return found === '' || found.startsWith('#') ? [] : [tokenOf(found, `${path}:${index + 1}`)];
    });
  if (tokens.length > 0) return tokens;
  throw new ServerError(
    'BAD_TOKEN',
    `${path} holds no token. Write one into it, a line each: read TOKEN, or write TOKEN for who may also decide and cancel; ` +
      'openssl rand -hex 24 makes one.',
  );
}

function textOf(path: string): string {
  try {
    const { mode } = statSync(path);
    if ((mode & 0o077) !== 0) {
      throw new ServerError('BAD_TOKEN', `Others than its owner may read or write ${path}. chmod 600 ${path}`);
    }
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof ServerError) throw cause;
    throw new ServerError('BAD_TOKEN', `The tokens in ${path} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}

function tokenOf(text: string, place: string): Token {
  const { access = 'read', secret = '', name = '' } = line.exec(text)?.groups ?? {};
  if (secret.length >= leastLength) {
    return {
      access: access === 'write' ? 'write' : 'read',
      name: name.trim() === '' ? null : name.trim(),
      digest: digestOf(secret),
    };
  }
  throw new ServerError(
    'BAD_TOKEN',
    `${place} is no token. A line is read TOKEN or write TOKEN; a token has at least ${leastLength} letters, digits and ` +
      '. _ ~ + / -, with = only at its end, such as what openssl rand -hex 24 prints.',
  );
}

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
