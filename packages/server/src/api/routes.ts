import { Hono } from 'hono';
import type { ServerEnv, ServerContext } from '../context.ts';
import { eventStream } from '../event-stream.ts';
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
  routes.get('/fleet/events', async () => {
    const { feed } = fleetOf(context);
    const state = await feed.read();
    return eventStream(({ send }) => {
      send('fleet', state);
      return feed.watch((next) => send('fleet', next));
    });
  });
  for (const { method, path, query, act } of operations) {
    routes.on(method.toUpperCase(), path.replace('{id}', ':id'), async (c) => {
      const asked = {
        context,
        caller: c.var.caller,
        query: readQuery(c.req.query(), query),
        id: c.req.param('id') ?? '',
      };
      return c.json((await act(asked as never)) as object);
    });
  }
  routes.all('*', (c) => {
    throw operations.some(({ path }) => pathPattern(path).test(c.req.path))
      ? new RequestError('METHOD_NOT_ALLOWED', `${c.req.method} is not what can be done with ${c.req.path}.`)
      : new RequestError(
          'NOT_FOUND',
          `${c.req.path} is nothing that can be asked for; /api/v1/openapi.json tells what is.`,
        );
  });
  return routes;
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^/api/v1${path.replace('{id}', '[^/]+')}$`);
}

/** The JSON answer for an error. */
export function errorAnswer(error: unknown): Response {
  const { code, message } = toRequestError(error);
  const headers: Record<string, string> = code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer' } : {};
  return Response.json({ error: { code, message } }, { status: requestErrorStatus[code], headers });
}
