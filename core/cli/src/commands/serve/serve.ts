import type { Command } from 'commander';
import { cancelExperiment, openFleetView } from '@deadheat/fleet';
import { openHistory } from '@deadheat/history';
import {
  type FleetAccess,
  readRepository,
  readTokenFile,
  type Repositories,
  type ServerOptions,
  startServer,
} from '@deadheat/dashboard';
import { mapInWorkers } from 'deadheat/internals';
import { parseText } from 'deadheat/settings';
import { addPlaintextOption, type RawPlaintextOption, withPlaintext } from '../../terminal/plaintext-option.ts';
import { several } from '../../arguments/values/several.ts';
import { parsePort } from '../../arguments/values/parse-port.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { explainError } from '../../errors/explain-error.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { version } from '../../version.ts';
import type { SubcommandContext } from '../subcommand.ts';
import type { PageRequest } from './report-worker.ts';
import { readAlertsFile } from '@deadheat/dashboard';

interface RawServeOptions extends RawPlaintextOption {
  readonly from?: string;
  readonly fleet?: string;
  readonly host?: string;
  readonly port?: number;
  readonly tokenFile?: string;
  readonly repository?: readonly string[];
  readonly alerts?: string;
}

const usual = { from: '.deadheat', host: '127.0.0.1', port: 8080 } as const;

/** `deadheat serve`: the dashboard. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  return addPlaintextOption(create('serve'), 'a database or a webhook')
    .description(
      'Shows a history in the browser: the changes of performance of all benchmarks, the newest first, and what was decided about them, the projects, the latest verdict of each benchmark, the course of each benchmark over the commits with its changes of performance, and the report of each experiment. With --fleet it also shows the experiments and machines of a fleet, live. The same data are available as JSON below /api/v1. The command prints its address and runs until it is interrupted. Without --token-file, only this machine can open the address.',
    )
    .usage('[--from PLACE] [options]')
    .action((raw: RawServeOptions) => {
      const { from = usual.from, fleet = null, host = usual.host, port = usual.port, tokenFile = null } = raw;
      const { repository = [], alerts = null } = raw;
      const request = { from, fleet, host, port, tokenFile, repository, alerts };
      choose((terminal) => serve(request, withPlaintext(raw, terminal)));
    })
    .option(
      '--from <PLACE>',
      `the history: a folder, or postgres://user@host/name (default: ${usual.from})`,
      parseText('--from', 'a folder or a URL'),
    )
    .option(
      '--fleet <URL>',
      'also show the fleet of this database, live: postgres://user@host/name. If its role may submit experiments, users with a write token can cancel them',
      parseText('--fleet', 'a URL'),
    )
    .option('--port <N>', `port to listen on (default: ${usual.port}; 0 = any free port)`, parsePort('--port'))
    .option(
      '--host <ADDRESS>',
      `address to listen on (default: ${usual.host}); an address that other machines can reach requires --token-file`,
      parseText('--host', 'an address of this machine'),
    )
    .option(
      '--token-file <FILE>',
      'file of access tokens, one on each line: read TOKEN, or write TOKEN for users who may also decide about changes and cancel experiments. Its mode must be 0600',
      parseText('--token-file', 'the name of a file'),
    )
    .option(
      '--repository <[PROJECT=]URL>',
      'address of the repository in the browser, to which the commits of a change link; may be repeated for several projects',
      several(parseText('--repository', 'an address')),
    )
    .option(
      '--alerts <FILE>',
      'send what is new to the channels of this file while it runs, as deadheat alert FILE does',
      parseText('--alerts', 'the name of a file'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat serve
      show the recordings in .deadheat; only this machine can open the address

  deadheat serve --from postgres://reader@db.example.org/deadheat --host 0.0.0.0 --token-file tokens
  deadheat serve --repository https://github.com/owner/parser
  deadheat serve --from postgres://reader@db.example.org/deadheat --fleet postgres://reader@db.example.org/deadheat`,
    );
}

interface ServeRequest {
  /** A folder or a URL. */
  readonly from: string;
  /** URL of the fleet that is shown; `null` = none. */
  readonly fleet: string | null;
  readonly host: string;
  /** 0 = any that is free. */
  readonly port: number;
  /** `null` = nobody needs a token. */
  readonly tokenFile: string | null;
  /** `URL` or `PROJECT=URL` each. */
  readonly repository: readonly string[];
  /** File of alerts; `null` = none are sent. */
  readonly alerts: string | null;
}

/** `deadheat serve`: until it is interrupted. Returns the exit code. */
export async function serve(request: ServeRequest, terminal: Terminal): Promise<ExitCode> {
  const { from, fleet: url, host, port, tokenFile } = request;
  const repositories: Repositories = new Map(request.repository.map(readRepository));
  const tokens = tokenFile === null ? [] : readTokenFile(tokenFile);
  const { env: variables } = terminal;
  const alerts =
    request.alerts === null
      ? undefined
      : { settings: readAlertsFile(request.alerts, { cwd: process.cwd(), variables }), variables };
  const fleet = url === null ? null : await openFleet(url, terminal);
  try {
    return await serveUntilInterrupted({ from, fleet, host, port, tokens, repositories, alerts }, terminal);
  } finally {
    await fleet?.view.close();
  }
}

async function serveUntilInterrupted(
  {
    from,
    ...options
  }: Pick<ServerOptions, 'fleet' | 'host' | 'port' | 'tokens' | 'repositories' | 'alerts'> & Pick<ServeRequest, 'from'>,
  terminal: Terminal,
): Promise<ExitCode> {
  return withInterruption(async (signal) => {
    const server = await startServer({
      openHistory: () => openHistory(from, { forWriting: false, mayLag: true, variables: terminal.env }),
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
