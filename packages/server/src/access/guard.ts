import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { MiddlewareHandler } from 'hono';
import type { ServerContext } from '../context.ts';
import { RequestError } from '../request-error.ts';
import type { ServerEnv } from '../server-env.ts';
import { isLoopbackHeader } from './loopback.ts';
import { accessOf } from './token.ts';
import type { Caller } from './caller.ts';

export const sessionCookie = 'deadheat_session';

/**
 * Finds out who asks, and lets nobody else in. Without tokens everybody may look who asks for this machine by its own name: else a
 * page of another site, whose name was made to lead here, could.
 */
export const guard = ({ tokens, sessions }: Pick<ServerContext, 'tokens' | 'sessions'>): MiddlewareHandler<ServerEnv> =>
  createMiddleware<ServerEnv>(async (c, next) => {
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

const byToken = (header: string | undefined, tokens: ServerContext['tokens']): Caller | null => {
  const [, secret] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? [];
  const access = secret === undefined ? null : accessOf(secret, tokens);
  return access === null ? null : { access, by: 'token', session: null };
};

const bySession = (id: string | undefined, sessions: ServerContext['sessions']): Caller | null => {
  const session = id === undefined ? null : sessions.find(id);
  return session === null ? null : { access: session.access, by: 'session', session };
};
