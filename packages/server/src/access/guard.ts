import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { MiddlewareHandler } from 'hono';
import { RequestError } from '../errors.ts';
import type { ServerContext, ServerEnv, Caller } from '../context.ts';
import { accessOf } from './tokens.ts';

/** Whether only programs of this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Whether a request's Host header names this machine itself, and not another name that was made to resolve to it (DNS
 * rebinding).
 */
export function isLoopbackHeader(header: string | undefined): boolean {
  return header !== undefined && isLoopback(header.toLowerCase().replace(/:\d+$/, ''));
}

/**
 * Refuses a form that another site made a browser send (CSRF). A browser without the header `Sec-Fetch-Site` sends
 * `Origin`.
 *
 * @throws RequestError `FORBIDDEN`
 */
export function checkSameSite(header: (name: string) => string | undefined): void {
  const site = header('sec-fetch-site');
  const origin = header('origin');
  const isOwn =
    site === undefined
      ? origin === undefined || hostOf(origin) === header('host')
      : site === 'same-origin' || site === 'none';
  if (!isOwn) throw new RequestError('FORBIDDEN', 'This form was sent by another site, and nothing was done.');
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

export const sessionCookie = 'deadheat_session';

/**
 * Authenticates a request, and refuses it otherwise. Without tokens every request may read that names this machine by
 * its own name; this check keeps out pages of other sites by DNS rebinding.
 */
export function guard({ tokens, sessions }: Pick<ServerContext, 'tokens' | 'sessions'>): MiddlewareHandler<ServerEnv> {
  return createMiddleware<ServerEnv>(async (c, next) => {
    if (tokens.length === 0) {
      if (!isLoopbackHeader(c.req.header('host'))) {
        throw new RequestError(
          'FORBIDDEN',
          'This dashboard is for this machine alone: open it by the address that it printed.',
        );
      }
      c.set('caller', { access: 'read', by: 'open', session: null });
      return next();
    }
    const caller = byToken(c.req.header('authorization'), tokens) ?? bySession(getCookie(c, sessionCookie), sessions);
    if (caller === null) throw new RequestError('UNAUTHORIZED', 'This needs a token: Authorization: Bearer TOKEN.');
    c.set('caller', caller);
    return next();
  });
}

function byToken(header: string | undefined, tokens: ServerContext['tokens']): Caller | null {
  const [, secret] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const access = secret === undefined ? null : accessOf(secret, tokens);
  return access === null ? null : { access, by: 'token', session: null };
}

function bySession(id: string | undefined, sessions: ServerContext['sessions']): Caller | null {
  const session = id === undefined ? null : sessions.find(id);
  return session === null ? null : { access: session.access, by: 'session', session };
}
