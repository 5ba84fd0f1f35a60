import { cancelExperiment, openFleetView } from '@deadheat/fleet';
import { openHistory } from '@deadheat/history';
import { readTokenFile, startServer, type FleetAccess, type ServerOptions } from '@deadheat/server';
import { explainError } from '../../errors/explain-error.ts';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { version } from '../../version.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { mapInWorkers } from '../../threads/map-in-workers.ts';
import type { PageRequest } from './report-worker.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface ServeRequest {
  /** A folder or a URL. */
  readonly from: string;
  /** URL of the fleet that is shown; `null` = none. */
  readonly fleet: string | null;
  readonly host: string;
  /** 0 = any that is free. */
  readonly port: number;
  /** `null` = nobody needs a token. */
  readonly tokenFile: string | null;
}

/** `deadheat serve`: until it is interrupted. Returns the exit code. */
export async function serve(request: ServeRequest, terminal: Terminal): Promise<ExitCode> {
  const { from, fleet: url, host, port, tokenFile } = request;
  const tokens = tokenFile === null ? [] : readTokenFile(tokenFile);
  const fleet = url === null ? null : await openFleet(url, terminal);
  try {
    return await serveUntilInterrupted({ from, fleet, host, port, tokens }, terminal);
  } finally {
    await fleet?.view.close();
  }
}

async function serveUntilInterrupted(
  { from, ...options }: Pick<ServerOptions, 'fleet' | 'host' | 'port' | 'tokens'> & Pick<ServeRequest, 'from'>,
  terminal: Terminal,
): Promise<ExitCode> {
  return withInterruption(async (signal) => {
    const server = await startServer({
      openHistory: () => openHistory(from, { forWriting: false, variables: terminal.env }),
      renderReport: (directory, name) => renderInWorker({ directory, name }, signal),
      ...options,
      toolVersion: version,
      tell: (error) => terminal.stderr.write(`${explainError(error, terminal.env).message}\n`),
    });
    try {
      terminal.stdout.write(`${server.url}\n`);
      await aborted(signal);
    } finally {
      await server.close();
    }
    return exitCodes.done;
  });
}

async function openFleet(url: string, { env }: Terminal): Promise<FleetAccess> {
  return {
    view: await openFleetView(url, env),
    cancel: async (experiment) => {
      await cancelExperiment(url, { experiment, variables: env });
    },
  };
}

/** In a thread of its own: a recording of millions of iterations takes seconds. */
async function renderInWorker(request: PageRequest, signal: AbortSignal): Promise<string> {
  const module = new URL('./report-worker.js', import.meta.url);
  const [page] = await mapInWorkers<PageRequest, string>({ module, requests: [request], threads: 1, signal });
  if (page === undefined) throw new Error('the dashboard ended meanwhile');
  return page;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
