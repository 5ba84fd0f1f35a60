import { Hono } from 'hono';
import type { ServerEnv, ServerContext } from '../context.ts';
import { fleetOf } from '../fleet-actions.ts';
import { readQuery } from './queries.ts';
import { RequestError, requestErrorStatus, toRequestError } from '../errors.ts';
import { openApiDocument } from './openapi.ts';
import { operations } from './operations.ts';

/** The JSON interface, below `/api/v1`. */
export function apiRoutes(context: ServerContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const description = openApiDocument(operations, context.toolVersion);
  routes.get('/openapi.json', (c) => c.json(description));
  routes.get('/fleet/events', async (c) => {
    const { feed } = fleetOf(context);
    const state = await feed.read();
    return context.streams.answer(c, (send) => {
      send('fleet', state);
      return feed.watch((next) => send('fleet', next));
    });
  });
  for (const { method, path, query, act } of operations) {
    routes.on(method.toUpperCase(), routeOf(path), async (c) => {
      const asked = {
        context,
        caller: c.var.caller,
        query: readQuery(c.req.query(), query),
        id: c.req.param('id') ?? '',
      };
      return c.json((await act(asked as never)) as object);
    });
  }
  for (const { path } of operations) {
    routes.all(routeOf(path), (c) => {
      throw new RequestError('METHOD_NOT_ALLOWED', `${c.req.method} is not what can be done with ${c.req.path}.`);
    });
  }
  routes.all('*', (c) => {
    throw new RequestError('NOT_FOUND', `${c.req.path} does not exist; /api/v1/openapi.json lists the paths.`);
  });
  return routes;
}

function routeOf(path: string): string {
  return path.replace('{id}', ':id');
}

/** The JSON answer for an error. */
export function errorAnswer(error: unknown): Response {
  const { code, message } = toRequestError(error);
  const headers: Record<string, string> = code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {};
  return Response.json({ error: { code, message } }, { status: requestErrorStatus[code], headers });
}
