import { commitRefSchema, reportSchema } from '@deadheat/model';
import { Hono } from 'hono';
import { z } from 'zod';
import { type Caller, cancelExperiment, fleetOf, type ServerContext, type ServerEnv } from '../context.ts';
import { RequestError, requestErrorStatus, toRequestError } from '../errors.ts';
import { eventOf, type StreamEvent } from '../event-stream.ts';
import { changeOf } from '../source/change-search.ts';
import type { FleetState } from '../source/fleet-feed.ts';
import { commitNamed, compareCommits, geometricMeanOf, knownCommits } from '../source/commit-comparison.ts';
import { openApiDocument, operation, type Operation } from './openapi.ts';
import {
  benchmarksQuery,
  changesQuery,
  compareQuery,
  decisionQuery,
  experimentsQuery,
  healthQuery,
  noQuery,
  readQuery,
  selectBenchmarks,
  selectChanges,
  selectHealth,
  selectRows,
  seriesQuery,
  summaryQuery,
  type TriagedChange,
} from './queries.ts';
import {
  canaryAlarmSchema,
  commitRowSchema,
  comparisonSchema,
  experimentSchema,
  fleetExperimentSchema,
  foundChangeSchema,
  healthSchema,
  pageOf,
  projectSchema,
  seriesSchema,
  summarySchema,
  workerSchema,
} from './schemas.ts';

/** The operations of the JSON interface; its OpenAPI description is generated from them. */
export const operations: readonly Operation[] = [
  operation({
    name: 'listChanges',
    method: 'get',
    path: '/changes',
    summary: 'Changes of level of all series, the newest first, with what was decided about them',
    query: changesQuery,
    answer: pageOf(foundChangeSchema).extend({
      pending: z.int().min(0).describe('series that are still being searched'),
    }),
    act: async ({ context, query }) => {
      const { changes, pending } = await context.changes.of(await context.catalog.now());
      const { total, items } = partOf(selectChanges(changes, { triage: await context.triage.view(), query }), query);
      return { total, items: items.map(changeAnswer), pending };
    },
  }),
  operation({
    name: 'decideChange',
    method: 'post',
    path: '/changes/{id}/triage',
    summary: 'Keeps a decision about a change. Needs a token to write in the header Authorization',
    query: decisionQuery,
    answer: foundChangeSchema,
    act: async ({ context, caller, query, id }) => {
      checkHeader(caller);
      const change = await changeWith(id, context);
      return changeAnswer({ change, decided: await context.triage.decide(change, { caller, decision: query }) });
    },
  }),
  operation({
    name: 'listCanaries',
    method: 'get',
    path: '/canaries',
    summary: 'The newest canary of every host and workload, and which canaries fired, the newest first',
    query: noQuery,
    answer: z.object({ canaries: z.array(comparisonSchema), alarms: z.array(canaryAlarmSchema) }),
    act: async ({ context }) => {
      const catalog = await context.catalog.now();
      const alarms = await catalog.canaryAlarms();
      return {
        canaries: [...catalog.canaries],
        alarms: alarms.map(({ kind, host, name, point, ratio }) => ({
          kind,
          host,
          workload: name.benchmark,
          experiment: point.experiment,
          measuredAt: point.startedAt,
          ...ratio,
        })),
      };
    },
  }),
  operation({
    name: 'listProjects',
    method: 'get',
    path: '/projects',
    summary: 'Every project, with the verdicts of its newest comparisons',
    query: noQuery,
    answer: z.array(projectSchema),
    act: async ({ context }) => [...(await context.catalog.now()).projects],
  }),
  operation({
    name: 'listBenchmarks',
    method: 'get',
    path: '/benchmarks',
    summary: 'The newest comparison of every series',
    query: benchmarksQuery,
    answer: pageOf(comparisonSchema),
    act: async ({ context, query }) => partOf(selectBenchmarks((await context.catalog.now()).latest, query), query),
  }),
  operation({
    name: 'getSeries',
    method: 'get',
    path: '/series',
    summary: 'Every comparison of one series in the order of the commits, and where its level changed',
    query: seriesQuery,
    answer: seriesSchema,
    act: async ({ context, query: { of, leastChange, against, host, metric, ...name } }) => {
      const { points, values, levels, changes, hosts, metrics, ...series } = await (
        await context.catalog.now()
      ).series({ name, quantity: of, leastChange, against, host, metric });
      return {
        ...series,
        metrics: [...metrics],
        points: points.map((point, at) => ({ ...point, value: values[at] ?? 0, level: levels[at] ?? 0 })),
        changes: [...changes],
        hosts: [...hosts],
      };
    },
  }),
  operation({
    name: 'listHealth',
    method: 'get',
    path: '/health',
    summary:
      'How far every series scatters, what it can see, and how often a difference was taken back; the worst first',
    query: healthQuery,
    answer: pageOf(healthSchema).extend({ pending: z.int().min(0).describe('series that are still being searched') }),
    act: async ({ context, query }) => {
      const { pending } = await context.changes.of(await context.catalog.now());
      return { ...partOf(selectHealth(context.changes.health(), query), query), pending };
    },
  }),
  operation({
    name: 'getSummary',
    method: 'get',
    path: '/summary',
    summary: 'The geometric mean of all series of a project over its commits',
    query: summaryQuery,
    answer: summarySchema,
    act: async ({ context, query: { project, method } }) => {
      const { pending } = await context.changes.of(await context.catalog.now());
      const { points, ...summary } = context.changes.summaryOf(project, method);
      if (points.length > 0) return { project, pending, ...summary, points: [...points] };
      throw new RequestError('NOT_FOUND', `There is no comparison of ${project} here that fits.`);
    },
  }),
  operation({
    name: 'compareCommits',
    method: 'get',
    path: '/compare',
    summary: 'Two commits over all benchmarks that both were measured with',
    query: compareQuery,
    answer: pageOf(commitRowSchema).extend({
      from: commitRefSchema,
      to: commitRefSchema,
      geometricMean: z.number().nullable().describe('of the estimates of all benchmarks that fit, certain or not'),
    }),
    act: async ({ context, query }) => {
      const catalog = await context.catalog.now();
      const known = knownCommits(catalog, query.project);
      const [from, to] = [commitNamed(query.from, known), commitNamed(query.to, known)];
      const { rows } = await compareCommits(catalog, { from, to, project: query.project });
      const { total, items } = partOf(selectRows(rows, query), query);
      return {
        from,
        to,
        geometricMean: geometricMeanOf(selectRows(rows, { ...query, show: 'all' })),
        total,
        items: items.map(({ point, ...row }) => ({ ...row, experiment: point.experiment })),
      };
    },
  }),
  operation({
    name: 'listExperiments',
    method: 'get',
    path: '/experiments',
    summary: 'Every experiment, the newest first',
    query: experimentsQuery,
    answer: pageOf(experimentSchema),
    act: async ({ context, query }) => {
      const all = (await context.catalog.now()).recordings;
      const { project } = query;
      return partOf(project === undefined ? all : all.filter((one) => one.project === project), query);
    },
  }),
  operation({
    name: 'getExperiment',
    method: 'get',
    path: '/experiments/{id}',
    summary: 'One experiment with its comparisons',
    query: noQuery,
    answer: z.object({ experiment: experimentSchema, comparisons: z.array(comparisonSchema) }),
    act: async ({ context, id }) => {
      const catalog = await context.catalog.now();
      const experiment = catalog.recording(id);
      const [comparisons = []] = await catalog.comparisons([id]);
      return { experiment, comparisons: [...comparisons] };
    },
  }),
  operation({
    name: 'getReport',
    method: 'get',
    path: '/experiments/{id}/report',
    summary: 'The report.json of an experiment, as it was stored',
    query: noQuery,
    answer: reportSchema,
    // The report may be of another version of the tool, with other fields.
    act: async ({ context, id }) =>
      JSON.parse(await (await context.catalog.now()).report(id)) as z.input<typeof reportSchema>,
  }),
  operation({
    name: 'listFleetExperiments',
    method: 'get',
    path: '/fleet/experiments',
    summary: 'Experiments that the fleet was given, the newest first',
    query: noQuery,
    answer: z.array(fleetExperimentSchema),
    act: async ({ context }) => [...(await fleetOf(context).feed.read()).experiments],
  }),
  operation({
    name: 'listWorkers',
    method: 'get',
    path: '/fleet/workers',
    summary: 'The machines of the fleet',
    query: noQuery,
    answer: z.array(workerSchema),
    act: async ({ context }) => [...(await fleetOf(context).feed.read()).workers],
  }),
  operation({
    name: 'cancelExperiment',
    method: 'post',
    path: '/fleet/experiments/{id}/cancel',
    summary: 'Cancels an experiment of the fleet; what is in stays. Needs a token to write in the header Authorization',
    query: noQuery,
    answer: z.object({ cancelled: z.string() }),
    act: async ({ context, caller, id }) => {
      checkHeader(caller);
      await cancelExperiment(context, { caller, experiment: id });
      return { cancelled: id };
    },
  }),
];

