import type { Context, MiddlewareHandler } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { some } from 'hono/combine';
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { ServerContext, ServerEnv } from '../context.ts';
import { RequestError } from '../errors.ts';
import { tokenWith } from './tokens.ts';

/**
 * Refuses a form that another site made a browser send (CSRF). A browser without the header `Sec-Fetch-Site` sends
 * `Origin`. hono's `csrf` has another meaning: it also refuses programs, which send neither header.
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
  if (tokens.length === 0) return ofThisMachine;

  function verifyToken(secret: string, c: Context<ServerEnv>): boolean {
    const token = tokenWith(secret, tokens);
    if (token !== null) c.set('caller', { access: token.access, name: token.name, by: 'token', session: null });
    return token !== null;
  }

  function verifySession(c: Context<ServerEnv>): boolean {
    const session = sessions.find(getCookie(c, sessionCookie) ?? '');
    if (session === null) throw new RequestError('UNAUTHORIZED', 'This needs a token: Authorization: Bearer TOKEN.');
    c.set('caller', { access: session.access, name: session.name, by: 'session', session });
    return true;
  }

  return some(bearerAuth<ServerEnv>({ verifyToken }), verifySession);
}

const ofThisMachine = createMiddleware<ServerEnv>(async (c, next) => {
  if (!isLoopbackHeader(c.req.header('host'))) {
    throw new RequestError(
      'FORBIDDEN',
      'This dashboard is for this machine alone: open it by the address that it printed.',
    );
  }
  c.set('caller', { access: 'read', name: null, by: 'open', session: null });
  return next();
});

/** Checks whether only programs of this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Checks whether a request's Host header names this machine itself, and not another name that was made to resolve to it (DNS
 * rebinding).
 */
export function isLoopbackHeader(header: string | undefined): boolean {
  return header !== undefined && isLoopback(header.toLowerCase().replace(/:\d+$/, ''));
}
