import { Hono } from 'hono';
import { guard } from './access/guard.ts';
import { apiRoutes, errorAnswer } from './api/routes.ts';
import type { ServerContext } from './context.ts';
import { assets } from './html/assets.ts';
import { link } from './html/link.ts';
import { errorPage } from './pages/error-page.ts';
import { loginRoutes, pageRoutes, showPage } from './pages/routes.ts';
import { RequestError, requestErrorStatus, toRequestError } from './request-error.ts';
import { secureHeaders } from './secure-headers.ts';
import type { ServerEnv } from './server-env.ts';

/** Everything that answers requests. */
export const createApp = (context: ServerContext): Hono<ServerEnv> => {
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
};