/** A browser sends cookies with requests from any site, but never the Authorization header. */
function checkHeader({ by }: Caller): void {
  if (by === 'token') return;
  throw new RequestError('FORBIDDEN', 'This needs a token to write in the header Authorization: Bearer TOKEN.');
}

async function changeWith(id: string, { catalog, changes }: ServerContext): Promise<TriagedChange['change']> {
  return changeOf(await changes.of(await catalog.now()), id);
}

function changeAnswer({ change, decided }: TriagedChange): z.input<typeof foundChangeSchema> {
  const { first, last, near, ...facts } = change;
  void [last, near];
  return { ...facts, experiment: first.experiment, measuredAt: first.startedAt, triage: decided ?? null };
}

function partOf<Item>(
  items: readonly Item[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { total: number; items: Item[] } {
  return { total: items.length, items: items.slice(offset, offset + limit) };
}

/** The JSON interface, below `/api/v1`. */
export function apiRoutes(context: ServerContext): Hono<ServerEnv> {
  const routes = new Hono<ServerEnv>();
  const description = openApiDocument(operations, context.toolVersion);
  routes.get('/openapi.json', (c) => c.json(description));
  routes.get('/fleet/events', async (c) => {
    const { feed } = fleetOf(context);

    async function event(state: FleetState): Promise<StreamEvent> {
      return eventOf('fleet', state);
    }

    const first = await context.fleetEvents.of(await feed.current(), 'api', event);
    return context.streams.answer(c, (send) => {
      send(first);
      return feed.watch((next) => void context.fleetEvents.of(next, 'api', event).then(send));
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
