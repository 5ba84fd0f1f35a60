import { createMiddleware } from 'hono/factory';
import { Hono, type MiddlewareHandler } from 'hono';
import { guard } from './access/guard.ts';
import { apiRoutes, errorAnswer } from './api/routes.ts';
import type { ServerContext, ServerEnv } from './context.ts';
import { assets } from './html/page-of.ts';
import { link } from './html/link.ts';
import { errorPage } from './pages/page.ts';
import { loginRoutes, pageRoutes, showPage } from './pages/routes.ts';
import { RequestError, requestErrorStatus, toRequestError } from './errors.ts';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Sets the security headers of every answer: no content of other sites, no frames, no guessing of types, no caching by
 * proxies.
 */
const secureHeaders: MiddlewareHandler = createMiddleware(async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries({
    'content-security-policy': policy,
    'cache-control': 'private, no-cache',
  })) {
    if (!headers.has(name)) headers.set(name, value);
  }
  headers.set('x-content-type-options', 'nosniff');
  headers.set('x-frame-options', 'DENY');
  headers.set('referrer-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
});

/** The application: all routes and their middleware. */
export function createApp(context: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(secureHeaders);
  for (const { path, type, content } of Object.values(assets)) {
    app.get(path, () => {
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
      return new Response(content, { headers });
    });
  }
  app.route('/', loginRoutes(context));
  app.use(guard(context));
  app.route('/api/v1', apiRoutes(context));
  app.route('/', pageRoutes(context));
  app.notFound(() => {
    throw new RequestError('NOT_FOUND', 'There is no such page.');
  });
  app.onError((error, c) => {
    const told = toRequestError(error);
    if (told.code === 'FAILED' || told.code === 'UNAVAILABLE') context.tell(error);
    if (c.req.path.startsWith('/api/')) return errorAnswer(told);
    if (told.code === 'UNAUTHORIZED' && (c.req.method === 'GET' || c.req.method === 'HEAD')) {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(link('/login', { next: `${pathname}${search}` }), 303);
    }
    c.status(requestErrorStatus[told.code]);
    return showPage(context, { c, page: errorPage(told) });
  });
  return app;
}
