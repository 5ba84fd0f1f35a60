import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { History } from '@deadheat/history';
import { createAdaptorServer } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import { guard, isLoopback } from './access/guard.ts';
import { Sessions, type Token } from './access/tokens.ts';
import { Alerts, type AlertsOptions, keepLooking } from './alerts/alerts.ts';
import { apiRoutes, errorAnswer } from './api/operations.ts';
import type { FleetAccess, ServerContext, ServerEnv } from './context.ts';
import { RequestError, requestErrorStatus, ServerError, toRequestError } from './errors.ts';
import { EventStreams, StateEvents } from './event-stream.ts';
import { link } from './html/words.ts';
import { metricsText, metricsType } from './metrics.ts';
import { assets, errorPage } from './pages/page.ts';
import { loginRoutes, pageRoutes, showPage } from './pages/routes.ts';
import { Catalog } from './source/catalog.ts';
import { ChangeSearch } from './source/change-search.ts';
import { FleetFeed } from './source/fleet-feed.ts';
import { HistorySource, waitAtMost } from './source/history-source.ts';
import { type RenderReport, ReportShelf } from './source/report-shelf.ts';
import type { Repositories } from './source/repositories.ts';
import { TriageShelf } from './source/triage-shelf.ts';

export interface ServerOptions {
  /** Opens the history; also called again when its connection was lost. */
  readonly openHistory: (signal: AbortSignal) => Promise<History>;
  /** `null` = none is shown. */
  readonly fleet: FleetAccess | null;
  readonly renderReport: RenderReport;
  /**
   * Accepted tokens. When there are none, no authentication is required, which is only allowed at a loopback address.
   */
  readonly tokens: readonly Token[];
  readonly host: string;
  /** 0 = any that is free. */
  readonly port: number;
  readonly toolVersion: string;
  /** The most pages that may follow the fleet at the same time; 200 unless set. */
  readonly mostStreams?: number;
  /** Where the commits of projects are shown. */
  readonly repositories?: Repositories;
  /** Alerts that are sent while it runs; the fleet is that of the dashboard. */
  readonly alerts?: Omit<AlertsOptions, 'fleet' | 'toolVersion'> | undefined;
  /** Ends the first reading of a large folder. */
  readonly signal?: AbortSignal;
  /** Called with errors while answering requests, and of alerts. */
  readonly report: (error: unknown) => void;
}

const usualStreams = 200;

/** The time that alerts under way have at the end, ms. */
const endPatienceMs = 5000;

export interface RunningServer {
  /** URL of the dashboard. */
  readonly url: string;
  /** Closes the server and all its connections. The fleet's view stays open. */
  close(): Promise<void>;
}

/**
 * Serves the dashboard and its JSON interface. What the history holds is read once before it listens.
 *
 * @throws ServerError `ADDRESS_IN_USE`, `ADDRESS_NOT_ALLOWED`; DeadheatError `PACKAGE_MISSING`; HistoryError as `openHistory`
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const {
    openHistory,
    fleet,
    renderReport,
    tokens,
    host,
    port,
    toolVersion,
    repositories = new Map(),
    report,
  } = options;
  if (tokens.length === 0 && !isLoopback(host)) {
    throw new ServerError(
      'ADDRESS_NOT_ALLOWED',
      `${host} can be reached from other machines, and anybody there could look at everything. Give --token-file FILE, or ` +
        'leave --host out.',
    );
  }
  const source = new HistorySource(openHistory);
  const changes = new ChangeSearch(source, report);
  const feed = fleet === null ? null : new FleetFeed(fleet.view, report);
  const ending = new AbortController();
  try {
    await source.prepare(options.signal);
    const catalog = new Catalog(source);
    // Begins to search; the first page shows the progress.
    await changes.update(await catalog.now());
    const app = createApp({
      catalog,
      changes,
      triage: new TriageShelf(source),
      repositories,
      reports: new ReportShelf(source, renderReport),
      fleet: fleet === null || feed === null ? null : { ...fleet, feed },
      tokens,
      sessions: new Sessions(),
      streams: new EventStreams(options.mostStreams ?? usualStreams),
      fleetEvents: new StateEvents(),
      toolVersion,
      report,
    });
    const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server;
    await listen(server, { host, port });
    const { port: found } = server.address() as AddressInfo;
    const looking =
      options.alerts === undefined
        ? Promise.resolve()
        : keepLooking(
            new Alerts({ ...options.alerts, fleet: fleet?.view ?? null, toolVersion }, { source, catalog, changes }),
            { everyMs: options.alerts.settings.everyNs / 1e6, signal: ending.signal, report },
          );
    return {
      url: `http://${host.includes(':') ? `[${host.replaceAll(/[[\]]/g, '')}]` : host}:${found}/`,
      close: async () => {
        feed?.close();
        ending.abort();
        // What was sent is noted, if the history answers.
        await waitAtMost(endPatienceMs, looking);
        await new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        });
        await Promise.all([changes.close(), source.close()]);
      },
    };
  } catch (error) {
    await changes.close();
    await source.close();
    throw error;
  }
}

async function listen(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(refusalOf(error, `${host}:${port}`)));
    server.listen(port, host.replaceAll(/[[\]]/g, ''), () => resolve());
  });
}

function refusalOf(error: NodeJS.ErrnoException, address: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ServerError(
        'ADDRESS_IN_USE',
        `Another program listens at ${address}. End it, or take another port: --port N (0 = any that is free).`,
        { cause: error },
      );
    case 'EACCES':
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServerError(
        'ADDRESS_NOT_ALLOWED',
        `The system does not let deadheat listen at ${address} (${error.code}). Ports below 1024 need privileges, and --host ` +
          'takes an address of this machine.',
        { cause: error },
      );
    default:
      return error;
  }
}

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
