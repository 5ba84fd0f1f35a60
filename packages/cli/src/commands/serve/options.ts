import { parsePort } from '../../arguments/values/parse-port.ts';
import { parseText } from 'deadheat/settings';
import { serve } from './serve.ts';
import type { Subcommand } from '../subcommand.ts';

interface RawServeOptions {
  readonly from?: string;
  readonly fleet?: string;
  readonly host?: string;
  readonly port?: number;
  readonly tokenFile?: string;
}

const usual = { from: '.deadheat', host: '127.0.0.1', port: 8080 } as const;

/** `deadheat serve`: the dashboard. */
export const serveSubcommand: Subcommand = ({ create, choose }) =>
  create('serve')
    .summary('a history in the browser, and as JSON')
    .description(
      'Shows a history in the browser: projects, benchmarks with their latest verdicts, each over its commits with the ' +
        'changes of its level, and the report of every experiment; with --fleet its experiments and machines, live; the same ' +
        'as JSON below /api/v1. It prints its address and runs until it is interrupted. Without --token-file only this ' +
        'machine can open it.',
    )
    .usage('[--from PLACE] [options]')
    .action((raw: RawServeOptions) => {
      const { from = usual.from, fleet = null, host = usual.host, port = usual.port, tokenFile = null } = raw;
      choose((terminal) => serve({ from, fleet, host, port, tokenFile }, terminal));
    })
    .option(
      '--from <PLACE>',
      `a folder, or postgres://user@host/name (default: ${usual.from})`,
      parseText('--from', 'a folder or a URL'),
    )
    .option(
      '--fleet <URL>',
      'also show a fleet, live: postgres://user@host/name; a role that submits lets tokens to write cancel',
      parseText('--fleet', 'a URL'),
    )
    .option('--port <N>', `port to listen at (default: ${usual.port}; 0 = any that is free)`, parsePort('--port'))
    .option(
      '--host <ADDRESS>',
      `address to listen at (default: ${usual.host}); one that others can reach needs --token-file`,
      parseText('--host', 'an address of this machine'),
    )
    .option(
      '--token-file <FILE>',
      'who may look: a line each, read TOKEN, or write TOKEN for who may also cancel; mode 0600',
      parseText('--token-file', 'the name of a file'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat serve
      what .deadheat holds, for this machine
  deadheat serve --from postgres://reader@db.example.org/deadheat --host 0.0.0.0 --token-file tokens
  deadheat serve --from postgres://reader@db.example.org/deadheat --fleet postgres://reader@db.example.org/deadheat`,
    );
