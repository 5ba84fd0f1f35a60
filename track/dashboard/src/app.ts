import { Hono, type MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import { guard } from './access/guard.ts';
import { apiRoutes, errorAnswer } from './api/routes.ts';
import type { ServerContext, ServerEnv } from './context.ts';
import { assets } from './html/page-of.ts';
import { link } from './html/link.ts';
import { metricsText, metricsType } from './metrics.ts';
import { errorPage } from './pages/page.ts';
import { loginRoutes, pageRoutes, showPage } from './pages/routes.ts';
import { RequestError, requestErrorStatus, toRequestError } from './errors.ts';

/** Headers of every answer that has no others: no content of other sites, no frames, no guessing of types. */
const headersOfAll = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  referrerPolicy: 'same-origin',
  // It is served without TLS, and what stands before it decides for its own name.
  strictTransportSecurity: false,
  overwrite: false,
});

/** Proxies keep no answer that does not allow it, and browsers ask again. */
const notCached: MiddlewareHandler = createMiddleware(async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'private, no-cache');
});

/** Refuses addresses that no page has, and that a database would not take: of control characters, or badly encoded. */
const readableOnly: MiddlewareHandler = createMiddleware(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const isReadable = [pathname, search.replaceAll('+', ' ')].every((text) => {
    try {
      return !/\p{Cc}/u.test(decodeURIComponent(text));
    } catch {
      return false;
    }
  });
  if (!isReadable)
    throw new RequestError('BAD_REQUEST', 'The address has characters that no address of this dashboard has.');
  await next();
});

/** The application: all routes and their middleware. */
export function createApp(context: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.use(headersOfAll, notCached, readableOnly);
  for (const { path, type, content } of Object.values(assets)) {
    app.get(path, () => {
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
      return new Response(content, { headers });
    });
  }
  // Shows nothing but whether the history answers, and needs no token.
  app.get('/healthz', async (c) => {
    await context.catalog.check();
    return c.text('ok\n');
  });
  app.route('/', loginRoutes(context));
  app.use(guard(context));
  app.get('/metrics', async (c) => c.body(await metricsText(context), 200, { 'content-type': metricsType }));
  app.route('/api/v1', apiRoutes(context));
  app.route('/', pageRoutes(context));
  app.notFound(() => {
    throw new RequestError('NOT_FOUND', 'There is no such page.');
  });
  app.onError((error, c) => {
    const failure = toRequestError(error);
    if (failure.code === 'FAILED' || failure.code === 'UNAVAILABLE') context.report(error);
    if (c.req.path.startsWith('/api/') || c.req.path === '/metrics') return errorAnswer(failure);
    if (failure.code === 'UNAUTHORIZED' && (c.req.method === 'GET' || c.req.method === 'HEAD')) {
      const { pathname, search } = new URL(c.req.url);
      return c.redirect(link('/login', { next: `${pathname}${search}` }), 303);
    }
    c.status(requestErrorStatus[failure.code]);
    return showPage(context, { c, content: errorPage(failure) });
  });
  return app;
}
