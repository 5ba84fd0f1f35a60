import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { History } from '@deadheat/history';
import { createApp } from './app.ts';
import { isLoopback } from './access/loopback.ts';
import { Alerts, keepLooking, type AlertsOptions } from './alerts/alerts.ts';
import { Sessions } from './access/sessions.ts';
import type { Token } from './access/tokens.ts';
import type { FleetAccess } from './context.ts';
import { EventStreams } from './event-stream.ts';
import { ServerError } from './errors.ts';
import { Catalog } from './source/catalog.ts';
import { ChangeSearch } from './source/change-search.ts';
import { FleetFeed } from './source/fleet-feed.ts';
import { HistorySource } from './source/history-source.ts';
import { ReportShelf, type RenderReport } from './source/report-shelf.ts';
import type { Repositories } from './source/repositories.ts';
import { TriageShelf } from './source/triage-shelf.ts';

export interface ServerOptions {
  /** Opens the history; also called again when its connection was lost. */
  readonly openHistory: () => Promise<History>;
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
  /** Called with errors while answering requests, and of alerts. */
  readonly report: (error: unknown) => void;
}

const usualStreams = 200;

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
      toolVersion,
      report,
    });
    const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server;
    await listen(server, { host, port });
    const { port: found } = server.address() as AddressInfo;
    const looking =
      options.alerts === undefined
        ? null
        : keepLooking(
            new Alerts({ ...options.alerts, fleet: fleet?.view ?? null, toolVersion }, { source, catalog, changes }),
            { everyMs: options.alerts.settings.everyNs / 1e6, signal: ending.signal, report },
          );
    return {
      url: `http://${host.includes(':') ? `[${host.replaceAll(/[[\]]/g, '')}]` : host}:${found}/`,
      close: async () => {
        feed?.close();
        ending.abort();
        await looking;
        await new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        });
        await changes.close();
        await source.close();
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
