import {
  badValue,
  type Command,
  defineCommand,
  type ExitCode,
  exitCodes,
  explainError,
  option,
  plaintextOptions,
  several,
  type Terminal,
  text,
  version,
  withInterruption,
  withPlaintext,
} from '@deadheat/cli/kit';
import { openHistory } from '@deadheat/history';
import { fromOption } from '@deadheat/history/command';
import { mapInWorkers } from 'deadheat/internals';
import { readTokenFile } from '../access/tokens.ts';
import { readAlertsFile } from '../alerts/alerts-file.ts';
import type { FleetAccess } from '../context.ts';
import { readRepository } from '../source/repositories.ts';
import { type ServerOptions, startServer } from '../start-server.ts';
import type { PageRequest } from './report-worker.ts';

/** `deadheat history serve`: the dashboard, until it is interrupted. */
export const serve: Command = defineCommand({
  description:
    'Shows a history in the browser: the changes of performance of all benchmarks, the newest first, and what was decided about them, the projects, the latest verdict of each benchmark, the course of each benchmark over the commits with its changes of performance, and the report of each experiment. With --fleet it also shows the experiments and machines of a fleet, live. The same data are available as JSON below /api/v1. The command prints its address and runs until it is interrupted. Without --token-file, only this machine can open the address.',
  options: {
    from: fromOption,
    fleet: option('--fleet <URL>', {
      help: 'also show the fleet of this database, live: postgres://user@host/name. If its role may submit experiments, users with a write token can cancel them',
      parse: text('a URL'),
    }),
    port: option('--port <N>', { help: 'port to listen on; 0 = any free port', parse: parsePort, default: 8080 }),
    host: option('--host <ADDRESS>', {
      help: 'address to listen on; an address that other machines can reach requires --token-file',
      parse: text('an address of this machine'),
      default: '127.0.0.1',
    }),
    tokenFile: option('--token-file <FILE>', {
      help: 'file of access tokens, one on each line: read TOKEN, or write TOKEN for users who may also decide about changes and cancel experiments. Its mode must be 0600',
      parse: text('the name of a file'),
    }),
    repository: several('--repository <[PROJECT=]URL>', {
      help: 'address of the repository in the browser, to which the commits of a change link; may be repeated for several projects',
      parse: text('an address'),
    }),
    alerts: option('--alerts <FILE>', {
      help: 'send what is new to the channels of this file while it runs, as deadheat history alert FILE does',
      parse: text('the name of a file'),
    }),
    ...plaintextOptions('a database or a webhook'),
  },
  act: async (values, _args, given) => {
    const { from, fleet: url, host, port, tokenFile, repository } = values;
    const terminal = withPlaintext(values, given);
    const { env: variables } = terminal;
    const repositories = new Map(repository.map(readRepository));
    const tokens = tokenFile === null ? [] : readTokenFile(tokenFile);
    const alerts =
      values.alerts === null
        ? undefined
        : { settings: readAlertsFile(values.alerts, { cwd: process.cwd(), variables }), variables };
    const fleet = url === null ? null : await openFleet(url, variables);
    try {
      return await serveUntilInterrupted({ from, fleet, host, port, tokens, repositories, alerts }, terminal);
    } finally {
      await fleet?.view.close();
    }
  },
  examples: `
Examples:
  deadheat history serve
      show the recordings in .deadheat; only this machine can open the address

  deadheat history serve --from postgres://reader@db.example.org/deadheat --host 0.0.0.0 --token-file tokens
  deadheat history serve --repository https://github.com/owner/parser
  deadheat history serve --from postgres://reader@db.example.org/deadheat --fleet postgres://reader@db.example.org/deadheat`,
});

const mostPort = 65_535;

function parsePort(flag: string): (typed: string) => number {
  return (typed) => {
    if (/^\d{1,5}$/.test(typed) && Number(typed) <= mostPort) return Number(typed);
    throw badValue(flag, typed, { allowed: `a whole number from 0 to ${mostPort}` });
  };
}

async function openFleet(url: string, variables: Terminal['env']): Promise<FleetAccess> {
  const { cancelExperiment, openFleetView } = await import('@deadheat/fleet');
  return {
    view: await openFleetView(url, variables),
    cancel: async (experiment) => {
      await cancelExperiment({ url, variables }, experiment);
    },
  };
}

async function serveUntilInterrupted(
  {
    from,
    ...options
  }: Pick<ServerOptions, 'fleet' | 'host' | 'port' | 'tokens' | 'repositories' | 'alerts'> & { readonly from: string },
  terminal: Terminal,
): Promise<ExitCode> {
  return withInterruption(async (signal) => {
    const started = startServer({
      openHistory: (cutting) =>
        openHistory(from, { forWriting: false, mayLag: true, variables: terminal.env, signal: cutting }),
      renderReport: (directory, name) => renderInWorker({ directory, name }, signal),
      ...options,
      toolVersion: version,
      report: (error) => terminal.stderr.write(`${explainError(error, terminal.env).message}\n`),
      signal,
    });
    const server = await started.catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (server === null) return exitCodes.done;
    try {
      terminal.stdout.write(`${server.url}\n`);
      await aborted(signal);
    } finally {
      await server.close();
    }
    return exitCodes.done;
  });
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
