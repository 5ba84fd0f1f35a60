import { createHash, timingSafeEqual } from 'node:crypto';
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
